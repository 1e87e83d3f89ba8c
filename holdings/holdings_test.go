package holdings_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"quire/holdings"
	"quire/holdings/holdingstest"
)

const (
	date1 = "2015-01-02T03:04:05Z"
	date2 = "2016-01-02T03:04:05Z"
)

var (
	public = holdings.Reader{Class: holdings.Public}
	onsite = holdings.Reader{Class: holdings.OnSite}
	staff  = holdings.Reader{Class: holdings.Staff}
)

// read returns the body of a capture, or the reason why there is no body.
func read(t *testing.T, h *holdings.Holdings, who holdings.Reader, c holdings.Judged) string {
	t.Helper()
	content, err := h.Read(context.Background(), who, c.Capture)
	if err != nil {
		var denied *holdings.DeniedError
		if errors.As(err, &denied) {
			return "denied: " + string(denied.Verdict)
		}
		return "error: " + err.Error()
	}
	text, err := io.ReadAll(holdings.Decoded(content))
	if err != nil {
		t.Errorf("reading %s: %v", c.URL, err)
	}
	if err := content.Body.Close(); err != nil {
		t.Error(err)
	}
	return string(text)
}

// TestOpen: the content of the repository is found and read within the reader's rights; newly
// ingested content is available at once.
func TestOpen(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/", date1, "text/html", "<p>one") +
			holdingstest.Revisit("2", "http://a.example/", date2, "text/html", "<p>one", "http://a.example/", date1),
	}})
	h := r.Open(holdings.Options{})
	all := r.Find(h, public, "http://a.example/")
	if len(all) != 2 || !all[0].Allowed || !all[1].Allowed {
		t.Fatalf("found %+v", all)
	}
	for _, c := range all {
		if got := read(t, h, public, c); got != "<p>one" {
			t.Errorf("%s: %q", c.Timestamp, got)
		}
	}
	r.Ingest(holdingstest.Package{ID: "site-2",
		Containers: map[string]string{"b.warc": holdingstest.Response("3", "http://b.example/", date1, "text/html",
			"<p>two")}})
	if err := h.Ready(context.Background()); err != nil {
		t.Fatal(err)
	}
	all = r.Find(h, public, "http://b.example/")
	if len(all) != 1 || all[0].Allowed || all[0].Verdict != holdings.Restricted {
		t.Fatalf("without a rights statement: %+v", all)
	}
	if got := read(t, h, public, all[0]); got != "denied: restricted" {
		t.Error(got)
	}
	if got := read(t, h, staff, all[0]); got != "<p>two" {
		t.Error(got)
	}
}

// TestPackagesAfter begins after an id that is there, and after one that is not.
func TestPackagesAfter(t *testing.T) {
	t.Parallel()
	r, o, _ := holdingstest.Matrix(t)
	h := r.Open(o)
	for _, class := range []holdings.Class{holdings.Public, holdings.Staff} {
		who := holdings.Reader{Class: class}
		list := func(after string) (ids []string) {
			for p, err := range h.PackagesAfter(t.Context(), who, after) {
				if err != nil {
					t.Fatal(err)
				}
				ids = append(ids, p.ID)
			}
			return ids
		}
		all := list("")
		if len(all) < 3 {
			t.Fatalf("%s: %v", class, all)
		}
		for i, id := range all {
			if got := list(id); !slices.Equal(got, all[i+1:]) {
				t.Errorf("%s, after %s: %v", class, id, got)
			}
			if got := list(id + "\x00"); !slices.Equal(got, all[i+1:]) {
				t.Errorf("%s, after no id: %v", class, got)
			}
		}
	}
}
