package httrack

import (
	"fmt"
	"strings"
	"testing"

	"quire/source"
)

// TestTruncatedBodies has the messages of HTTrack 3.49 about responses that broke off. The file has
// the beginning of the body only.
func TestTruncatedBodies(t *testing.T) {
	bogus := "00:00:02\tWarning: \tfile not stored in cache due to bogus state (broken size, expected 20 got 5): "
	files := map[string]string{
		"hts-log.txt": log2003 + bogus + "a.test/short.bin\n" + bogus + "a.test/killed.bin\n" +
			"00:00:03\tError: \t\"Incorrect length (5 Bytes, 20 expected)\" (-4) after 1 retries at link " +
			"a.test/short.bin (from a.test/)\n00:00:03\tError: \t\"Receive Time Out\" (-2) after 1 retries at link " +
			"a.test/slow.bin (from a.test/)\n" +
			bogus + "a.test/again.bin\n" + complete,
		"hts-cache/new.txt": rowHead +
			strings.Replace(row("23:59:55", 200, "added", "", "a.test/again.bin", "a.test/again.bin"), "text/html",
				"application/octet-stream", 1),
		"a.test/short.bin": "12345", "a.test/killed.bin": "12345", "a.test/slow.bin": "12345",
		"a.test/again.bin": "12345",
	}
	all, found := tell(t, onlyHarvest(t, mirrorOf(t, files)))
	want := map[string]struct {
		grade     source.Grade
		truncated string
		sent      int64
	}{
		"short.bin":  {source.Differing, "disconnect", 20},
		"killed.bin": {source.Differing, "disconnect", 20}, // without a final error
		"slow.bin":   {source.Differing, "time", -1},
		"again.bin":  {source.OriginalFile, "", 5}, // a second attempt succeeded
	}
	n := 0
	for _, r := range all {
		w, ok := want[strings.TrimPrefix(r.URL, "http://a.test/")]
		if !ok {
			continue
		}
		n++
		if r.Grade != w.grade || r.Truncated != w.truncated || r.Sent != w.sent {
			t.Errorf("%s: %s, truncated %q, %d sent: %q", r.URL, r.Grade, r.Truncated, r.Sent, r.Why)
		}
	}
	text := fmt.Sprint(found)
	if n != len(want) || strings.Count(text, findSize) != 3 ||
		!strings.Contains(text, "5 bytes of a response that broke off, with HTTrack's code -4; the server "+
			"announced 20") {
		t.Errorf("%d URLs: %q", n, found)
	}
}
