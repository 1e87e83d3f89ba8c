package crawl

import (
	"slices"
	"strings"
	"testing"

	"quire/access/export"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/internal/repotest"
)

// TestSegments: all segments of an open capture are exported, none of a closed one, and none without a first.
func TestSegments(t *testing.T) {
	t.Parallel()
	parts := func(id, url string) []string {
		return repotest.Segments(holdingstest.Response(id, url, "2015-01-02T03:04:05Z", "text/html", "<p>"+url), 70, 75)
	}
	open, closed, lone := parts("1", "http://a.example/open"), parts("2", "http://a.example/closed"),
		parts("3", "http://a.example/lone")
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site", Rights: "access: open\nrules:\n" +
		"  - urls: [http://a.example/closed]\n    access: restricted\n", Containers: map[string]string{
		"a.warc": open[2] + closed[1] + open[0] + closed[0], "b.warc": lone[1] + open[1] + closed[2]}})
	h := r.Open(holdings.Options{})
	out, result := run(t, r, h, export.Request{ID: "site", As: "warc", For: holdings.Public})
	var got []string
	for _, rec := range records(t, out) {
		if rec.kind == "response" || rec.kind == "continuation" {
			got = append(got, rec.id)
			if strings.Contains(rec.raw, "closed") || strings.Contains(rec.raw, "lone") {
				t.Errorf("exported: %s", rec.raw)
			}
		}
	}
	if want := []string{"<urn:x:1-3>", "<urn:x:1>", "<urn:x:1-2>"}; !slices.Equal(got, want) {
		t.Errorf("exported are %q, %+v", got, result)
	}
}
