// Package server serves readers and machines: our own pages on one host, archived pages on another.
// docs/operations/855_serve.md describes its configuration, docs/reference/545_replay.md its
// requests and responses.
//
// There are two hosts because strangers wrote the archived pages: on the host of our pages they
// could act for the signed-in reader. Archived sites are strangers to each other, too: each has its
// own host, or the browser sandboxes its pages.
package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"quire/access/address"
	"quire/access/cdxserver"
	"quire/access/export"
	"quire/access/missed"
	"quire/access/near"
	"quire/access/pages"
	"quire/access/pages/uistrings"
	"quire/access/pictures"
	"quire/access/replay"
	"quire/access/rewrite"
	"quire/access/search"
	"quire/access/siterules"
	"quire/access/statement"
	"quire/access/thumbnail"
	"quire/holdings"
	"quire/repository/store"
)

// Options configures a server.
type Options struct {
	Config
	Dir  string // folder of derived data; "" means the default of holdings.Options
	Root string // URL of the listener

	// ReplayHost is another name of the same host for archived pages: NAME, NAME:PORT, or a URL;
	// *.NAME gives each archived site its own host. It overrides the configuration.
	ReplayHost string

	Problem  func(error)
	Progress func(holdings.Progress)
	Now      func() time.Time // nil means time.Now
	Location *time.Location   // for dates in rights; nil means time.Local
}

// Server is the handler of both hosts.
type Server struct {
	UI, Replay string         // public URLs; "" means the requested host
	Sites      address.Replay // URL with a wildcard if each archived site has its own host; else ""

	o        Options
	notes    []string // for Greeting
	holdings *holdings.Holdings
	search   search.Engine
	missed   *missed.Lists
	small    *thumbnail.Thumbnails // nil if there are none
	pictures *pictures.Pictures    // nil if images are not searched
	stop     context.CancelFunc    // stops the background tasks
	behind   sync.WaitGroup
	readers  *readers
	key      *replay.Key
	replayed *replay.Handler
	pages    *pages.Pages
	words    []*uistrings.Strings
	engine   http.Handler // nil if not installed
	scripts  http.Handler
	listed   *cdxserver.Server
	exports  *export.Handler // nil if downloads are disabled
	log      *accessLog

	statements *statement.Keys
	siteRules  *siterules.Live
}

// New opens a repository for readers, and starts the background tasks.
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
	if s.siteRules, err = siterules.Follow(o.SiteRules, o.Problem); err != nil {
		return s, err
	}
	if s.words, err = o.uiStrings(); err != nil {
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
	if err = s.keys(); err != nil {
		return s, err
	}
	s.openThumbnails(ctx)
	indexing := search.Options{Problem: o.Problem, Now: o.Now}
	if s.pictures != nil {
		indexing.Beside = s.pictures
	}
	if s.search, err = search.OpenEngine(ctx, filepath.Join(s.o.Dir, "text"), s.holdings, o.Search,
		indexing); err != nil {
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

// Connections returns the maximum of concurrent clients.
func (s *Server) Connections() int { return s.o.Connections }

func (s *Server) handlers() error {
	base := s.Replay
	if s.alone() {
		base = s.UI
	}
	s.replayed = replay.New(s.holdings, replay.Options{
		UI: address.UI(s.UI), Base: address.Replay(base), Sites: s.Sites, Path: pathOf(base), Origin: s.origin(),
		Key: s.key, Class: s.readers.byAddress, CDX: s.cdx, Words: uistrings.NewChoice(s.words...),
		Wanted: s.wanted, Rules: s.siteRules.Now,
		Problem: s.o.Problem, Now: s.o.Now,
	})
	s.scripts = rewrite.Assets(pathOf(base) + "/")
	var err error
	o := pages.Options{
		Name: s.o.Name, About: s.o.About, UI: address.UI(pathOf(s.UI)), Public: originOf(s.UI), Reader: s.reader,
		Classes: len(s.o.OnSite)+len(s.o.Staff) > 0, Sitemap: s.o.Sitemap,
		Replay: s.frame, Search: s.search, Links: s.search, Missed: s.missed, Keys: s.statements, Words: s.words,
		Thumbnails: s.small != nil, Rules: s.siteRules.Now,
		Downloads: s.o.Downloads, Now: s.o.Now, Problem: s.o.Problem,
	}
	if s.pictures != nil {
		o.Pictures = s.pictures
	}
	s.pages, err = pages.New(s.holdings, o)
	return err
}

// Close stops the background tasks. The repository stays open.
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
	if s.small != nil {
		all = append(all, s.small.Close())
	}
	if s.pictures != nil {
		all = append(all, s.pictures.Close())
	}
	if s.holdings != nil {
		all = append(all, s.holdings.Close())
	}
	if s.log != nil {
		all = append(all, s.log.Close())
	}
	return errors.Join(all...)
}

// Holdings returns the served holdings.
func (s *Server) Holdings() *holdings.Holdings { return s.holdings }

// wanted returns the attempts of crawlers to capture a URL without a capture.
func (s *Server) wanted(ctx context.Context, who holdings.Reader, q near.Question) []near.Want {
	all, err := near.Wanted(ctx, s.holdings, s.missed, who, q)
	if err != nil && ctx.Err() == nil {
		s.o.Problem(fmt.Errorf("the logs about %s: %w", q.URL, err))
	}
	return all
}
