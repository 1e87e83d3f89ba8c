package server

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"quire/access/address"
)

// place sets the host of archived pages from ReplayHost.
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

// hosts chooses the hosts of our own pages and of archived pages. A loopback server has two names,
// so it needs no configuration.
func (s *Server) hosts() {
	s.UI, s.Replay = s.o.UI, s.o.Replay
	if there := address.Replay(s.Replay); there.Wildcard() {
		s.Sites = there
	}
	if u, err := url.Parse(s.o.Root); s.UI == "" && err == nil && u.Hostname() == "127.0.0.1" {
		s.Replay = "http://" + u.Host
		// browsers resolve both to this machine (RFC 6761, 6.3); other clients use 127.0.0.1
		s.UI, s.Sites = "http://localhost", "http://*.localhost"
		if port := u.Port(); port != "" {
			s.UI += ":" + port
			s.Sites += address.Replay(":" + port)
		}
	}
}

// named returns an error if addresses identify readers, and the server answers under any host name.
// An attacker could assign a name to this machine, and read through a reading room's browser (DNS
// rebinding).
func (s *Server) named() error {
	if s.UI != "" || s.o.AnyName || s.readers.networkOnSite == nil && s.readers.networkStaff == nil {
		return nil
	}
	return errors.New("readers are identified by address, but ui does not set the host name: DNS " +
		"rebinding could let an attacker read through a reading room's browser. Write ui: " +
		"https://archive.example, or any-name: true to accept this")
}

// alone reports whether there is only one host.
func (s *Server) alone() bool { return s.Replay == "" }

// origin returns the origin of our own pages, for use by archived pages. It returns "" if both
// share a host.
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
