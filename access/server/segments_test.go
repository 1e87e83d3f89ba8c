package server

import (
	"strconv"
	"strings"
	"testing"

	"quire/access/address"
	"quire/access/cdxserver"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/internal/repotest"
)

// TestSegments: the joined body of a segmented record is replayed with its length and in ranges, also if it is large.
// A set with a gap is replayed as far as it goes, and says so. CDX answers have no place of a part.
func TestSegments(t *testing.T) {
	t.Parallel()
	const whole, gap = "http://a.example/whole", "http://a.example/gap"
	body := strings.Repeat("0123456789abcdef", 100_000)
	parts := func(id, url string) []string {
		r := holdingstest.Response(id, url, "2015-01-02T03:04:05Z", "application/octet-stream", body)
		head := strings.Index(r, body) - strings.Index(r, "HTTP/1.1")
		return repotest.Segments(r, head+100_000, head+1_300_000)
	}
	p, g := parts("1", whole), parts("2", gap)
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "p", Rights: "access: open", Containers: map[string]string{
		"a.warc": p[0] + p[2] + g[0] + g[2], "b.warc": p[1]}})
	s := open(t, r, Options{Config: config(t), Problem: func(err error) { t.Error(err) }})
	at, in := address.Replay(archived), address.In{Collection: address.All}
	for _, c := range []struct {
		url, ask     string
		status       int
		body, length string
		note         string
	}{
		{whole, "", 200, body, strconv.Itoa(len(body)), ""},
		{whole, "Range: bytes=99990-100009", 206, body[99990:100010], "20", ""},
		{whole, "Range: bytes=-5", 206, body[len(body)-5:], "5", ""},
		{whole, "Range: bytes=99999999-", 416, "", "", ""},
		{gap, "", 200, body[:100_000], "100000", "segment 2 is missing"},
	} {
		var lines []string
		if c.ask != "" {
			lines = append(lines, c.ask)
		}
		a := ask(t, s, "GET", at.Capture(in, capture, address.Identity, c.url), abroad, lines...)
		if note := a.header.Get("X-Archive-Note"); a.status != c.status || c.status != 416 && (a.body != c.body ||
			a.header.Get("Content-Length") != c.length) || !strings.Contains(note, c.note) ||
			(note == "") != (c.note == "") {
			t.Errorf("%s %s: %d, %d bytes, %v", c.url, c.ask, a.status, len(a.body), a.header)
		}
	}
	a := ask(t, s, "GET", at.CDX(in)+"?output=json&fl=offset,length,digest&url="+whole, abroad)
	if a.status != 200 || a.body != `{"digest": "`+strings.TrimPrefix(holdingstest.Digest(body), "sha1:")+"\"}\n" {
		t.Errorf("the CDX server: %d %s", a.status, a.body)
	}
	var out strings.Builder
	h := r.Open(holdings.Options{})
	done, err := cdxserver.Export(t.Context(), &out, h, holdings.Reader{Class: holdings.Public}, "cdxj", nil)
	if err != nil || done.Segmented != 2 || done.Captures != 0 || out.Len() > 0 {
		t.Errorf("the exported index: %+v, %v, %s", done, err, out.String())
	}
}
