package harvest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/oai/crate"
	"quire/oai/provider"
)

// A CRATE becomes a resource record, accompanied by its statements. A deletion is reported.
func TestCRATE(t *testing.T) {
	s := newSite()
	for i := range 25 {
		s.put(fmt.Sprintf("http://a.example/%02d.txt", i), strings.Repeat("x", i),
			noon.Add(time.Duration(i)*time.Second))
	}
	s.Delete("http://a.example/03.txt", noon.Add(time.Hour))
	out := filepath.Join(t.TempDir(), "out")
	r := mustRun(t, options(s.serve(t, crate.Disseminator{}, provider.Options{Records: 10}, nil), out))
	if !r.Complete || r.Prefix != "oai_crate" || r.Window.Pages != 3 || r.Counts.Records != 25 ||
		r.Counts.Deleted != 1 || r.Counts.Resources != 24 || r.Counts.Outputs != 48 {
		t.Errorf("%+v", r)
	}
	if len(r.Findings) > 0 || len(r.Tools) != 2 || r.Tools[1].Failed != 24 {
		t.Errorf("found %v %v, tools %v", r.Findings, r.First, r.Tools)
	}
	got := resourcesOf(t, out)
	for i := range 25 {
		url := fmt.Sprintf("http://a.example/%02d.txt", i)
		if body, ok := got[url]; ok != (i != 3) || body != strings.Repeat("x", len(body)) || ok && len(body) != i {
			t.Errorf("%s: %q, %v", url, body, ok)
		}
	}
	ids, parts := map[string]string{}, map[string]int{}
	for _, w := range containersOf(t, out) {
		if w.kind == "resource" {
			ids[w.id] = w.uri
		}
		if w.kind != "metadata" {
			continue
		}
		parts[w.part+w.label]++
		if w.part != "deleted" && w.part != "schema" && ids[w.concurrent] != w.uri {
			t.Errorf("%s %s is concurrent to %q", w.part, w.uri, w.concurrent)
		}
		switch {
		case w.part == "http-header" &&
			w.block != "HTTP/1.1 200 \r\nContent-Type: text/plain\r\nX-Of: "+w.uri+"\r\n\r\n":
			t.Errorf("head %q", w.block)
		case w.label == "broken" && w.block != "cannot\x00":
			t.Errorf("output %q", w.block)
		}
	}
	if fmt.Sprint(parts) !=
		"map[deleted:1 facts:24 http-header:24 schema:2 tool-outputbroken:24 tool-outputlength:24]" {
		t.Error(parts)
	}
}

// A repeated harvest fetches changes and deletions, and skips known records.
func TestIncremental(t *testing.T) {
	s := newSite()
	now := time.Now().UTC().Truncate(time.Second)
	for i := range 5 {
		s.put(fmt.Sprintf("http://a.example/%d", i), "first", now.Add(-time.Hour+time.Duration(i)*time.Minute))
	}
	s.put("http://a.example/late", "first", now.Add(-time.Minute))
	out := filepath.Join(t.TempDir(), "out")
	o := options(s.serve(t, crate.Disseminator{}, provider.Options{}, nil), out)
	if r := mustRun(t, o); r.Counts.Records != 6 {
		t.Fatalf("%+v", r.Counts)
	}
	s.put("http://a.example/1", "second", now)
	s.Delete("http://a.example/2", now)
	r := mustRun(t, o)
	if c := r.Window.Counts; !r.Complete || r.Resumed || c.Records != 2 || c.Deleted != 1 || c.Duplicates != 1 {
		t.Errorf("%+v", r.Window)
	}
	if got := containersOf(t, out); len(r.Files) != 2 || got[len(got)-1].part != "deleted" &&
		got[len(got)-2].part != "deleted" {
		t.Errorf("%v", r.Files)
	}
	if r := mustRun(t, o); r.Window.Counts.Records != 0 || len(r.Files) != 2 {
		t.Errorf("%+v", r)
	}
}

// Dates that the server refused do not block later dates.
func TestRefusedDates(t *testing.T) {
	s := newSite()
	s.put("http://a.example/1", "first", time.Now().UTC().Truncate(time.Second))
	o := options(s.serve(t, crate.Disseminator{}, provider.Options{}, nil), filepath.Join(t.TempDir(), "out"))
	o.From = "2999-01-01"
	if _, err := Run(t.Context(), o); err == nil {
		t.Fatal("the server took a date in the future")
	}
	o.From = "2001-01-01"
	if r := mustRun(t, o); !r.Complete || r.Counts.Records != 1 || len(r.Files) != 1 {
		t.Errorf("%+v", r)
	}
}

// The progress states the reason of a wait.
func TestProgressWaiting(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<html><title>Home</title></html>")
	}))
	t.Cleanup(page.Close)
	o := options(page.URL+"/", filepath.Join(t.TempDir(), "out"))
	waits := 0
	o.Progress = func(p Progress) {
		if strings.Contains(p.Waiting, "retried after") {
			waits++
		}
	}
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "check the base URL") ||
		waits == 0 {
		t.Errorf("%v, waited %d times", err, waits)
	}
}

// Changes, additions and deletions during a list are complete after the next harvest, in each
// state, without duplicates.
func TestChangesAmid(t *testing.T) {
	s := newSite()
	now := time.Now().UTC().Truncate(time.Second)
	for i := range 30 {
		s.put(fmt.Sprintf("http://a.example/%02d", i), fmt.Sprint("first ", i),
			now.Add(-time.Hour+time.Duration(i)*time.Second))
	}
	pages := 0
	url := s.serve(t, crate.Disseminator{}, provider.Options{Records: 10},
		func(_ http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("resumptionToken") == "" {
				return false
			}
			if pages++; pages == 1 {
				at := time.Now().UTC()
				s.put("http://a.example/05", "second 5", at)  // was on an earlier page
				s.put("http://a.example/25", "second 25", at) // would be on a later page
				s.put("http://a.example/new", "first new", at)
				s.Delete("http://a.example/07", at)
			}
			return false
		})
	out := filepath.Join(t.TempDir(), "out")
	o := options(url, out)
	mustRun(t, o)
	r := mustRun(t, o)
	states := map[string]int{}
	for _, w := range containersOf(t, out) {
		if w.kind == "resource" {
			states[w.block]++
		}
	}
	for i := range 30 {
		if n := states[fmt.Sprint("first ", i)]; n != 1 && i != 25 || n > 1 {
			t.Errorf("the first state of %d is there %d times", i, n)
		}
	}
	if states["second 5"] != 1 || states["second 25"] != 1 || states["first new"] != 1 || r.Counts.Deleted != 1 ||
		!r.Complete {
		t.Errorf("%v, %+v", states, r.Counts)
	}
}
