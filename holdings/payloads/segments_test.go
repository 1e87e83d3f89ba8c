package payloads

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/repotest"
	"quire/model"
	"quire/preserve/convert"
	"quire/preserve/dedup"
	"quire/source/detect"
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

// TestJoinedSegments: a record that quire convert joined of segments is compared by the payload of the whole, and comes
// back from its revisit.
func TestJoinedSegments(t *testing.T) {
	t.Parallel()
	const body, url = "first part, second part", "http://a.example/"
	r := repotest.New(t)
	r.Ingest(repotest.Package{ID: "p", Containers: map[string]string{
		"a.warc": repotest.Response("1", url, "2015-01-02T03:04:05Z", "text/plain", body)}})
	later := repotest.Response("2", url, "2016-01-02T03:04:05Z", "text/plain", body)
	parts := repotest.Segments(later, strings.Index(later, "second")-strings.Index(later, "HTTP/1.1"))
	source, joined, slim, full := r.Path("source"), r.Path("joined"), r.Path("slim"), r.Path("full")
	r.Write(filepath.Join(source, "a.warc"), parts[0])
	r.Write(filepath.Join(source, "b.warc"), parts[1])
	s, err := detect.Open(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	agent := model.Agent{Name: "Quire", Version: "test"}
	c, err := convert.Run(t.Context(), s, convert.Options{Out: joined, Agent: agent, JoinSegments: true})
	if err != nil || c.JoinedTotal != 1 {
		t.Fatal(c, err)
	}
	for _, step := range []struct {
		do       func(context.Context, string, dedup.Options) (*dedup.Report, error)
		from, to string
	}{{dedup.Run, joined, slim}, {dedup.Undo, slim, full}} {
		h, err := Open(t.Context(), r.Store, filepath.Join(r.Dir, "repo"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		report, err := step.do(t.Context(), step.from, dedup.Options{Out: step.to, Against: []dedup.Holding{h},
			Agent: agent, Now: r.Clock.Now})
		if err := errors.Join(err, h.Close()); err != nil || report.Replaced != 1 {
			t.Fatalf("%+v, %v", report, err)
		}
	}
	was, made, back := tree(t, joined)["/a.warc"], tree(t, slim)["/a.warc"], tree(t, full)["/a.warc"]
	if !strings.Contains(was, body) || strings.Contains(made, body) || back != was {
		t.Errorf("joined\n%s\nbecomes\n%s\nand comes back as\n%s", was, made, back)
	}
}
