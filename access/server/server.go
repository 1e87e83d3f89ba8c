// Package server is what readers meet: our own pages on one host, archived pages on another, and
// what machines ask. docs/operations/855_serve.md says how it is set up,
// docs/reference/545_replay.md what is answered to what.
//
// There are two hosts because what is archived was written by strangers: on the host of our pages
// it could act as the reader who is signed in there. And archived sites are strangers to each
// other: each has a host of its own, or the browser shuts its pages into a sandbox.
package server

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"quire/access/address"
	"quire/access/cdxserver"
	"quire/access/export"
	"quire/access/missed"
	"quire/access/pages"
	"quire/access/replay"
	"quire/access/rewrite"
	"quire/access/search"
	"quire/holdings"
	"quire/repository/store"
)

// Options say where a server stands, and with what.
type Options struct {
	Config
	Dir  string // where what is made for readers is kept; as holdings.Options has it when it is ""
	Root string // the URL at which it listens

	// ReplayHost is another name of the same host for archived pages: NAME, NAME:PORT, or a URL;
	// *.NAME for a host of its own for each archived site. It wins over the configuration.
	ReplayHost string

	Problem  func(error)
	Progress func(holdings.Progress)
	Now      func() time.Time // time.Now when nil
	Location *time.Location   // of the days of rights; time.Local when nil
}

// Server is a handler of both hosts.
type Server struct {
	UI, Replay string         // at which URLs readers find them; "" for whatever host they ask
	Sites      address.Replay // where each archived site has a host of its own, with a wildcard; "" when none has

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
	pages    *pages.Pages
	words    []*pages.Words
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
	if err = s.named(); err != nil {
		return s, err
	}
	if s.words, err = o.words(); err != nil {
		return s, err
	}
	if s.log, err = openLog(o.Log); err != nil {
		return s, err
	}
	if s.holdings, err = holdings.Of(ctx, repository, holdings.Options{
		Dir: o.Dir, Rules: o.Rules, Unstated: holdings.Verdict(o.Unstated), Location: o.Location, Now: o.Now,
		Problem: o.Problem, Progress: o.Progress,
	}); err != nil {
		return s, err
	}
	s.o.Dir = s.holdings.Dir()
	if s.key, err = replay.OpenKey(s.o.Dir); err != nil {
		return s, err
	}
	if s.search, err = search.Open(ctx, filepath.Join(s.o.Dir, "text"), s.holdings,
		search.Options{Problem: o.Problem}); err != nil {
		return s, err
	}
	s.missed = missed.Open(s.o.Dir, s.holdings)
	s.follow(ctx)
	s.listed = &cdxserver.Server{Holdings: s.holdings}
	if err = s.openExports(repository); err != nil {
		return s, err
	}
	s.openEngine()
	return s, s.handlers()
}

// Connections is how many clients are served at the same time.
func (s *Server) Connections() int { return s.o.Connections }

func (s *Server) handlers() error {
	base := s.Replay
	if s.alone() {
		base = s.UI
	}
	s.replayed = replay.New(s.holdings, replay.Options{
		UI: address.UI(s.UI), Base: address.Replay(base), Sites: s.Sites, Path: pathOf(base), Origin: s.origin(),
		Key: s.key, Class: s.readers.byAddress, CDX: s.cdx, Problem: s.o.Problem, Now: s.o.Now,
	})
	s.scripts = rewrite.Assets(pathOf(base) + "/")
	var err error
	s.pages, err = pages.New(s.holdings, pages.Options{
		Name: s.o.Name, About: s.o.About, UI: address.UI(pathOf(s.UI)), Public: originOf(s.UI), Reader: s.reader,
		Replay: s.frame, Search: s.search, Missed: s.missed, Words: s.words,
		Downloads: s.o.Downloads, Now: s.o.Now, Problem: s.o.Problem,
	})
	return err
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
