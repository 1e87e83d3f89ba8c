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

// pointsPiece is how many bytes are read for points before a pause, which lasts as long as the reading: readers have
// half of the disk at least.
const pointsPiece = 4 << 20

// mostPointsErrors is how many failed packages are listed in an error.
const mostPointsErrors = 5

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
// It reads each long record once, with pauses. If another process does so, it returns at once. If it fails for a
// package, it goes on with the others, and returns the errors at the end.
func (h *Holdings) MakePoints(ctx context.Context) error {
	if h.temp != "" {
		return nil
	}
	dir := filepath.Join(h.options.Dir, PointsName)
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.Chmod(dir, 0o700)); err != nil { // earlier ones were 0755
		return err
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
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
	var failed []error
	for id, state := range there {
		for more := state != ""; more && ctx.Err() == nil; {
			if more, err = h.makePoints(ctx, id, state); err != nil {
				more = false
				failed = append(failed, fmt.Errorf("points of entry into records of package %s: %w", id, err))
			}
		}
		if errors.Is(err, points.ErrFile) {
			break // the disk is full, most likely: the others would fail after the same reading
		}
	}
	if n := len(failed); n > mostPointsErrors {
		failed = append(failed[:mostPointsErrors], fmt.Errorf("and of %d other packages", n-mostPointsErrors))
	}
	return errors.Join(append(failed, ctx.Err())...)
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
	g := &pointsRun{h: h, id: id, state: state, old: old, begun: time.Now()}
	in, err := h.index.Containers(ctx, id)
	if err != nil {
		return false, err
	}
	g.sums = map[string]string{}
	for i := range in {
		g.sums[in[i].Path] = in[i].SHA512
	}
	for range pointsTries {
		if err = g.write(ctx, path); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return g.more, err
}

// pointsTries is how often a file is begun again after a purge, or an operator, removed it before it was complete.
const pointsTries = 3

// write writes the points of the package. The error is fs.ErrNotExist if the new file was removed meanwhile.
func (g *pointsRun) write(ctx context.Context, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	g.more, g.end = false, time.Now().Add(g.h.pointsTurn)
	return points.Write(path, func() string {
		if g.more {
			return "a part of " + g.state
		}
		return g.state
	}, func(m *points.Maker) error {
		m.Progress = func(n int64) { g.pause(ctx, n) }
		return g.all(ctx, m)
	})
}

// pointsRun makes the points of one package.
type pointsRun struct {
	h     *Holdings
	id    string
	state string
	sums  map[string]string // SHA-512 of the containers, by path
	old   *points.File      // of an earlier version or turn; nil if there is none
	end   time.Time
	more  bool // the turn was over

	read  int64     // since the last pause
	begun time.Time // the end of the last pause
}

// pause waits after a piece as long as its reading took.
func (g *pointsRun) pause(ctx context.Context, n int64) {
	if g.read += n; g.read < pointsPiece {
		return
	}
	g.h.pointsPause(ctx, min(time.Since(g.begun), pointsLongest))
	g.read, g.begun = 0, time.Now()
}

// pointsLongest bounds a pause: the time of a piece also has all that was done before it.
const pointsLongest = 5 * time.Second

// sleep waits for a time, or until the context ends.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
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
		rec := &points.Record{Path: c.Record.Container, SHA512: g.sums[c.Record.Container], Place: &at,
			State: g.state}
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

// make makes the points of one record, from the first copy that has its bytes. If no copy has them, or the form of the
// record cannot be entered, the file says so: then the record is not read again before the package changes. Every
// copy that has other bytes, or cannot be read, was reported.
func (g *pointsRun) make(ctx context.Context, m *points.Maker, p *captures.Place, rec *points.Record) error {
	var stop error // no fault of the copy
	err := g.h.readCopies(ctx, p, func(f *os.File) error {
		err := m.Make(ctx, f, rec)
		_ = f.Close() // only read
		if errors.Is(err, points.ErrFile) || errors.Is(err, points.ErrUnusable) {
			stop = err
			return nil
		}
		return err
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(stop, points.ErrFile):
		return stop
	case err != nil || stop != nil:
		m.Skip(rec)
	}
	return nil
}

// From returns the body from an offset on, if the repository has points of entry into the record; otherwise nil: then
// the body must be read from its beginning. The bytes are those of Body, each verified before it is returned. If
// a copy fails in the middle, the next one is read from there.
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
		e := &entered{at: offset}
		e.open = func() bool {
			file, err := points.Open(h.pointsFile(p.Package))
			if err != nil {
				if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
					h.problem(fmt.Errorf("%w; ranges are read from the beginning. Remove the file: it is made again",
						err))
				}
				return false
			}
			body, container := (*points.Body)(nil), (*os.File)(nil)
			err = h.readCopies(ctx, p, func(f *os.File) error {
				b, err := file.Enter(ctx, f, &rec, e.at)
				if err != nil {
					_ = f.Close() // only read
				}
				if errors.Is(err, points.ErrUnusable) {
					return nil // no fault of the copy
				}
				body, container = b, f
				return err
			})
			if err != nil || body == nil {
				_ = file.Close() // only read
				return false
			}
			e.body, e.container, e.points = body, container, file
			return true
		}
		if !e.open() {
			return nil
		}
		return e
	}
}

// entered is a body that was entered in the middle. After an error it goes on in another copy.
type entered struct {
	body      *points.Body
	container *os.File
	points    *points.File
	at        int64       // the offset of the next Read
	open      func() bool // enters a copy that has the bytes from there
	once      sync.Once
}

// Read implements io.Reader. Each copy that is entered has at least the next piece, so there is an end to this.
func (e *entered) Read(p []byte) (int, error) {
	for {
		n, err := e.body.Read(p)
		e.at += int64(n)
		if n > 0 || err == nil || errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
			return n, err
		}
		container, file := e.container, e.points
		if !e.open() {
			return 0, err
		}
		_ = errors.Join(container.Close(), file.Close()) // only read
	}
}

// Close implements io.Closer.
func (e *entered) Close() (err error) {
	e.once.Do(func() { err = errors.Join(e.container.Close(), e.points.Close()) })
	return err
}
