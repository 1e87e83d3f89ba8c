package unpack_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/access/export"
	"quire/access/export/unpack"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/internal/repotest"
)

// try runs a test function with a site, as a format.
func try(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, who holdings.Class,
	do func(context.Context, *export.Source, *export.Output) error) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	f := []export.Format{{Name: "try", Title: "try", Make: do}}
	if _, err := export.Run(t.Context(), r.Store, h, export.Request{ID: "site-1", As: "try", For: who, Out: out},
		f); err != nil {
		t.Fatal(err)
	}
	return out
}

func repository(t *testing.T) (*holdingstest.Repository, *holdings.Holdings) {
	t.Helper()
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open", Containers: map[string]string{"a.warc": "" +
		holdingstest.Response("1", "http://a.example/", "2015-01-01T00:00:00Z", "text/html", "old") +
		holdingstest.Response("2", "http://a.example/", "2016-01-01T00:00:00Z", "text/html", "new") +
		holdingstest.Answer("3", "http://a.example/", "2017-01-01T00:00:00Z", "500 Broken", "broken",
			"Content-Type: text/html") +
		holdingstest.Redirect("4", "http://a.example/r1", "2015-01-01T00:00:00Z", "http://a.example/r2") +
		holdingstest.Redirect("5", "http://a.example/r2", "2015-01-01T00:00:00Z", "http://a.example/") +
		holdingstest.Redirect("6", "http://a.example/loop1", "2015-01-01T00:00:00Z", "http://a.example/loop2") +
		holdingstest.Redirect("7", "http://a.example/loop2", "2015-01-01T00:00:00Z", "http://a.example/loop1") +
		holdingstest.Response("8", "http://a.example/secret", "2015-01-01T00:00:00Z", "text/html", "secret two") +
		repotest.Record("conversion", "9", "http://a.example/", "2018-01-01T00:00:00Z", "text/html", "migrated") +
		repotest.Record("conversion", "a", "http://a.example/turned", "2015-01-01T00:00:00Z", "text/html", "turned") +
		repotest.Record("conversion", "b", "http://a.example/secret", "2015-01-02T00:00:00Z", "text/html", "secret") +
		repotest.Record("conversion", "c", "urn:mirror-file:x", "2015-01-02T00:00:00Z", "text/html", "file"),
	}})
	return r,
		r.Open(holdings.Options{Rules: r.Rules("rules:\n  - urls: [http://a.example/secret]\n    access: restricted\n")})
}

// TestFind: for each URL, the newest good capture is unpacked, or the closest; links follow
// redirects, and end at redirect loops.
func TestFind(t *testing.T) {
	r, h := repository(t)
	try(t, r, h, holdings.Public, func(ctx context.Context, s *export.Source, _ *export.Output) error {
		for _, c := range []struct{ at, url, want string }{
			{"", "http://a.example/", "20160101000000"}, {"20150201000000", "http://a.example/", "20150101000000"},
			{"20170101000000", "http://a.example/", "20160101000000"}, {"", "http://a.example/r1", "20160101000000"},
			{"", "http://a.example/loop1", ""}, {"", "http://a.example/secret", ""}, {"", "http://a.example/none", ""},
			{"", "http://a.example/turned", "20150101000000"},
		} {
			site := &unpack.Site{Source: s, At: c.at}
			for range 2 { // the second time it is cached
				found, err := site.Find(ctx, c.url)
				got := ""
				if found != nil {
					got = found.Timestamp
				}
				if err != nil || got != c.want {
					t.Errorf("%s at %s: %s, %v; want %s", c.url, c.at, got, err, c.want)
				}
			}
		}
		var all []string
		for c, err := range (&unpack.Site{Source: s}).Captures(ctx) {
			if err != nil {
				return err
			}
			all = append(all, c.URL+" "+c.Timestamp)
		}
		if !slices.Equal(all, []string{"http://a.example/ 20160101000000", "http://a.example/turned 20150101000000"}) {
			t.Errorf("unpacked are %q", all)
		}
		return nil
	})
}

// TestUnpackFails: unreadable captures are reported, and leave nothing; write errors end the
// export.
func TestUnpackFails(t *testing.T) {
	r, _ := repository(t)
	h := r.Open(holdings.Options{Problem: func(error) {}})
	err := filepath.WalkDir(r.Dir, func(p string, _ os.DirEntry, err error) error {
		if err == nil && strings.Contains(p, "copy-") && strings.HasSuffix(p, "a.warc") {
			text, _ := os.ReadFile(p)
			_ = os.Chmod(p, 0o600)
			err = os.WriteFile(p, []byte(strings.ReplaceAll(string(text), "new", "gnu")), 0o600)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("full")
	try(t, r, h, holdings.Staff, func(ctx context.Context, s *export.Source, out *export.Output) error {
		site := &unpack.Site{Source: s}
		c, err := site.Find(ctx, "http://a.example/")
		if err != nil || c == nil {
			t.Fatal(c, err)
		}
		if f, err := site.Unpack(ctx, out.Write, c, unpack.Options{}); f != nil || err != nil {
			t.Errorf("%v, %v", f, err)
		}
		c, err = site.Find(ctx, "http://a.example/secret")
		if err != nil || c == nil {
			t.Fatal(c, err)
		}
		if _, err := site.Unpack(ctx, func(string, func(io.Writer) error) (export.File, error) {
			return export.File{}, full
		}, c, unpack.Options{}); !errors.Is(err, full) {
			t.Errorf("%v", err)
		}
		return nil
	})
}
