package holdings_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quire/holdings"
	"quire/holdings/holdingstest"
)

// pointsFiles returns the complete files of points, and their bytes.
func pointsFiles(t *testing.T, h *holdings.Holdings) (all map[string]int64) {
	t.Helper()
	all = map[string]int64{}
	dir := filepath.Join(h.Dir(), holdings.PointsName)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: others may read it: %v, %v", path, info, err)
		}
		if name := d.Name(); !d.IsDir() && name != "lock" && !strings.HasPrefix(name, ".") {
			all[path] = info.Size()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// films stores a package with two films, compressed.
func films(t *testing.T, r *holdingstest.Repository, id, body string) {
	t.Helper()
	r.Ingest(holdingstest.Package{ID: id, Rights: "access: open", Containers: map[string]string{
		id + "1.warc.gz": gzipped(t, holdingstest.Response("1", "http://a.example/1"+id, date1, "video/mp4", body)),
		id + "2.warc.gz": gzipped(t, holdingstest.Response("2", "http://a.example/2"+id, date1, "video/mp4", body)),
	}})
}

// enter reads a body from a place on.
func enter(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, url string, at int64) (string, error) {
	t.Helper()
	content, err := h.Read(t.Context(), public, r.Find(h, public, url)[0].Capture)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = content.Body.Close() }()
	in := content.From(t.Context(), at)
	if in == nil {
		return "", errors.New("not entered")
	}
	defer func() { _ = in.Close() }()
	got, err := io.ReadAll(in)
	return string(got), err
}

// TestPointsOfDamagedRecords: a record that no copy has is read once, though each turn makes one record only, and not
// again before its package changes. The other records have points.
func TestPointsOfDamagedRecords(t *testing.T) {
	t.Parallel()
	body := film()
	r := holdingstest.New(t)
	films(t, r, "p", body)
	films(t, r, "q", body)
	for _, name := range []string{"copy-1", "copy-2"} {
		spoil(t, r.Dir, name, "p1.warc.gz", 0.4, 0.5)
	}
	var problems atomic.Int64
	h := r.Open(holdings.Options{Problem: func(error) { problems.Add(1) }})
	pauses := 0
	h.SetPoints(0, func(context.Context, time.Duration) {
		if pauses++; pauses > 100 {
			t.Fatal("the damaged record is read again and again")
		}
	})
	for range 2 {
		if err := h.MakePoints(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if problems.Load() != 2 || pauses == 0 {
		t.Errorf("%d reports of 2 damaged copies, %d pauses", problems.Load(), pauses)
	}
	if n := len(pointsFiles(t, h)); n != 2 {
		t.Errorf("%d files of points, want 2", n)
	}
	for _, url := range []string{"http://a.example/2p", "http://a.example/1q", "http://a.example/2q"} {
		if got, err := enter(t, r, h, url, 9_000_000); err != nil || got != body[9_000_000:] {
			t.Errorf("%s: %d bytes, %v", url, len(got), err)
		}
	}
}

// TestPointsOfUnreadableCopies: if a record cannot be read in a copy, the points are made from the next one; if the
// points of one package cannot be written, those of the others are made.
func TestPointsOfUnreadableCopies(t *testing.T) {
	t.Parallel()
	body := film()
	r := holdingstest.New(t)
	films(t, r, "p", body)
	films(t, r, "q", body)
	h := r.Open(holdings.Options{Problem: func(error) {}})
	empty(t, filepath.Join(r.Dir, "copy-1"), "p1.warc.gz")
	empty(t, filepath.Join(r.Dir, "copy-2"), "p2.warc.gz")
	h.SetPoints(time.Hour, func(context.Context, time.Duration) {})
	if err := h.MakePoints(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{"http://a.example/1p", "http://a.example/2p"} {
		if got, err := enter(t, r, h, url, 9_000_000); err != nil || got != body[9_000_000:] {
			t.Errorf("%s: %d bytes, %v", url, len(got), err)
		}
	}
	for path := range pointsFiles(t, h) {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(path, "in the way"), 0o700); err != nil {
			t.Fatal(err)
		}
		err := h.MakePoints(t.Context())
		if err == nil || !strings.Contains(err.Error(), "of package ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("a folder in the way: %v", err)
		}
		if n := len(pointsFiles(t, h)); n != 1 {
			t.Errorf("a folder in the way: %d files of points, want 1", n)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
}

// empty empties a file.
func empty(t *testing.T, dir, name string) {
	t.Helper()
	found := ""
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if filepath.Base(path) == name {
			found = path
		}
		return err
	})
	if err == nil {
		err = errors.Join(os.Chmod(found, 0o600), os.Truncate(found, 0))
	}
	if err != nil {
		t.Fatal(fmt.Errorf("%q: %w", found, err))
	}
}

// TestPointsBegunAgain: if a purge removes an unfinished file of points, the maker begins it again.
func TestPointsBegunAgain(t *testing.T) {
	t.Parallel()
	body := film()
	r := holdingstest.New(t)
	films(t, r, "p", body)
	h := r.Open(holdings.Options{Problem: func(err error) { t.Error(err) }})
	removed := 0
	h.SetPoints(time.Hour, func(context.Context, time.Duration) {
		unfinished, err := filepath.Glob(filepath.Join(h.Dir(), holdings.PointsName, "*", ".quire-*"))
		if removed > 0 {
			return
		}
		if err != nil || len(unfinished) != 1 {
			t.Errorf("unfinished files: %q, %v", unfinished, err)
			return
		}
		removed++
		if err := os.Remove(unfinished[0]); err != nil {
			t.Error(err)
		}
	})
	if err := h.MakePoints(t.Context()); err != nil || removed != 1 {
		t.Fatalf("removed %d times: %v", removed, err)
	}
	if got, err := enter(t, r, h, "http://a.example/2p", 9_000_000); err != nil || got != body[9_000_000:] {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestEnteredGoesOn: if a copy fails after the first pieces, the next one is read from there, and the damage is
// reported.
func TestEnteredGoesOn(t *testing.T) {
	t.Parallel()
	body := film()
	r := holdingstest.New(t)
	films(t, r, "p", body)
	var problems atomic.Int64
	h := r.Open(holdings.Options{Problem: func(error) { problems.Add(1) }})
	if err := h.MakePoints(t.Context()); err != nil {
		t.Fatal(err)
	}
	spoil(t, r.Dir, "copy-1", "p1.warc.gz", 0.5, 0.51)
	spoil(t, r.Dir, "copy-2", "p1.warc.gz", 0.8, 0.81) // then no copy has the rest
	got, err := enter(t, r, h, "http://a.example/1p", 1_000_000)
	if len(got) < 6_000_000 || !strings.HasPrefix(body[1_000_000:], got) {
		t.Errorf("%d bytes, or others: %v", len(got), err)
	}
	if problems.Load() == 0 {
		t.Error("the damaged copies were not reported")
	}
	spoil(t, r.Dir, "copy-1", "p2.warc.gz", 0.5, 0.51)
	if got, err := enter(t, r, h, "http://a.example/2p", 1_000_000); err != nil || got != body[1_000_000:] {
		t.Errorf("one copy is whole: %d bytes, %v", len(got), err)
	}
}
