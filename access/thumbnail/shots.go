package thumbnail

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/disk"
)

// ShotsName is the folder of the thumbnails that a browser made, in the folder of derived access data. It can be
// removed at any time.
const ShotsName = "shots"

// Shots keeps thumbnails of pages that a browser made (package screenshot). It is safe for concurrent use, also by
// several processes.
//
// A shot shows the page with its images, frames and all other parts. So its file lists the captures of all of
// them, and each is judged again before the shot is shown.
type Shots struct {
	h     *holdings.Holdings
	cache *cache
}

// OpenShots prepares the shots below a folder, REPO/access.
func OpenShots(dir string, h *holdings.Holdings) (*Shots, error) {
	c, err := openCache(filepath.Join(dir, ShotsName), roomForShots)
	if err != nil {
		return nil, fmt.Errorf("opening the folder of pages shown by a browser: %w", err)
	}
	return &Shots{h, c}, nil
}

// shot is the first line of a file. The picture follows; without one, the browser could not show the page.
type shot struct {
	Parts []captures.Capture `json:"parts"` // all that was handed to the browser; first the page

	// Without a picture: the time from which another attempt is worth it; zero if none is.
	Until time.Time `json:"until,omitzero"`
}

// shotName returns the file name for a page. Parts depend on the moment, so it counts, too.
func shotName(c *captures.Capture) string { return nameOf(c, "shot", c.URL, c.Timestamp) }

// Has reports whether there is a shot of a page, or the browser could not show it and another attempt is not worth it
// at this moment.
func (s *Shots) Has(c *captures.Capture, now time.Time) bool {
	content, known, err := s.cache.get(shotName(c))
	if !known || err != nil {
		return false
	}
	of, picture, ok := readShot(content)
	return !ok || len(picture) > 0 || of.Until.IsZero() || now.Before(of.Until)
}

// Of returns the shot of a page that the reader may see, as JPEG. The error is [ErrNone] if there is none for this
// reader, because the browser showed a part that is closed to the reader.
func (s *Shots) Of(who holdings.Reader, c *captures.Capture) ([]byte, error) {
	if place(c).SHA256 == "" {
		return nil, ErrNone
	}
	content, known, err := s.cache.get(shotName(c))
	if err != nil {
		return nil, err
	}
	of, picture, ok := readShot(content)
	if !known || !ok || len(picture) == 0 || !s.allowed(who, of.Parts) {
		return nil, ErrNone
	}
	return picture, nil
}

// readShot returns the first line and the picture of a file.
func readShot(content []byte) (of shot, picture []byte, ok bool) {
	head, picture, ok := bytes.Cut(content, []byte("\n"))
	if !ok || json.Unmarshal(head, &of) != nil || len(of.Parts) == 0 {
		return shot{}, nil, false
	}
	return of, picture, true
}

// allowed reports whether a reader may see all parts now.
func (s *Shots) allowed(who holdings.Reader, parts []captures.Capture) bool {
	judge := s.h.Judging()
	for i := range parts {
		if !judge(who, &parts[i]).Allowed {
			return false
		}
	}
	return true
}

// Put keeps a shot of a page, with the captures of all its parts. Without a picture, it keeps that the browser could
// not show the page, until a moment; if that is zero, for ever. kept is false if a part is no longer open to the
// public.
func (s *Shots) Put(ctx context.Context, page *captures.Capture, parts []captures.Capture, picture []byte,
	until time.Time) (kept bool, err error) {
	if place(page).SHA256 == "" {
		return false, nil
	}
	text, err := json.Marshal(shot{append([]captures.Capture{*page}, parts...), until})
	if err != nil {
		return false, err
	}
	name := shotName(page)
	if err := s.cache.put(name, append(append(text, '\n'), picture...)); err != nil {
		return false, err
	}
	// A withdrawal first closes the content, then clears the shots. So it finds this file, or this question finds
	// the withdrawal.
	closed, err := s.closed(ctx, name)
	if closed || err != nil {
		return false, errors.Join(err, s.cache.remove(name))
	}
	return true, nil
}

// closed reports whether a part of a shot is no longer open to the public, or its file is not one.
func (s *Shots) closed(ctx context.Context, name string) (bool, error) {
	if _, err := s.h.Stamp(ctx); err != nil { // reads changes
		return true, err
	}
	content, known, err := s.cache.get(name)
	if err != nil || !known {
		return false, err
	}
	of, _, ok := readShot(content)
	return !ok || !s.allowed(holdings.Reader{Class: holdings.Public}, of.Parts), nil
}

// ClearShots removes the shots below a folder, REPO/access, that show content which is no longer open to the public.
// A withdrawal and a purge do so.
func ClearShots(ctx context.Context, dir string, h *holdings.Holdings) error {
	folder := filepath.Join(dir, ShotsName)
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	s := &Shots{h, &cache{dir: folder}}
	for _, e := range entries {
		closed, err := s.closed(ctx, e.Name())
		if err != nil {
			return err
		}
		if closed {
			if err := s.cache.remove(e.Name()); err != nil {
				return err
			}
		}
	}
	return disk.SyncFolder(folder)
}
