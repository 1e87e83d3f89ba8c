package holdings_test

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/payloads"
	"quire/internal/prove"
	"quire/internal/repotest"
	"quire/preserve/dedup"
)

// opens counts how often files are opened, by whomever.
type opens struct {
	t  *testing.T
	fd int
}

// watch counts the opens of all containers in the copies of a repository.
func watch(t *testing.T, r *repotest.Repository) (o *opens, watched int) {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	for _, c := range r.Store.Copies() {
		err := filepath.WalkDir(c.Path, func(path string, _ fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".warc") {
				watched++
				_, err = unix.InotifyAddWatch(fd, path, unix.IN_OPEN)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return &opens{t, fd}, watched
}

// count gives the opens since the last count.
func (o *opens) count() (n int) {
	o.t.Helper()
	b := make([]byte, 1<<20)
	for {
		read, err := unix.Read(o.fd, b)
		if err == unix.EAGAIN {
			return n
		}
		if err != nil {
			o.t.Fatal(err)
		}
		n += read / unix.SizeofInotifyEvent // of files, events have no name behind them
	}
}

// A thousand packages are indexed for readers, for lists of records and for dedup, and no container is opened.
func TestNoContainerIsOpened(t *testing.T) {
	ctx, packages := t.Context(), prove.Rounds(50, 200, 1000)
	r := repotest.New(t)
	for n := range packages {
		url, body := fmt.Sprintf("http://a.example/%d", n), fmt.Sprint("page ", n)
		r.Ingest(repotest.Package{ID: fmt.Sprintf("p-%04d", n), Rights: "access: open", Containers: map[string]string{"a.warc": "" +
			repotest.Response(fmt.Sprint(n, "-1"), url, "2020-01-02T03:04:05.6Z", "text/html", body) +
			repotest.Revisit(fmt.Sprint(n, "-2"), url, "2021-01-02T03:04:05Z", "text/html", body, url, "2020-01-02T03:04:05Z") +
			repotest.Record("resource", fmt.Sprint(n, "-3"), "dns:a.example", "2020-01-02T03:04:04Z", "text/dns", "1.2.3.4")}})
	}
	o, watched := watch(t, r)
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
	if n != 2*packages || o.count() != 0 {
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
	if opened := o.count(); n != 2*packages || opened != 0 {
		t.Errorf("dedup knows %d records; containers were opened %d times", n, opened)
	}
	content, err := h.Read(ctx, holdings.Reader{Class: holdings.Public}, last)
	if err != nil {
		t.Fatal(err)
	}
	_ = content.Body.Close()
	if o.count() == 0 {
		t.Error("a container was read, and nobody saw it: the test counts nothing")
	}
}

// records counts all lines of all containers, as who lists records reads them.
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
