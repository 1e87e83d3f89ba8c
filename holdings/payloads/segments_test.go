package payloads

import (
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/repotest"
	"quire/model"
	"quire/preserve/dedup"
)

// TestSegments: a segmented record is not the original of others, because undoing a revisit reads one place. A segment
// is not replaced, even if its own bytes are stored as a payload.
func TestSegments(t *testing.T) {
	t.Parallel()
	const body, url = "first part, second part", "http://a.example/"
	parts := func(id, date string) []string {
		r := repotest.Response(id, url, date, "text/plain", body)
		head := strings.Index(r, body) - strings.Index(r, "HTTP/1.1")
		return repotest.Segments(r, head+len("first part"))
	}
	stored, later := parts("1", "2015-01-02T03:04:05Z"), parts("2", "2016-01-02T03:04:05Z")
	r := repotest.New(t)
	r.Ingest(repotest.Package{ID: "p", Containers: map[string]string{"a.warc": stored[0], "b.warc": stored[1] +
		repotest.Response("3", url+"part", "2015-01-02T03:04:06Z", "text/plain", "first part")}})
	h, err := Open(t.Context(), r.Store, filepath.Join(r.Dir, "repo"),
		Options{Problem: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	source := r.Path("source")
	r.Write(filepath.Join(source, "new.warc"), later[0]+later[1]+
		repotest.Response("4", url, "2016-01-02T03:04:06Z", "text/plain", body)+
		repotest.Response("5", url+"part", "2016-01-02T03:04:07Z", "text/plain", "first part"))
	out := r.Path("out")
	report, err := dedup.Run(t.Context(), source, dedup.Options{Out: out, Against: []dedup.Holding{h},
		Agent: model.Agent{Name: "Quire", Version: "test"}, Now: r.Clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	text := tree(t, out)["/new.warc"]
	if report.Replaced != 1 || report.Left[dedup.Segmented] != 1 || report.Left[dedup.NotStored] != 1 ||
		!strings.HasPrefix(text, later[0]+later[1]) || strings.Count(text, "WARC-Type: revisit") != 1 ||
		!strings.Contains(text, "WARC-Refers-To: <urn:x:3>") {
		t.Errorf("%+v\n%s", report, text)
	}
}
