package replay

import (
	"net/http/httptest"
	"strings"
	"testing"

	"quire/holdings"
)

// TestUnmarked: an answer whose script could not be marked says so in its head, and no cache keeps it.
func TestUnmarked(t *testing.T) {
	w := httptest.NewRecorder()
	c := &call{w: w}
	w.Header().Set("Etag", `"marked"`)
	out := &begun{w: w, status: 404}
	c.unmarked(&chosen{Content: &holdings.Content{Note: "before"}})
	for range 2 {
		if _, err := out.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	r := w.Result()
	note := r.Header.Get("X-Archive-Note")
	if !strings.HasPrefix(note, "before; ") || !strings.HasSuffix(note, "without marks") ||
		r.Header.Get("Etag") != "" || r.Header.Get("Cache-Control") != "no-store" || r.StatusCode != 404 ||
		w.Body.String() != "xx" {
		t.Errorf("%d %v %q", r.StatusCode, r.Header, w.Body)
	}
}
