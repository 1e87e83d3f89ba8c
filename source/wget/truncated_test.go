package wget

import (
	"context"
	"strings"
	"testing"

	"quire/model"
	"quire/source"
)

// TestUnlistedFile has a short log (-nv), in which a response that broke off has no line: its file was
// written during the run.
func TestUnlistedFile(t *testing.T) {
	line := func(clock, name string) string {
		return "2026-11-22 " + clock + " URL:http://a.test/" + name + " [5/5] -> \"a.test/" + name + "\" [1]\n"
	}
	m := onlyMirror(t, folder(t, map[string]string{
		"w.log": line("16:16:27", "1") + line("16:16:28", "2") + logEnd, fresh + "a.test/2": "12345",
		"a.test/1": "12345", fresh + "a.test/broken": "123", "a.test/earlier": "123",
	}))
	want := map[string]source.Grade{"1": source.OriginalFile, "2": source.OriginalFile, "broken": source.Differing,
		"earlier": source.OriginalFile}
	for r, err := range m.Resources(context.Background(), nil) {
		name := strings.TrimPrefix(r.URL, "http://a.test/")
		if err != nil || r.Grade != want[name] || (r.Truncated != "") != (name == "broken") {
			t.Errorf("%s: %s, truncated %q, %v: %q", name, r.Grade, r.Truncated, err, r.Why)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("%v is lost", want)
	}
}

// TestTruncatedBodies has the lines of Wget 1.21.3 for responses that broke off: the file has the
// beginning of the body only. The last attempt that wrote to the file counts.
func TestTruncatedBodies(t *testing.T) {
	try := func(n, url, length, end string) string {
		return "--2026-11-22 16:16:28--  " + n + url + "\nHTTP request sent, awaiting response... 200 OK\nLength: " +
			length + " [application/octet-stream]\nSaving to: ‘" + strings.TrimPrefix(url, "http://") +
			"’\n\n     0K ....   25% 1.43G=0s\n\n2026-11-22 16:16:28 (1 GB/s) - " + end + "\n\n"
	}
	broken := func(name, then string) string {
		return try("", "http://a.test/"+name, "unspecified",
			"Read error at byte 5 (Connection reset by peer).Retrying.") +
			"--2026-11-22 16:16:28--  (try: 2)  http://a.test/" + name + "\n" + then + "\n\n"
	}
	const refused = "Connecting to a.test|::1|:80... failed: Connection refused."
	m := onlyMirror(t, folder(t, map[string]string{
		"w.log": broken("refused", refused) + broken("gone", "HTTP request sent, awaiting response... 404 Not Found\n"+
			"2026-11-22 16:16:28 ERROR 404: Not Found.") +
			broken("back", refused) + try("(try: 3)  ", "http://a.test/back", "5", "‘a.test/back’ saved [5/5]") +
			try("", "http://a.test/short", "20", "Connection closed at byte 5. Retrying.") +
			try("(try: 2)  ", "http://a.test/short", "20", "Connection closed at byte 5. Giving up.") +
			try("", "http://a.test/chunked", "unspecified",
				"Read error at byte 5 (Connection reset by peer).Giving up.") +
			try("", "http://a.test/again", "5", "Connection closed at byte 2. Retrying.") +
			try("(try: 2)  ", "http://a.test/again", "5", "‘a.test/again’ saved [5/5]") +
			try("", "http://a.test/other", "5", "‘a.test/other’ saved [5/5]") +
			try("", "http://a.test/whole", "5", "‘a.test/whole’ saved [5/5]") + logEnd,
		"a.test/short": "12345", "a.test/chunked": "12345", "a.test/again": "12345", "a.test/other": "1234567",
		"a.test/whole": "12345", "a.test/refused": "12345", "a.test/gone": "12345", "a.test/back": "12345",
	}))
	want := map[string]struct {
		grade     source.Grade
		truncated string
		sent      int64
	}{
		"short": {source.Differing, "disconnect", 20}, "chunked": {source.Differing, "disconnect", -1},
		"again": {source.OriginalFile, "", 5}, "other": {source.Differing, "", 5},
		"whole": {source.OriginalFile, "", 5}, "back": {source.OriginalFile, "", 5},
		"refused": {source.Differing, "disconnect", -1}, "gone": {source.Differing, "disconnect", -1},
	}
	var found []string
	n := 0
	for r, err := range m.Resources(context.Background(), func(f model.Finding) {
		found = append(found, f.Code+" "+f.Path+" "+f.Message)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		w := want[strings.TrimPrefix(r.URL, "http://a.test/")]
		if r.Grade != w.grade || r.Truncated != w.truncated || r.Sent != w.sent || r.File == "" ||
			r.Status != 200 {
			t.Errorf("%s: %d, %s, truncated %q, %d sent: %q", r.URL, r.Status, r.Grade, r.Truncated, r.Sent, r.Why)
		}
	}
	const brokeOff = ` it has 5 bytes of a response that broke off: the log has "Read error at byte 5 ` +
		`(Connection reset by peer).Retrying."`
	expect(t, found, `WGET-SIZE a.test/refused`+brokeOff, `WGET-SIZE a.test/gone`+brokeOff,
		`WGET-SIZE a.test/short it has 5 bytes of a response that broke off; the server announced 20: `+
			`the log has "Connection closed at byte 5. Giving up."`,
		`WGET-SIZE a.test/chunked it has 5 bytes of a response that broke off: the log has "Read error at byte 5 `+
			`(Connection reset by peer).Giving up."`,
		`WGET-SIZE a.test/other it has 7 bytes, but the log reports 5`)
	if n != len(want) {
		t.Errorf("%d URLs", n)
	}
}
