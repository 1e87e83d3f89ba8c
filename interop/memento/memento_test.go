//go:build interop

package memento

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/interop/internal/peers"
)

const url = "http://a.example/dir/page.html"

// serve starts quire serve on a repository with a capture of each year from 2012 to 2019, and
// returns the URL of the replay.
func serve(t *testing.T) string {
	t.Helper()
	var warc strings.Builder
	for year := 2012; year < 2020; year++ {
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>%d</title>", year)
		fmt.Fprintf(&warc,
			"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%d>\r\nWARC-Date: %d-01-02T03:04:05Z\r\n"+
				"WARC-Target-URI: %s\r\n"+
				"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", year, year,
			url,
			len(block), block)
	}
	return peers.Serve(t, warc.String(), "127.0.0.1", "/all/timemap/link/"+url)
}

// A client finds the nearest capture to each moment, and the first and the last one.
func TestClient(t *testing.T) {
	base := serve(t)
	said := peers.Call(t, nil, filepath.Join(peers.Tools(t), "venv", "bin", "python"), "client.py", base, url, "1996",
		"2012", "2015", "2019", "2030")
	want := ""
	for _, c := range []struct {
		asked, year int
	}{{1996, 2012}, {2012, 2012}, {2015, 2015}, {2019, 2019}, {2030, 2019}} {
		want += fmt.Sprintf("%d %s/all/%d0102030405mp_/%s 200 2012 2019\n", c.asked, base, c.year, url)
	}
	if said != want {
		t.Errorf("got\n%swant\n%s", said, want)
	}
}

// The validator finds no errors. It has one warning: it expects the TimeGate's own URL among the
// captures, which is impossible for a TimeGate that redirects.
func TestValidator(t *testing.T) {
	checkout := os.Getenv("QUIRE_MEMENTO_VALIDATOR")
	if checkout == "" {
		t.Skip("QUIRE_MEMENTO_VALIDATOR names no checkout of lanl/memento-validator")
	}
	checkout, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	base := serve(t)
	said := peers.Call(t, nil, filepath.Join(peers.Tools(t), "venv", "bin", "python"), "validate.py", checkout,
		"memento="+base+"/all/20150102030405mp_/"+url, "timegate="+base+"/all/"+url,
		"timemap="+base+"/all/timemap/link/"+url)
	passed := map[string]int{}
	for line := range strings.Lines(said) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		result, name, _ := strings.Cut(rest, "\t")
		switch {
		case result == "Pass":
			passed[kind]++
		case kind == "timegate" && name == "Selected memento not in link header": // see above
		default:
			t.Error(strings.TrimSpace(line))
		}
	}
	if passed["memento"] < 11 || passed["timegate"] < 16 || passed["timemap"] < 4 {
		t.Errorf("it looked at %v only:\n%s", passed, said)
	}
	t.Logf("%v", passed)
}
