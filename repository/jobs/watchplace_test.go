package jobs_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quire/repository/jobs"
)

// watched looks once at a place, and returns what was seen of each delivery, by its name.
func watched(t *testing.T, q *jobs.Queue, folder, spool, how string, command ...string) map[string]jobs.Arrival {
	t.Helper()
	seen := map[string]jobs.Arrival{}
	o := jobs.WatchOptions{Sources: []string{"file://" + folder}, Spool: spool, Once: true,
		Call: func(path, source string) (jobs.Call, error) {
			c := a(append(slices.Clone(command), path)...)
			c.Source = source
			return c, nil
		},
		Log: func(x jobs.Arrival) { seen[strings.TrimPrefix(x.Path, "file://"+folder+"/")] = x }}
	if err := o.Complete.UnmarshalText([]byte(how)); err != nil {
		t.Fatal(err)
	}
	if err := q.Watch(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return seen
}

func names(seen map[string]jobs.Arrival) string {
	var all []string
	for name, x := range seen {
		if x.Error != "" {
			name += "!"
		}
		all = append(all, name)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func inSpool(t *testing.T, spool string) int {
	t.Helper()
	entries, err := os.ReadDir(spool)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return len(entries)
}

func oneQueue(t *testing.T) *jobs.Queue {
	t.Helper()
	return opened(t, jobs.Place{Root: t.TempDir(), File: filepath.Join(t.TempDir(), "c.db")})
}

// TestWatchPlace fetches deliveries that are complete, once each, again after a change, and removes those whose job
// is done.
func TestWatchPlace(t *testing.T) {
	t.Parallel()
	q, dir, spool := oneQueue(t), t.TempDir(), filepath.Join(t.TempDir(), "spool")
	for _, name := range []string{"inside/data", "inside/complete", "beside/a/data", "beside.complete", "none/data",
		".hidden/complete", "file.warc", "file.warc.complete", "file.warc.more", "inside-2/data"} {
		write(t, filepath.Join(dir, name), name)
	}
	look := func(want string, command ...string) map[string]jobs.Arrival {
		t.Helper()
		seen := watched(t, q, dir, spool, "marker", command...)
		if got := names(seen); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		return seen
	}
	seen := look("beside file.warc inside", "status", "0")
	for name, inside := range map[string]string{"inside": "data", "beside": "a/data", "file.warc": ""} {
		text, err := os.ReadFile(filepath.Join(seen[name].Fetched, inside))
		if err != nil || string(text) != filepath.ToSlash(filepath.Join(name, inside)) ||
			filepath.Base(seen[name].Fetched) != name {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		if j := job(t, q, seen[name].Job); j.Source != "file://"+dir {
			t.Errorf("%s: %+v", name, j)
		}
	}
	look("")
	write(t, filepath.Join(dir, "none", "complete"), "")
	failed := look("none", "status", "1")["none"]
	write(t, filepath.Join(dir, "inside", "more"), "x")
	again := look("inside", "status", "0")["inside"]
	if again.Fetched == seen["inside"].Fetched || !there(filepath.Join(again.Fetched, "more")) {
		t.Errorf("after a change: %+v", again)
	}
	if n := inSpool(t, spool); n != 10 {
		t.Errorf("before the jobs ended, the spool has %d entries", n)
	}
	drain(t, q)
	look("")
	if n := inSpool(t, spool); n != 2 || !there(filepath.Join(failed.Fetched, "data")) {
		t.Errorf("after the jobs ended, the spool has %d entries; want the delivery with problems", n)
	}
}

// TestWatchPlaceManifest compares the digests of what was fetched.
func TestWatchPlaceManifest(t *testing.T) {
	t.Parallel()
	q, dir, spool := oneQueue(t), t.TempDir(), t.TempDir()
	right := fmt.Sprintf("%x  data/a\n", sha256.Sum256([]byte("text")))
	for name, text := range map[string]string{"good/data/a": "text", "wrong/data/a": "Text", "late/b": "x",
		"out/data/a": "text"} {
		write(t, filepath.Join(dir, name), text)
	}
	for name, manifest := range map[string]string{"good": right, "wrong": right, "late": right, "out": "00  ../x\n"} {
		write(t, filepath.Join(dir, name, "manifest-sha256.txt"), manifest)
	}
	if got := names(watched(t, q, dir, spool, "manifest", "status", "0")); got != "good out! wrong!" {
		t.Errorf("%q", got)
	}
	if n := inSpool(t, spool); n != 2 { // the good one, with its job
		t.Errorf("the spool has %d entries", n)
	}
	write(t, filepath.Join(dir, "late", "data", "a"), "text")
	if got := names(watched(t, q, dir, spool, "manifest", "status", "0")); got != "late out! wrong!" {
		t.Errorf("then %q", got)
	}
}

// TestWatchPlaceAge fetches what has not changed for some time.
func TestWatchPlaceAge(t *testing.T) {
	t.Parallel()
	q, dir := oneQueue(t), t.TempDir()
	write(t, filepath.Join(dir, "old", "a"), "x")
	write(t, filepath.Join(dir, "new", "a"), "x")
	hour := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "old", "a"), hour, hour); err != nil {
		t.Fatal(err)
	}
	if got := names(watched(t, q, dir, t.TempDir(), "age:10m", "status", "0")); got != "old" {
		t.Errorf("%q", got)
	}
}

// TestWatchAway: a source that is away later ends no watch, and is reported once. The folder may go in the middle of a
// look, so that a delivery in it may be reported, too.
func TestWatchAway(t *testing.T) {
	t.Parallel()
	q, dir := oneQueue(t), t.TempDir()
	for _, source := range []string{filepath.Join(dir, "folder"), "file://" + filepath.Join(dir, "place")} {
		folder := strings.TrimPrefix(source, "file://")
		o := jobs.WatchOptions{Sources: []string{source}, Spool: t.TempDir(), Every: time.Millisecond,
			Call: func(path, _ string) (jobs.Call, error) { return a("status", "0", path), nil }}
		if err := o.Complete.UnmarshalText([]byte("marker")); err != nil {
			t.Fatal(err)
		}
		if err := q.Watch(t.Context(), o); err == nil {
			t.Errorf("%s is not there, and is watched", source)
		}
		write(t, filepath.Join(folder, "late", "data"), "x")
		write(t, filepath.Join(folder, "ready", "complete"), "x")
		seen := &sourceLog{source: source}
		o.Log = seen.add
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- q.Watch(ctx, o) }()
		until(t, func() bool { return len(seen.jobs()) == 1 })
		if err := os.Rename(folder, folder+".away"); err != nil {
			t.Fatal(err)
		}
		until(t, func() bool { return seen.failures() > 0 })
		time.Sleep(50 * time.Millisecond) // some looks that report nothing
		write(t, filepath.Join(folder+".away", "late", "complete"), "x")
		if err := os.Rename(folder+".away", folder); err != nil {
			t.Fatal(err)
		}
		until(t, func() bool { return len(seen.jobs()) == 2 })
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		// A look that the renaming interrupts may have a reason of its own.
		jobs, failures := seen.jobs(), seen.failures()
		if filepath.Base(jobs[0]) != "ready" || filepath.Base(jobs[1]) != "late" || failures > 2 {
			t.Errorf("%v, and %d failures", jobs, failures)
		}
	}
}

// sourceLog keeps the arrivals of a source that a watch reports.
type sourceLog struct {
	source string
	mu     sync.Mutex
	seen   []jobs.Arrival
}

func (a *sourceLog) add(x jobs.Arrival) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen = append(a.seen, x)
}

// jobs returns the deliveries that became jobs.
func (a *sourceLog) jobs() (paths []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, x := range a.seen {
		if x.Job != 0 {
			paths = append(paths, x.Path)
		}
	}
	return paths
}

// failures returns how often the source itself was reported.
func (a *sourceLog) failures() (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, x := range a.seen {
		if x.Path == a.source && x.Error != "" {
			n++
		}
	}
	return n
}
