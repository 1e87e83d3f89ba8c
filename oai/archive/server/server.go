// Package server assembles the data provider of a repository: the archive, the formats of its
// records, the tools, and access control.
package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"quire/holdings"
	"quire/holdings/rights"
	"quire/internal/accesscontrol"
	"quire/internal/httpserver"
	"quire/model"
	"quire/oai/archive"
	"quire/oai/config"
	"quire/oai/crate"
	"quire/oai/plugin"
	"quire/oai/plugin/builtin"
	"quire/oai/provider"
	"quire/repository/store"
)

// Options are the settings of a server.
type Options struct {
	Config config.Config // complete
	Dir    string        // of the index and the token key, if the configuration sets none
	Access string        // folder of the CDXJ index and the rules; "": the folder of quire serve
	Root   string        // URL of the server, if the configuration sets no base

	Agent model.Agent // the program, for the documents

	Progress func(archive.Progress) // receives the progress from another goroutine; may be nil
	Problem  func(error)            // receives errors, from any goroutine; may be nil
	Now      func() time.Time       // for tests; nil means time.Now
}

// Server is an OAI-PMH server of a repository.
type Server struct {
	http.Handler
	Archive *archive.Archive
	Base    string   // URL for harvesters
	Access  []string // access agreements, a line each

	holdings *holdings.Holdings
	tools    *plugin.Runner // nil without tools
}

// New opens the indexes and tools. The caller still owns the repository.
func New(ctx context.Context, repository *store.Store, o Options) (_ *Server, err error) {
	c := o.Config
	if o.Problem == nil {
		o.Problem = func(error) {}
	}
	s := &Server{Base: cmp.Or(c.Base, strings.TrimSuffix(o.Root, "/")+c.Endpoint)}
	dir := cmp.Or(c.State, o.Dir)
	g, err := accesscontrol.New(c.Config, accesscontrol.Options{Refused: func(r accesscontrol.Refusal) {
		o.Problem(fmt.Errorf("refused (%d): %s %.100q: %s", r.Status, r.Address, r.User, r.Why))
	}})
	if err != nil {
		return nil, err
	}
	s.Access = g.Agreements()
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	unstated := cmp.Or(rights.Of(c.Repository.Unstated), rights.Restricted)
	s.holdings, err = holdings.Of(ctx, repository, holdings.Options{
		Dir: o.Access, Rules: c.Repository.Rules, Unstated: unstated, Progress: o.Progress, Problem: o.Problem,
		Now: o.Now,
	})
	if err != nil {
		return nil, err
	}
	s.Archive, err = archive.Open(ctx, repository, s.holdings, archive.Options{
		Dir: dir, Class: c.Repository.Class(), Unstated: unstated, Problem: o.Problem, Now: o.Now,
	})
	if err != nil {
		return nil, err
	}
	p, err := s.provider(&c, dir, &o)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	few := func(next http.Handler) http.Handler {
		return g.Wrap(httpserver.LimitConcurrency(cmp.Or(c.Requests, config.DefaultRequests), next))
	}
	mux.Handle(c.Endpoint, few(p))
	mux.Handle(c.Endpoint+schemas+"/", http.StripPrefix(c.Endpoint+schemas, crate.SchemaHandler()))
	mux.Handle(c.Endpoint+bytesOf, few(crate.BytesHandler(s.Archive)))
	s.Handler = mux
	return s, nil
}

// Paths below the endpoint: the schemas of Quire's own formats, and the bytes that are too large
// for a document.
const (
	schemas = "/schemas"
	bytesOf = "/bytes"
)

// provider returns the data provider.
func (s *Server) provider(c *config.Config, dir string, o *Options) (*provider.Provider, error) {
	problem := o.Problem
	if text := crate.TooLargeByValue(int64(c.ByValue)); text != "" {
		problem(errors.New(text))
	}
	base, err := url.Parse(s.Base)
	if err != nil {
		return nil, err
	}
	key, err := provider.Key(filepath.Join(dir, "token.key"))
	if err != nil {
		return nil, err
	}
	d := &crate.Disseminator{ByValue: int64(c.ByValue), Schemas: s.Base + schemas, Bytes: s.Base + bytesOf,
		Agent: o.Agent}
	tools := c.Plugins
	if tools == nil {
		tools = crate.DefaultPlugins()
	}
	if len(tools) > 0 {
		s.tools, err = plugin.New(plugin.Options{Configs: tools, Jail: c.Jail, Builtin: builtin.New,
			CacheDir: filepath.Join(dir, archive.ToolsDir), Problem: func(label string, err error) {
				problem(fmt.Errorf("tool %s: %w", label, err))
			}})
		if err != nil {
			return nil, err
		}
		d.Tools = s.tools
	}
	admin := c.Admin
	if len(admin) == 0 {
		admin = []string{NoAddress}
	}
	return provider.New(d.Backend(s.Archive), provider.Options{
		Name: cmp.Or(c.Name, "Web archive at "+base.Host), BaseURL: s.Base, AdminEmail: admin, Key: key,
		Records: c.Pages.Records, Bytes: int64(c.Pages.Bytes), Problem: func(p provider.Problem) { problem(p) },
	})
}

// NoAddress is the address in Identify if none is set. It cannot belong to a person (RFC 2606).
const NoAddress = "nobody@not-set.invalid"

// Close releases the indexes and ends persistent tools.
func (s *Server) Close() (err error) {
	if s.Archive != nil {
		err = s.Archive.Close()
	}
	if s.holdings != nil {
		err = errors.Join(err, s.holdings.Close())
	}
	if s.tools != nil {
		err = errors.Join(err, s.tools.Close())
	}
	return err
}
