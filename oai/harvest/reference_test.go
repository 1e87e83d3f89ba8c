package harvest

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quire/oai/crate"
	"quire/oai/plugin"
	"quire/oai/provider"
)

// Bytes that a record only refers to are fetched and compared. Missing or different bytes are
// reported.
func TestByReference(t *testing.T) {
	s := newSite()
	big := strings.Repeat("big ", 1000)
	for i, name := range []string{"a", "changed", "gone", "grown"} {
		s.put("http://a.example/"+name, big+name, noon.Add(time.Duration(i)*time.Second))
	}
	var back atomic.Bool
	url := s.serve(t, crate.Disseminator{ByValue: 100, Now: func() time.Time { return noon }}, provider.Options{},
		func(w http.ResponseWriter, r *http.Request) bool {
			switch r.URL.Path {
			case "/file/changed":
				_, _ = w.Write([]byte(strings.ReplaceAll(big, "b", "p") + "changed"))
			case "/file/gone":
				if back.Load() {
					return false
				}
				http.NotFound(w, r)
			case "/file/grown":
				_, _ = w.Write([]byte(strings.Repeat(big, 3)))
			default:
				return false
			}
			return true
		})
	s.base = strings.TrimSuffix(url, "/oai") + "/file"
	out := filepath.Join(t.TempDir(), "out")
	r := mustRun(t, options(url, out))
	c := r.Counts
	if r.Complete || !r.Window.Complete || c.Records != 4 || c.Resources != 2 || c.Referred != 2 ||
		c.Differing != 1 || c.Missing != 2 || r.Findings[CodeMissing] != 2 || r.Findings[CodeDiffers] != 1 {
		t.Errorf("%+v %v", c, r.First)
	}
	got := resourcesOf(t, out)
	if got["http://a.example/a"] != big+"a" || !strings.HasPrefix(got["http://a.example/changed"], "pig") {
		t.Errorf("%d resources", len(got))
	}
	marked := 0
	for _, w := range containersOf(t, out) {
		if w.part == "facts" && (strings.Contains(w.block, "differs: ") || strings.Contains(w.block, "missing: ")) {
			marked++
		}
	}
	if marked != 3 {
		t.Errorf("%d are marked", marked)
	}

	// Bytes that were missing are fetched when the record is listed again.
	back.Store(true)
	o := options(url, out)
	o.From = "2000-01-01T00:00:00Z"
	if r = mustRun(t, o); r.Counts.Records != 5 || r.Window.Counts.Resources != 1 {
		t.Errorf("again: %+v", r.Window)
	}
	if got = resourcesOf(t, out); got["http://a.example/gone"] != big+"gone" {
		t.Errorf("%d resources", len(got))
	}
}

// TestMissingStoredOnce: a record without its bytes is stored once, although the server makes its document anew for
// each listing. It is stored again if its metadata change, or if its bytes are there.
func TestMissingStoredOnce(t *testing.T) {
	s := newSite()
	s.put("http://a.example/gone", strings.Repeat("long ", 100), noon)
	var clock atomic.Int64
	var back, other atomic.Bool
	d := crate.Disseminator{ByValue: 100, Now: func() time.Time {
		return noon.Add(time.Duration(clock.Add(1)) * time.Minute).Add(123 * time.Millisecond)
	}}
	d.Tools = clockTool{&other, d.Now}
	url := s.serve(t, d, provider.Options{}, func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/file/gone" || back.Load() {
			return false
		}
		http.NotFound(w, r)
		return true
	})
	s.base = strings.TrimSuffix(url, "/oai") + "/file"
	o := options(url, filepath.Join(t.TempDir(), "out"))
	o.From = "2000-01-01T00:00:00Z"
	for _, step := range []struct {
		name   string
		change func()
		want   int64
	}{
		{"first", func() {}, 1},
		{"listed again", func() {}, 1},
		{"other metadata", func() { other.Store(true) }, 2},
		{"other metadata again", func() {}, 2},
		{"the bytes are there", func() { back.Store(true) }, 3},
		{"the bytes are there again", func() {}, 3},
	} {
		step.change()
		if r := mustRun(t, o); r.Counts.Records != step.want {
			t.Errorf("%s: %d records, want %d", step.name, r.Counts.Records, step.want)
		}
	}
}

// clockTool states the time of each run.
type clockTool struct {
	other *atomic.Bool
	now   func() time.Time
}

func (c clockTool) Run(context.Context, *plugin.Content) ([]plugin.Result, error) {
	text := "the same"
	if c.other.Load() {
		text = "another"
	}
	return []plugin.Result{{Label: "clock", Version: "1.0", Began: c.now(),
		Output: plugin.Output{MIMEType: "text/plain", Bytes: []byte(text)}}}, nil
}
