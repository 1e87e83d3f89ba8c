package mirror

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"quire/model"
	"quire/preserve/inspect"
	"quire/source"
)

// For any source data, the WARC is readable and valid, and has the stored content.
func FuzzConvert(f *testing.F) {
	f.Add("http://a.test/x", 200, "OK", "", "text/html", "a.test/x.html", "HTTP/1.1 200 OK\nContent-Encoding: gzip\n",
		"GET / HTTP/1.1\n", "<p>", true)
	f.Add("http://a.test/\r\n{|}", 301, "\r\n", "/\x00y", "text\r\n", "../\xff", "no head", "", "", false)
	f.Add("", -5, "", "", "", "", "\n\n", "\r\r\n", "body", true)
	f.Fuzz(func(t *testing.T, url string, status int, reason, location, mime, file, response, request, content string,
		rewritten bool) {
		r := source.Resource{
			URL: url, Time: then, Status: status, Reason: reason, Location: location, MIME: mime, File: file,
			Saved: file, Body: body(content), Size: int64(len(content)), Sent: 3,
			Rewritten: rewritten, Grade: source.OriginalFile, Response: head(response), Request: head(request),
			Facts: []model.Field{{Name: "etag", Value: reason}}, Why: []string{location},
		}
		var out bytes.Buffer
		o := Options{Name: "m", Software: "Quire/test", Date: options.Date}
		if _, err := Convert(context.Background(), mirrorOf(r), &out, o); err != nil {
			t.Fatal(err)
		}
		c, err := inspect.Reader(context.Background(), bytes.NewReader(out.Bytes()), inspect.Options{})
		if err != nil || c.Outcome != model.Valid {
			t.Fatalf("%v, %v", err, c.Findings)
		}
		for _, w := range readWARC(t, out.Bytes()) {
			if strings.Contains(w.block, content) {
				return
			}
		}
		t.Error("the bytes are in no record")
	})
}

// A head with changed lines can be restored.
func FuzzRewriteHead(f *testing.F) {
	f.Add("HTTP/1.1 200 OK\nServer: n\n")
	f.Add("HTTP/1.1 200 OK\r\n\r\n")
	f.Add("\r\n\n\r")
	f.Fuzz(func(t *testing.T, kept string) {
		out, renamed, ends := rewriteHead([]byte(kept), nil)
		if renamed || !bytes.HasSuffix(out, []byte("\r\n\r\n")) || ends == (string(out) == kept) {
			t.Errorf("%q, %v, %v", out, renamed, ends)
		}
		if again := strings.TrimSuffix(strings.ReplaceAll(string(out), "\r\n", "\n"), "\n"); undoable([]byte(kept)) &&
			again != kept {
			t.Errorf("%q comes back as %q", kept, again)
		}
	})
}
