//go:build interop

package feeds

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"quire/interop/internal/peers"
)

// record returns a capture of a page.
func record(n int, url, title string) string {
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<title>" + title + "</title><p>ship"
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%d>\r\n"+
		"WARC-Date: 201%d-01-02T03:04:05Z\r\nWARC-Target-URI: %s\r\n"+
		"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		n, n, url, len(block), block)
}

// TestFeeds: another program reads each feed, without mending anything; and robots.txt means to it what it should.
func TestFeeds(t *testing.T) {
	const front = "http://a.example/"
	base := peers.Serve(t, record(2, front, "Ships &amp; &lt;boats&gt;")+record(3, front+"b", "\u00c9t\u00e9"),
		"localhost", "/search.json?q=ship")
	said := peers.Call(t, nil, filepath.Join(peers.Tools(t), "venv", "bin", "python"), "read.py", base,
		"/search.atom?q=ship", "/feed.atom")
	for _, want := range []string{
		"/search.atom?q=ship atom10 sound ",
		"  \u00c9t\u00e9 2013 ",
		"  Ships & <boats> 2012 ",
		"/feed.atom atom10 sound ",
		"\n/site/a open\n/search?q=ship closed\n/all/20120102030405mp_/http://a.example/ closed\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}
