// Package server is what readers meet: our own pages on one host, archived pages on another, and what machines ask. docs/serve.md says
// how it is set up, docs/replay.md what is answered to what.
//
//	s, err := server.New(ctx, repository, server.Options{Dir: "repo/access", Root: "http://127.0.0.1:8000"})
//	err = listen.Serve(ctx, l, s, listen.Options{})
//	err = s.Close()
//
// There are two hosts because what is archived was written by strangers: on the host of our pages it could act as the reader who is signed
// in there. Where there is one host only, archived pages are shut into a sandbox by the browser.
package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"quire/access/address"
	"quire/access/cdxserver"
	"quire/access/export"
	"quire/access/export/formats"
	"quire/access/holdings"
	"quire/access/index"
	"quire/access/missed"
	"quire/access/pages"
	"quire/access/replay"
	"quire/access/rewrite"
	"quire/access/search"
	"quire/access/wabac"
	"quire/repository/store"
)

// Options say where a server stands, and with what.
type Options struct {
	Config
	Dir  string // where what is made for readers is kept: REPO/access
	Root string // the URL at which it listens

	// ReplayHost is another name of the same host for archived pages: NAME, NAME:PORT, or a URL. It wins over the configuration.
	ReplayHost string

	Problem  func(error)
	Progress func(holdings.Progress)
	Now      func() time.Time // time.Now when nil
	Location *time.Location   // of the days of rights; time.Local when nil
}

// Server is a handler of both hosts.
type Server struct {
	UI, Replay string // at which URLs readers find them; "" for whatever host they ask

	o        Options
	notes    []string // for Greeting
	holdings *holdings.Holdings
	search   *search.Search
	missed   *missed.Lists
	stop     context.CancelFunc // of what goes on behind
	behind   sync.WaitGroup
	readers  *readers
	key      *replay.Key
	replayed *replay.Handler
	pages    http.Handler
	engine   http.Handler // nil when none was installed
	scripts  http.Handler
	listed   *cdxserver.Server
	exports  *export.Handler // nil when readers take nothing away
	log      *accessLog
}

// New opens a repository for readers.
func New(ctx context.Context, repository *store.Store, o Options) (s *Server, err error) {
	if o.Problem == nil {
		o.Problem = func(error) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := o.place(); err != nil {
		return nil, err
	}
	if err := o.complete(); err != nil {
		return nil, err
	}
	s = &Server{o: o}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	s.hosts()
	if s.readers, err = newReaders(o.Config); err != nil {
		return s, err
	}
	if s.key, err = replay.OpenKey(o.Dir); err != nil {
		return s, err
	}
	if s.log, err = openLog(o.Log); err != nil {
		return s, err
	}
	if s.holdings, err = holdings.Of(ctx, repository, holdings.Options{
		Dir: o.Dir, Rules: o.Rules, Unstated: holdings.Verdict(o.Unstated), Location: o.Location, Now: o.Now, Problem: o.Problem, Progress: o.Progress,
	}); err != nil {
		return s, err
	}
	if s.search, err = search.Open(ctx, filepath.Join(o.Dir, "text"), s.holdings, search.Options{Problem: o.Problem}); err != nil {
		return s, err
	}
	s.missed = missed.Open(o.Dir, s.holdings)
	s.follow(ctx)
	s.listed = &cdxserver.Server{Holdings: s.holdings}
	if err = s.openExports(repository); err != nil {
		return s, err
	}
	s.openEngine()
	return s, s.handlers()
}

// follow keeps the index of texts current.
func (s *Server) follow(ctx context.Context) {
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	woken := make(chan struct{}, 1)
	s.behind.Go(func() { s.search.Run(ctx, woken) })
	s.behind.Go(func() {
		err := s.holdings.Follow(ctx, func(holdings.Change) error {
			select {
			case woken <- struct{}{}:
			default: // it has been told
			}
			return nil
		})
		if err != nil && ctx.Err() == nil {
			s.o.Problem(fmt.Errorf("the index of texts does not learn any more what comes: %w", err))
		}
	})
}

// openExports prepares what readers may take away.
func (s *Server) openExports(repository *store.Store) error {
	if len(s.o.Downloads) == 0 {
		return nil
	}
	var offered []export.Format
	for _, name := range s.o.Downloads {
		f, err := export.Find(formats.All(), name)
		if err != nil {
			return fmt.Errorf("downloads: %w", err)
		}
		offered = append(offered, *f)
	}
	var err error
	s.exports, err = export.NewHandler(export.HandlerOptions{
		Store: repository, Holdings: s.holdings, Formats: offered, Dir: filepath.Join(s.o.Dir, "exports"), Limits: s.o.Exports,
		Log: filepath.Join(s.o.Dir, "downloads.jsonl"), Problem: s.o.Problem,
	})
	return err
}

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

// hosts decides where our own pages and archived ones are. This machine alone has two names, so that there it is easy.
func (s *Server) hosts() {
	s.UI, s.Replay = s.o.UI, s.o.Replay
	if u, err := url.Parse(s.o.Root); s.UI == "" && err == nil && u.Hostname() == "127.0.0.1" {
		s.Replay = "http://" + u.Host
		s.UI = "http://localhost"
		if port := u.Port(); port != "" {
			s.UI += ":" + port
		}
	}
}

// Greeting says what the person who starts the server should know, line by line.
func (s *Server) Greeting() []string {
	at := s.UI
	if at == "" {
		at = s.o.Root
	}
	lines := []string{"readers find this repository at " + at + "/ (Ctrl-C ends it)"}
	if s.alone() {
		lines = append(lines, "  archived pages: on the same host, in a sandbox, in which scripts do less (give them a host of their own: --replay-host)")
	} else {
		lines = append(lines, "  archived pages: at "+s.Replay+"/")
	}
	lines = append(lines, s.readers.lines()...)
	if s.UI == "" && (s.readers.networkOnSite != nil || s.readers.networkStaff != nil) {
		lines = append(lines, "  any name of this machine is answered: a stranger can give it one of his own, and have the browser of a reading room read for him (write ui: into the configuration)")
	}
	if s.engine != nil {
		lines = append(lines, "  wabac.js shows pages whose scripts need more")
	}
	return append(lines, s.notes...)
}

// Connections is how many clients are served at the same time.
func (s *Server) Connections() int { return s.o.Connections }

// alone says whether there is one host only.
func (s *Server) alone() bool { return s.Replay == "" }

func (s *Server) handlers() error {
	base := s.Replay
	if s.alone() {
		base = s.UI
	}
	s.replayed = replay.New(s.holdings, replay.Options{
		UI: address.UI(s.UI), Base: address.Replay(base), Path: pathOf(base), Origin: s.origin(), Sandbox: s.alone(),
		Key: s.key, Class: s.readers.byAddress, CDX: s.cdx, Problem: s.o.Problem, Now: s.o.Now,
	})
	s.scripts = rewrite.Assets(pathOf(base) + "/")
	var err error
	s.pages, err = pages.New(s.holdings, pages.Options{
		Name: s.o.Name, About: s.o.About, UI: address.UI(pathOf(s.UI)), Public: originOf(s.UI), Reader: s.reader, Replay: s.frame, Search: s.search, Missed: s.missed,
		Downloads: s.o.Downloads, Now: s.o.Now, Problem: s.o.Problem,
	})
	return err
}

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

// openEngine finds a replay engine for the browser. That there is none is usual.
func (s *Server) openEngine() {
	dir := s.o.Assets
	if dir == "" {
		var err error
		if dir, err = wabac.DefaultDir(); err != nil {
			return
		}
	}
	e, err := wabac.Open(dir)
	switch {
	case errors.Is(err, wabac.ErrNotInstalled):
	case err != nil:
		s.o.Problem(fmt.Errorf("the replay engine in %s is not used: %w", dir, err))
	case s.alone():
		s.notes = append(s.notes, "  the replay engine in "+dir+" is not used: it needs a host of its own for archived pages")
	default:
		s.engine = e
	}
}

// Close ends what New began. The repository stays open.
func (s *Server) Close() error {
	var all []error
	if s.exports != nil {
		s.exports.Close()
	}
	if s.stop != nil {
		s.stop()
		s.behind.Wait()
	}
	if s.search != nil {
		all = append(all, s.search.Close())
	}
	if s.missed != nil {
		all = append(all, s.missed.Close())
	}
	if s.holdings != nil {
		all = append(all, s.holdings.Close())
	}
	if s.log != nil {
		all = append(all, s.log.Close())
	}
	return errors.Join(all...)
}

// Holdings are what is served.
func (s *Server) Holdings() *holdings.Holdings { return s.holdings }

// reader says who asks our own pages.
func (s *Server) reader(r *http.Request) holdings.Reader {
	return holdings.Reader{Class: s.readers.class(r)}
}

// frame is where our own pages find a capture: with what lets this reader have it, when not everybody may. That names the package of the
// capture only, so that a page in it cannot read what is restricted elsewhere.
func (s *Server) frame(r *http.Request, in address.In, timestamp, archived string) (pages.Frame, error) {
	base := s.Replay
	if s.alone() {
		base = s.UI
	}
	f := pages.Frame{Origin: originOf(base)}
	if f.Origin == "" {
		f.Origin = "'self'"
	}
	if who := s.reader(r); who.Class != holdings.Public {
		packages, open, err := s.packagesOf(r.Context(), who, in, timestamp, archived)
		if err != nil {
			return f, err
		}
		if !open && len(packages) > 0 {
			in.Capability = s.key.Sign(replay.Capability{
				Class: who.Class, Packages: packages, Network: s.readers.byAddress(r) == who.Class, Until: s.o.Now().Add(s.o.Permission),
			})
		}
	}
	f.URL = address.Replay(base).Capture(in, timestamp, address.Page, archived)
	return f, nil
}

// packagesOf gives the packages with a capture of a URL at a moment, and those with its payload; and whether everybody may have it.
func (s *Server) packagesOf(ctx context.Context, who holdings.Reader, in address.In, timestamp, archived string) (all []string, open bool, err error) {
	packages, _ := s.holdings.InCollection(in.Collection)
	q := index.Query{URL: archived, From: timestamp, To: timestamp, Packages: packages}
	for c, err := range s.holdings.Captures(ctx, who, q) {
		if err != nil {
			return nil, false, err
		}
		open = open || c.Verdict == holdings.Open
		if !c.Allowed || len(all) >= 8 {
			continue
		}
		all = append(all, c.Package)
		if c.Payload != nil && c.Payload.Package != c.Package {
			all = append(all, c.Payload.Package) // the body of a revisit is under the rights of both
		}
	}
	return all, open, nil
}
