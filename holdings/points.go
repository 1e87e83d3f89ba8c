package holdings

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"quire/format/warc"
	"quire/holdings/captures"
	"quire/holdings/points"
	"quire/internal/filelock"
	"quire/repository/stored"
)

// PointsName is the folder of points of entry in the folder of derived access data. It can be removed.
const PointsName = "points"

// pointsTurn is how long points of one package are made before they are put in place: a restart then repeats little.
const pointsTurn = 5 * time.Minute

// pointsFile returns the path of the points of a package.
func (h *Holdings) pointsFile(id string) string {
	dir := h.options.Dir
	if h.temp != "" {
		dir = h.from
	}
	sum := sha256.Sum256([]byte(id))
	name := hex.EncodeToString(sum[:16])
	return filepath.Join(dir, PointsName, name[:2], name)
}

// MakePoints makes the points of entry into long records that lack them, and removes those of packages that are gone.
// It reads each long record once. If another process does so, it returns at once.
func (h *Holdings) MakePoints(ctx context.Context) error {
	if h.temp != "" {
		return nil
	}
	dir := filepath.Join(h.options.Dir, PointsName)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // this also releases the lock
	if err := filelock.Try(lock); errors.Is(err, filelock.ErrHeld) {
		return nil
	} else if err != nil {
		return err
	}
	there, err := h.Indexed(ctx)
	if err != nil {
		return err
	}
	if err := h.dropPoints(dir, there); err != nil {
		return err
	}
	for id, state := range there {
		for more := state != ""; more; {
			if more, err = h.makePoints(ctx, id, state); err != nil {
				return fmt.Errorf("points of entry into records of package %s: %w", id, err)
			}
		}
	}
	return ctx.Err()
}

// dropPoints removes the points of packages that are not there, and the leftovers of an interrupted run.
func (h *Holdings) dropPoints(dir string, there map[string]string) error {
	keep := map[string]bool{filepath.Join(dir, "lock"): true}
	for id := range there {
		keep[h.pointsFile(id)] = true
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || keep[path] {
			return err
		}
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// clearPoints removes the points of packages that are gone. It does not wait for another process that makes points: the
// unfinished file of that process is removed, too, and it starts this file again.
func (h *Holdings) clearPoints(ctx context.Context) error {
	dir := filepath.Join(h.options.Dir, PointsName)
	if _, err := os.Stat(dir); h.temp != "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	there, err := h.Indexed(ctx)
	if err != nil {
		return err
	}
	return h.dropPoints(dir, there)
}

// makePoints makes the points of a package that lacks them, until its turn is over: then there is more to do.
func (h *Holdings) makePoints(ctx context.Context, id, state string) (more bool, err error) {
	path := h.pointsFile(id)
	old, err := points.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, points.ErrUnusable):
		old = nil
	case err != nil:
		return false, err
	case old.Is(state):
		return false, old.Close()
	default:
		defer func() { _ = old.Close() }() // only read
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, err
	}
	g := &pointsRun{h: h, id: id, old: old, end: time.Now().Add(pointsTurn)}
	in, err := h.index.Containers(ctx, id)
	if err != nil {
		return false, err
	}
	g.sums = map[string]string{}
	for i := range in {
		g.sums[in[i].Path] = in[i].SHA512
	}
	err = points.Write(path, func() string {
		if g.more {
			return "a part of " + state
		}
		return state
	}, func(m *points.Maker) error { return g.all(ctx, m) })
	return g.more, err
}

// pointsRun makes the points of one package.
type pointsRun struct {
	h    *Holdings
	id   string
	sums map[string]string // SHA-512 of the containers, by path
	old  *points.File      // of an earlier version or turn; nil if there is none
	end  time.Time
	more bool // the turn was over
}

// all adds the long records of the package.
func (g *pointsRun) all(ctx context.Context, m *points.Maker) error {
	made := 0
	for c, err := range g.h.index.Captures(ctx, captures.Query{Packages: []string{g.id}}) {
		if err != nil {
			return err
		}
		if c.Type == warc.TypeRevisit || len(c.Record.Segments) > 0 || c.Record.Body < points.Least {
			continue
		}
		at, err := c.Record.At(c.Type)
		if err != nil || !points.Suits(&at) || c.Chunked {
			continue
		}
		rec := &points.Record{Path: c.Record.Container, SHA512: g.sums[c.Record.Container], Place: &at}
		if g.old != nil {
			if kept, err := m.Keep(g.old, rec); kept {
				continue
			} else if err != nil && !errors.Is(err, points.ErrUnusable) {
				return err
			}
		}
		if made > 0 && time.Now().After(g.end) {
			g.more = true // the rest of the old ones is still kept
			continue
		}
		if err := g.make(ctx, m, &c.Record, rec); err != nil {
			return err
		}
		made++
	}
	return nil
}

// make makes the points of one record, from the first copy that has its bytes. A record that no copy has is left out:
// every copy with other bytes was reported.
func (g *pointsRun) make(ctx context.Context, m *points.Maker, p *captures.Place, rec *points.Record) error {
	var failed error // of the file of points itself
	err := g.h.readCopies(ctx, p, func(f *os.File) error {
		err := m.Make(ctx, f, rec)
		_ = f.Close() // only read
		if !errors.Is(err, stored.ErrOther) {
			failed = err
			return nil
		}
		return err
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && !errors.Is(failed, points.ErrUnusable) {
		return failed
	}
	return nil
}

// From returns the body from an offset on, if the repository has points of entry into the record; otherwise nil: then
// the body must be read from its beginning. The bytes are those of Body, each verified before it is returned. After
// an error in the middle, a further call may find them in another copy.
func (c *Content) From(ctx context.Context, offset int64) io.ReadCloser {
	if c.enter == nil {
		return nil
	}
	return c.enter(ctx, offset)
}

// enterable lets readers enter a body that is not in memory.
func (h *Holdings) enterable(out *Content, p *captures.Place, at *stored.Place) {
	if at.Body < points.Least || out.Length != at.Body {
		return // short, or sent in chunks: then places in the record are none of the body
	}
	rec := points.Record{Path: p.Container, Place: at}
	out.enter = func(ctx context.Context, offset int64) io.ReadCloser {
		file, err := points.Open(h.pointsFile(p.Package))
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				h.problem(fmt.Errorf("%w; ranges are read from the beginning. Remove the file: it is made again", err))
			}
			return nil
		}
		entered := &entered{points: file}
		err = h.readCopies(ctx, p, func(f *os.File) error {
			body, err := file.Enter(ctx, f, &rec, offset)
			if err != nil {
				_ = f.Close() // only read
			}
			if errors.Is(err, points.ErrUnusable) {
				return nil // no fault of the copy
			}
			entered.Body, entered.container = body, f
			return err
		})
		if err != nil || entered.Body == nil {
			_ = file.Close() // only read
			return nil
		}
		return entered
	}
}

// entered is a body that was entered in the middle.
type entered struct {
	*points.Body
	container *os.File
	points    *points.File
	once      sync.Once
}

// Close implements io.Closer.
func (e *entered) Close() (err error) {
	e.once.Do(func() { err = errors.Join(e.container.Close(), e.points.Close()) })
	return err
}
