package harvest

import (
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quire/oai/crate"
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
