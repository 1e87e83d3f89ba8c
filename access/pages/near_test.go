package pages_test

import (
	"strings"
	"testing"

	"quire/access/missed"
	"quire/access/pages"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// TestNothingHere: the page of an address without a capture names the captures near to it, and the
// reason if a crawler wanted it.
func TestNothingHere(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html",
			"<title>A</title>")},
		Logs: map[string]string{"logs/crawl.log": "2015-01-02T03:04:05.000Z -9998          - http://a.example/no L " +
			"http://a.example/ text/html #001 - - - -\n"}})
	h := r.Open(holdings.Options{})
	lists := missed.Open(t.TempDir(), h)
	t.Cleanup(func() { _ = lists.Close() })
	reader := room(t, h, pages.Options{Missed: lists})
	const why = "A crawler wanted this address and did not capture it (2 January 2015): Forbidden by robots.txt."
	for _, target := range []string{"/versions/all/http://a.example/no", "/all/2015/http://a.example/no"} {
		got := ""
		for range 50 { // the first readers do not wait for the list
			if got = text(reader.page(target, 404)); strings.Contains(got, why) {
				break
			}
		}
		if !strings.Contains(got, why) ||
			!strings.Contains(got, "Other archived pages of this host http://a.example/") {
			t.Errorf("%s: %s", target, got)
		}
	}
	if got := text(reader.page("/versions/all/http://a.example/other", 404)); strings.Contains(got, "crawler wanted") {
		t.Errorf("a reason for another address: %s", got)
	}
}
