package server

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"quire/access/export"
	"quire/access/export/formats"
	"quire/access/pictures"
	"quire/access/thumbnail"
	"quire/access/wabac"
	"quire/holdings"
	"quire/repository/store"
)

// follow keeps the text index up to date, and with it the index of images: see [search.Beside].
func (s *Server) follow(ctx context.Context) {
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	woken, also := make(chan struct{}, 1), make(chan struct{}, 1)
	s.behind.Go(func() { s.search.Run(ctx, woken) })
	if !s.o.NoPoints {
		s.behind.Go(func() { s.makePoints(ctx, also) })
	}
	s.behind.Go(func() {
		err := s.holdings.Follow(ctx, func(holdings.Change) error {
			for _, signal := range []chan struct{}{woken, also} {
				select {
				case signal <- struct{}{}:
				default: // one is already pending
				}
			}
			return nil
		})
		if err != nil && ctx.Err() == nil {
			s.o.Problem(fmt.Errorf("the text index is no longer updated: %w", err))
		}
	})
}

// makePoints makes the points of entry into long records, after each signal and every few minutes, until the context
// ends.
func (s *Server) makePoints(ctx context.Context, woken <-chan struct{}) {
	for ctx.Err() == nil {
		if err := s.holdings.MakePoints(ctx); err != nil && ctx.Err() == nil {
			s.o.Problem(fmt.Errorf("%w; ranges of the other long records are read from the beginning", err))
		}
		timer := time.NewTimer(pointsAgain)
		select {
		case <-ctx.Done():
		case <-woken:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// pointsAgain is how long the server waits before it looks for missing points without a signal: another process may
// have made them, and stopped.
const pointsAgain = 10 * time.Minute

// openThumbnails prepares the small pictures of captures, and the search for images. Without a folder
// for them there are none.
func (s *Server) openThumbnails(ctx context.Context) {
	if s.o.NoThumbnails {
		return
	}
	var err error
	if s.small, err = thumbnail.Open(s.o.Dir, s.holdings, thumbnail.Options{Problem: s.o.Problem}); err != nil {
		s.small = nil
		s.o.Problem(fmt.Errorf("the pages have no thumbnails: %w", err))
		return
	}
	dir := filepath.Join(s.o.Dir, pictures.DirName)
	if s.pictures, err = pictures.Open(ctx, dir, s.holdings, s.o.Problem); err != nil {
		s.pictures = nil
		s.o.Problem(fmt.Errorf("images are not searched: %w", err))
	}
}

// openExports prepares the downloads.
func (s *Server) openExports(repository *store.Store) error {
	if len(s.o.Downloads) == 0 {
		return nil
	}
	if err := repository.Writable(); err != nil {
		s.o.Problem(fmt.Errorf("downloads are disabled, because they cannot be recorded in the package: %w", err))
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
		Store: repository, Holdings: s.holdings, Formats: offered, Dir: filepath.Join(s.o.Dir, "exports"),
		Limits: s.o.Exports,
		Log:    filepath.Join(s.o.Dir, "downloads.jsonl"), Problem: s.o.Problem,
	})
	return err
}

// openEngine opens the replay engine for the browser, if one is installed. Most servers have none.
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
	case s.Sites == "":
		s.notes = append(s.notes, "  the replay engine in "+dir+
			" is not used: it needs a separate host for each archived site (replay: https://*.replay.example)")
	default:
		e.Sites, e.UI = s.Sites.Origin(), s.origin()
		s.engine = e
	}
}
