package inspect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"runtime"
	"slices"
	"strings"
	"testing"

	"quire/model"
)

// The identified payloads, with their formats and sizes.
func TestFormats(t *testing.T) {
	const image = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n"
	gz := string(zip(t, png))
	pngOf := func(n int) string { return fmt.Sprintf("Portable Network Graphics 1.0 fmt/11 1 %d", n) }
	text := func(n int) string { return fmt.Sprintf("Plain Text File x-fmt/111 1 %d", n) }
	for _, c := range []struct{ name, file, want string }{
		{"a response", response(image + "\r\n" + png), pngOf(len(png))},
		{"in chunks", response(image + "Transfer-Encoding: chunked\r\n\r\n" + chunkedOf(png)),
			pngOf(len(chunkedOf(png)))},
		{"coded", response(image + "Content-Encoding: gzip\r\n\r\n" + gz), pngOf(len(gz))},
		{"coded, in chunks", response(image + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" +
			chunkedOf(gz)), pngOf(len(chunkedOf(gz)))},
		{"said to be coded", response(image + "Content-Encoding: gzip\r\n\r\n" + png), pngOf(len(png))},
		{"coded in a way that is not known", response(image + "Content-Encoding: x\r\n\r\n" + png), pngOf(len(png))},
		{"truncated", response(image+"\r\n"+png, "WARC-Truncated: length"), pngOf(len(png))},
		{"HTTP/0.9", response(png), pngOf(len(png))},
		{"a resource", record("resource", png, target, "Content-Type: image/png"), pngOf(len(png))},
		{"a conversion", record("conversion", png, target, "Content-Type: image/png"), pngOf(len(png))},
		{"metadata", record("metadata", "via: x\r\n", "Content-Type: application/warc-fields"), ""},
		{"no HTTP", record("response", "a.org. 300 IN A 192.0.2.1\n", "WARC-Target-URI: dns:a.org",
			"Content-Type: text/dns"), text(26)},
		{"a request", record("request", "GET / HTTP/1.1\r\n\r\nhello", target,
			"Content-Type: application/http;msgtype=request"), ""},
		{"a revisit", record("revisit", image+"\r\n", target, identical, refers, asHTTP), ""},
		{"a segment", record("response", image+"\r\n"+png, target, asHTTP, "WARC-Segment-Number: 1"), ""},
		{"nothing", response(image + "\r\n"), ""},
	} {
		got := inspectBytes(t, []byte(warcinfo+c.file), Options{Identify: identifier(t)})
		var formats []string
		for _, f := range got.Formats {
			formats = append(formats, fmt.Sprintf("%s %s %d %d", f.FullName(), f.PUID, f.Count, f.Bytes))
		}
		if strings.Join(formats, "; ") != c.want {
			t.Errorf("%s: formats %q, want %q", c.name, formats, c.want)
		}
		if n := got.FindingCounts["HTTP-CONTENT-TYPE"] + got.FindingCounts["WARC-CONTENT-TYPE-IDENTIFIED"]; n > 0 {
			t.Errorf("%s: %v", c.name, got.Findings)
		}
	}
	if got := inspectBytes(t, []byte(warcinfo+response(image+"\r\n"+png)), Options{}); got.Formats == nil ||
		len(got.Formats) > 0 {
		t.Errorf("not asked for: %v", got.Formats)
	}
}

// A coded picture and the file with the same bytes have different formats, also where both digests of
// the body are computed: the digest is of the identified content.
func TestFormatsByDigest(t *testing.T) {
	gz := string(zip(t, png))
	coded := "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Encoding: gzip\r\n"
	file := warcinfo + response(coded+"\r\n"+gz) + record("resource", gz, target, "Content-Type: image/png") +
		response(coded+"Transfer-Encoding: chunked\r\n\r\n"+chunkedOf(gz)) +
		response("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nTransfer-Encoding: chunked\r\n\r\n"+chunkedOf(gz)) +
		response("HTTP/1.1 206 Partial Content\r\nContent-Type: image/png\r\nContent-Encoding: gzip\r\n\r\n"+gz)
	for _, bodies := range []Bodies{NoBodies, SentBodies, AllBodies} {
		var formats []string
		for _, r := range told(t, []byte(file), Options{Identify: identifier(t), Bodies: bodies})[1:] {
			formats = append(formats, r.Format.PUID)
		}
		if got := strings.Join(formats, " "); got != "fmt/11 x-fmt/266 fmt/11 x-fmt/266 x-fmt/266" {
			t.Errorf("bodies %d: %s", bodies, got)
		}
	}
}

func TestContentDigest(t *testing.T) {
	sent, served := [32]byte{1}, [32]byte{2}
	for name, c := range map[string]struct {
		body *model.Body
		size int64
		want [32]byte
	}{
		"no body":   {nil, 5, [32]byte{}},
		"as it is":  {&model.Body{Whole: true, SHA256: sent}, 5, sent},
		"not whole": {&model.Body{SHA256: sent}, 5, [32]byte{}},
		"a part":    {&model.Body{Whole: true, SHA256: sent}, 4, [32]byte{}},
		"coded": {&model.Body{Whole: true, SHA256: sent, Removed: []string{"gzip"}, ServedSHA256: served,
			ServedLength: 9}, 9, served},
		"coded, as sent": {&model.Body{Whole: true, SHA256: sent, Removed: []string{"gzip"}, ServedSHA256: served,
			ServedLength: 9}, 5, [32]byte{}},
	} {
		e := entry{payload: 5, body: c.body}
		if got := e.contentDigest(c.size); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Only complete content can contradict its declared type, and the report does not depend on the
// division of the work.
func TestDeclaredTypes(t *testing.T) {
	const jpeg = "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n"
	var file bytes.Buffer
	file.WriteString(warcinfo)
	for i := range 2500 { // more than are processed at once
		file.WriteString(response(jpeg + fmt.Sprintf("X: %d\r\n\r\n", i) + png + fmt.Sprint(i)))
		file.WriteString(response("garbage"))
	}
	file.WriteString(response(strings.Replace(jpeg, "200 OK", "206 Partial Content", 1) + "\r\n" + png))
	var first []model.Finding
	for range 3 {
		var all []model.Finding
		got := inspectBytes(t, file.Bytes(),
			Options{Identify: identifier(t), Finding: func(f model.Finding) { f.Record = nil; all = append(all, f) }})
		if got.FindingCounts["HTTP-CONTENT-TYPE"] != 2500 || len(got.Formats) != 2 ||
			got.Formats[0].Count+got.Formats[1].Count != 5001 {
			t.Fatalf("%v, %v", got.FindingCounts, got.Formats)
		}
		if first == nil {
			first = all
		}
		if !slices.Equal(all, first) {
			t.Error("two passes report in different order")
		}
	}
}

// A pass that ends early, inside an encoded body, leaves no goroutine.
func TestEarlyEnd(t *testing.T) {
	id := identifier(t)
	random := make([]byte, 3<<20)
	rand.New(rand.NewSource(1)).Read(random) //nolint:gosec // the same bytes every time
	file := []byte(warcinfo + strings.Repeat(response("HTTP/1.1 200 OK\r\n\r\n"+png), 50) +
		response("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"+string(zip(t, string(random)))))
	before := runtime.NumGoroutine()
	_, err := Reader(context.Background(), bytes.NewReader(file),
		Options{Identify: id, CopyTo: &fullAfter{room: 2 << 20}})
	if !errors.Is(err, errFull) {
		t.Errorf("the pass says %v", err)
	}
	allEnded(t, before)
}
