package server

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"quire/access/address"
)

// place puts archived pages where ReplayHost says.
func (o *Options) place() error {
	if o.ReplayHost == "" {
		return nil
	}
	if o.UI == "" {
		o.UI = o.Root
	}
	host := o.ReplayHost
	if !strings.Contains(host, "://") {
		u, err := url.Parse(o.UI)
		if err != nil {
			return err
		}
		if _, _, err := net.SplitHostPort(host); err != nil && u.Port() != "" {
			host = net.JoinHostPort(strings.Trim(host, "[]"), u.Port())
		}
		host = u.Scheme + "://" + host
	}
	var err error
	if o.Replay, err = baseURL(host); err != nil {
		return fmt.Errorf("--replay-host: %w", err)
	}
	return nil
}

// hosts decides where our own pages and archived ones are. This machine alone has two names, so
// that there it is easy.
func (s *Server) hosts() {
	s.UI, s.Replay = s.o.UI, s.o.Replay
	if there := address.Replay(s.Replay); there.Wildcard() {
		s.Sites = there
	}
	if u, err := url.Parse(s.o.Root); s.UI == "" && err == nil && u.Hostname() == "127.0.0.1" {
		s.Replay = "http://" + u.Host
		// browsers find both here (RFC 6761, 6.3); others ask 127.0.0.1
		s.UI, s.Sites = "http://localhost", "http://*.localhost"
		if port := u.Port(); port != "" {
			s.UI += ":" + port
			s.Sites += address.Replay(":" + port)
		}
	}
}

// named is an error where readers are known by their address, and every name of this machine is
// answered: a stranger can give it one of his own, and have the browser of a reading room read for
// him (DNS rebinding).
func (s *Server) named() error {
	if s.UI != "" || s.o.AnyName || s.readers.networkOnSite == nil && s.readers.networkStaff == nil {
		return nil
	}
	return errors.New("readers are known by their address, and the configuration does not say under which name our " +
		"pages are found: " +
		"a stranger could give this machine a name of his own, and have the browser of a reading room read for him. " +
		"Write ui: https://archive.example, or any-name: true where that cannot be")
}

// alone says whether there is one host only.
func (s *Server) alone() bool { return s.Replay == "" }

// origin is that of our own pages, for archived ones; "" when they are on the same host.
func (s *Server) origin() string {
	if s.alone() {
		return ""
	}
	return originOf(s.UI)
}

func originOf(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

func pathOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return u.EscapedPath()
}
