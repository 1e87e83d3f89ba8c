// Package server puts a website that can be harvested together, as a server of its own: the files
// of a folder or a web server behind it, the endpoint before it, the tools, and the gate.
package server

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"quire/internal/accesscontrol"
	"quire/oai/config"
	"quire/oai/crate"
	"quire/oai/site"
)

// Options say what is served, and how.
type Options struct {
	Config   config.Config // complete
	Folder   string        // of files that are served; either this,
	Upstream string        // or the URL of a web server to which requests are handed on
	State    string        // folder, where the configuration names none; "" is one of the user's, see [StateFolder]
	Root     string        // URL of this server, where the configuration names no base

	Problem func(string) // told what went wrong, a line each, from any goroutine; may be nil
}

// Server is a website that can be harvested.
type Server struct {
	*crate.Middleware
	Base   string   // URL that harvesters ask
	State  string   // folder of the index
	Access []string // who is let in, a line each

	Warnings []string // of what may be open that should not be, a line each

	folder *os.Root
}

// New opens all that is needed, and begins to look at the site.
func New(o Options) (_ *Server, err error) {
	if (o.Folder == "") == (o.Upstream == "") {
		return nil, errors.New("either a folder is served, or the web server behind this one (upstream)")
	}
	if o.Problem == nil {
		o.Problem = func(string) {}
	}
	c := o.Config
	c.Base = cmp.Or(c.Base, strings.TrimSuffix(o.Root, "/")+c.Endpoint)
	if c.State = cmp.Or(c.State, o.State); c.State == "" {
		if c.State, err = StateFolder(cmp.Or(o.Folder, o.Upstream), c.Base); err != nil {
			return nil, err
		}
	}
	g, err := accesscontrol.New(c.Config, accesscontrol.Options{Refused: func(r accesscontrol.Refusal) {
		o.Problem(fmt.Sprintf("refused (%d): %s %.100q: %s", r.Status, r.Address, r.User, r.Why))
	}})
	if err != nil {
		return nil, err
	}
	s := &Server{Base: c.Base, State: c.State, Access: g.Holds(), Warnings: warnings(o.Upstream)}
	next, err := s.site(&o)
	if err != nil {
		return nil, err
	}
	h := c.HandlerOptions()
	h.Folder, h.Gate, h.Problem = o.Folder, g.Wrap, o.Problem
	if o.Upstream != "" {
		h.Aliases = append(h.Aliases, o.Upstream)
	}
	if s.Middleware, err = crate.Handler(next, h); err != nil {
		return nil, errors.Join(err, s.closeFolder())
	}
	return s, nil
}

// warnings says that a web server on this machine takes our requests for those of somebody who sits
// at it.
func warnings(upstream string) []string {
	u, err := url.Parse(upstream)
	if upstream == "" || err != nil {
		return nil
	}
	host := u.Hostname()
	if at, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !at.IsLoopback()) {
		return nil
	}
	return []string{"the upstream is on this machine and sees our requests come from it: what it gives to localhost " +
		"alone can be harvested, " +
		"unless it trusts our X-Forwarded-For (docs/operations/870_crate.md, Behind and before a web server)"}
}

// site makes what visitors see.
func (s *Server) site(o *Options) (next http.Handler, err error) {
	if o.Upstream != "" {
		return site.Upstream(o.Upstream, o.Problem)
	}
	if s.folder, err = os.OpenRoot(o.Folder); err != nil {
		return nil, err
	}
	return site.Files(s.folder), nil
}

// StateFolder is where the state of a site is kept of which nobody says where: among the user's
// own, by the digest of what is served and of the URL that harvesters ask. Under another URL all
// resources have other names: what was tried at 127.0.0.1 would stay in the lists of the real site
// as deleted, for ever.
func StateFolder(served, base string) (string, error) {
	if !strings.Contains(served, "://") {
		folder, err := filepath.Abs(served)
		if err != nil {
			return "", err
		}
		served = folder
	}
	home := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(home) {
		user, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("there is no place for the index of the site: name a folder with --state: %w", err)
		}
		home = filepath.Join(user, ".local", "state")
	}
	sum := sha256.Sum256([]byte(served + "\n" + base))
	return filepath.Join(home, "quire", "site-"+hex.EncodeToString(sum[:8])), nil
}

// Close ends the looking at the site. What was learnt is kept.
func (s *Server) Close() error { return errors.Join(s.Middleware.Close(), s.closeFolder()) }

func (s *Server) closeFolder() error {
	if s.folder == nil {
		return nil
	}
	return s.folder.Close()
}
