// Package server assembles a stand-alone server for a harvested website. It combines the files of a
// folder or an upstream web server with the endpoint, the tools, and access control.
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
	"quire/model"
	"quire/oai/config"
	"quire/oai/crate"
	"quire/oai/site"
)

// Options are the settings of a server.
type Options struct {
	Config   config.Config // complete
	Folder   string        // of served files; either this,
	Upstream string        // or the URL of the upstream web server
	State    string        // folder, if the configuration sets none; "" means [StateFolder]
	Root     string        // URL of this server, if the configuration sets no base

	Agent model.Agent // the program, for the documents

	Problem func(string) // receives errors, a line each, from any goroutine; may be nil
}

// Server is a website with an endpoint for harvesters.
type Server struct {
	*crate.Middleware
	Base   string   // URL for harvesters
	State  string   // folder of the index
	Access []string // access agreements, a line each

	Warnings []string // on possibly unintended access, a line each

	folder *os.Root
}

// New opens the index and the tools, and starts to scan the site.
func New(o Options) (_ *Server, err error) {
	if (o.Folder == "") == (o.Upstream == "") {
		return nil, errors.New("set either a folder or the URL of the web server behind this server " +
			"(upstream)")
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
	s := &Server{Base: c.Base, State: c.State, Access: g.Agreements(), Warnings: warnings(o.Upstream)}
	next, err := s.site(&o)
	if err != nil {
		return nil, err
	}
	h := c.HandlerOptions()
	h.Folder, h.Gate, h.Agent, h.Problem = o.Folder, g.Wrap, o.Agent, o.Problem
	if o.Upstream != "" {
		h.Aliases = append(h.Aliases, o.Upstream)
	}
	if s.Middleware, err = crate.Handler(next, h); err != nil {
		return nil, errors.Join(err, s.closeFolder())
	}
	return s, nil
}

// warnings returns a warning if the upstream is on this machine. Such an upstream treats our
// requests as requests of local users.
func warnings(upstream string) []string {
	u, err := url.Parse(upstream)
	if upstream == "" || err != nil {
		return nil
	}
	host := u.Hostname()
	if at, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !at.IsLoopback()) {
		return nil
	}
	return []string{"the upstream is on this machine and treats our requests as local: harvesters get " +
		"pages reserved for localhost, unless it trusts our X-Forwarded-For " +
		"(docs/operations/870_crate.md, Behind and before a web server)"}
}

// site returns the handler for visitors.
func (s *Server) site(o *Options) (next http.Handler, err error) {
	if o.Upstream != "" {
		return site.Upstream(o.Upstream, o.Problem)
	}
	if s.folder, err = os.OpenRoot(o.Folder); err != nil {
		return nil, err
	}
	return site.Files(s.folder), nil
}

// StateFolder returns the default folder for the state of a site. It is among the user's own
// folders, named by the digest of the served source and of the URL for harvesters. Under another
// URL all resources have other identifiers. With one common folder, resources from a test at
// 127.0.0.1 would stay in the real site's lists as deleted.
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
			return "", fmt.Errorf("no default folder for the index of the site: set one with --state: %w", err)
		}
		home = filepath.Join(user, ".local", "state")
	}
	sum := sha256.Sum256([]byte(served + "\n" + base))
	return filepath.Join(home, "quire", "site-"+hex.EncodeToString(sum[:8])), nil
}

// Close ends the scan of the site. The results are kept.
func (s *Server) Close() error { return errors.Join(s.Middleware.Close(), s.closeFolder()) }

func (s *Server) closeFolder() error {
	if s.folder == nil {
		return nil
	}
	return s.folder.Close()
}
