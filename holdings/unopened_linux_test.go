package holdings_test

import (
	"context"
	"path/filepath"
	"testing"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/payloads"
	"quire/internal/prove"
	"quire/internal/repotest"
	"quire/preserve/dedup"
)

// TestNoContainerIsOpened: a thousand packages are indexed for readers, for lists of records and
// for dedup, without opening a container.
func TestNoContainerIsOpened(t *testing.T) {
	ctx, packages := t.Context(), prove.Rounds(50, 200, 1000)
	r := repotest.New(t)
	r.IngestMany(packages)
	o, watched := r.WatchContainers()
	if watched != 2*packages {
		t.Fatalf("%d containers in both copies", watched)
	}
	told := func(err error) { t.Error(err) }
	h, err := holdings.Of(ctx, r.Store, holdings.Options{Dir: filepath.Join(r.Dir, "repo", "access"), Problem: told})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	var last *captures.Capture
	n := 0
	for c, err := range h.Captures(ctx, holdings.Reader{Class: holdings.Public}, captures.Query{}) {
		if err != nil || !c.Allowed {
			t.Fatal(c, err)
		}
		n++
		last = c.Capture
	}
	if n != 2*packages || o.Count() != 0 {
		t.Errorf("readers find %d captures", n)
	}
	if got := records(ctx, t, r, told); got != 3*packages {
		t.Errorf("lists have %d records", got)
	}
	stored, err := payloads.Open(ctx, r.Store, filepath.Join(r.Dir, "repo"), payloads.Options{Problem: told})
	if err != nil {
		t.Fatal(err)
	}
	defer stored.Close()
	n = 0
	for c, err := range stored.Containers(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range stored.Records(ctx, dedup.Wanted{Container: c.Path}) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
	}
	if opened := o.Count(); n != 2*packages || opened != 0 {
		t.Errorf("dedup knows %d records; containers were opened %d times", n, opened)
	}
	content, err := h.Read(ctx, holdings.Reader{Class: holdings.Public}, last)
	if err != nil {
		t.Fatal(err)
	}
	_ = content.Body.Close()
	if o.Count() == 0 {
		t.Error("the test failed to detect reading a container: it counts nothing")
	}
}

// records counts all lines of all containers, as a list of records does.
func records(ctx context.Context, t *testing.T, r *repotest.Repository, told func(error)) (n int) {
	t.Helper()
	x, err := captures.Open(filepath.Join(r.Dir, "other"), captures.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	read := x.Stored(r.Store, nil, told)
	for p, err := range r.Store.Packages(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		c := captures.Container{Package: p.ID, Path: "containers/a.warc", Version: captures.Full}
		if err := read(ctx, &c, func(*captures.Line) error { n++; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	return n
}
