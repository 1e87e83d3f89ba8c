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

// TestLongerBody has a body of more bytes than the server announced: which of them belong to it is not
// known.
func TestLongerBody(t *testing.T) {
	all, found := tell(t, onlyHarvest(t, mirrorOf(t, map[string]string{
		"hts-log.txt": log2003 + "00:00:02\tWarning: \tfile not stored in cache due to bogus state " +
			"(broken size, expected 3 got 5): a.test/more.bin\n" + complete,
		"a.test/more.bin": "12345",
	})))
	for _, r := range all {
		if strings.HasSuffix(r.URL, "more.bin") && r.Grade == source.Differing && r.Truncated == "" &&
			len(found) == 1 && strings.Contains(found[0].Message, "5 bytes, and the server announced 3") {
			return
		}
	}
	t.Errorf("%+v, %q", all, found)
}

// TestUsersInURLs has URLs with a password. The URL of a resource and of a fetch has none, and is the
// same as without the user.
func TestUsersInURLs(t *testing.T) {
	h := onlyHarvest(t, mirrorOf(t, map[string]string{
		"hts-log.txt": log2003 + "00:00:03\tError: \t\"Not Found\" (404) at link user:geheim@a.test/gone " +
			"(from a.test/)\n" + complete,
		"hts-cache/new.txt": rowHead + row("23:59:55", 401, "error", "", "http://a.test/x", "") +
			row("23:59:56", 200, "added", "", "http://user:geheim@a.test/x", "a.test/x.html"),
		"a.test/x.html": "<html>",
	}))
	all, _ := tell(t, h)
	n := 0
	for _, r := range all {
		if strings.Contains(r.URL, "geheim") {
			t.Error("a resource has the password")
		}
		if r.URL == "http://a.test/x" && r.Status == 200 && strings.Contains(fmt.Sprint(r.Why), "is left out") {
			n++
		}
	}
	for f, err := range h.Fetches(t.Context(), nil) {
		if err != nil || strings.Contains(f.URI+f.Via, "geheim") {
			t.Errorf("a fetch has the password, %v", err)
		}
		n++
	}
	if n != 5 { // one resource, two rows, and two errors, one of which is of log2003
		t.Errorf("%d resources and fetches: %+v", n, all)
	}
}
