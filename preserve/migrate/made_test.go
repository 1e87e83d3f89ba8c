package migrate

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/format/warc"
	"quire/model"
	"quire/preserve/pack"
)

// record is one record of a test's source.
type record struct {
	kind, uri string
	head      string // header of the HTTP response; "" if there is no response
	body      string
	media     string            // media type of the block, if head is empty
	fields    map[string]string // fields in addition to the usual fields
}

const xbm = "#define a_width 10\n#define a_height 2\nstatic char a_bits[] = {\n 0x01, 0x02, 0xff, 0x03};\n"

func gifOf(t testing.TB, frames int) string {
	t.Helper()
	g := &gif.GIF{}
	for i := range frames {
		m := image.NewPaletted(image.Rect(0, 0, 8, 8), color.Palette{color.White, color.Black})
		m.Pix[i] = 1
		g.Image, g.Delay = append(g.Image, m), append(g.Delay, 10)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipped(t testing.TB, s string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// crawl returns records as on the web: complete, encoded, truncated, wrongly declared, partial.
func crawl(t testing.TB) []record {
	ok := func(media string) string { return "HTTP/1.1 200 OK\r\nContent-Type: " + media + "\r\n" }
	still, moving := gifOf(t, 1), gifOf(t, 3)
	page := "<html><head><meta charset=iso-8859-1><title>K\xe4se</title></head><body>x</body></html>"
	coded := gzipped(t, page)
	return []record{
		{uri: "http://example.org/still.gif", head: ok("image/gif"), body: still},
		{uri: "http://example.org/moving.gif", head: ok("image/gif"), body: moving},
		{uri: "http://example.org/named.txt", head: ok("text/plain"), body: still}, // identified by its bytes
		{uri: "http://example.org/missing.gif", head: ok("image/gif"), body: "<html><body>not found</body></html>"},
		{uri: "http://example.org/cut.gif", head: ok("image/gif"), body: moving[:len(moving)-9]},
		{uri: "http://example.org/part.gif", head: "HTTP/1.1 206 Partial Content\r\nContent-Type: image/gif\r\n",
			body: still[:20]},
		{uri: "http://example.org/empty.gif", head: ok("image/gif")},
		{uri: "http://example.org/long.gif", head: ok("image/gif"), body: still,
			fields: map[string]string{warc.FieldTruncated: "length"}},
		{uri: "http://example.org/seg.gif", head: ok("image/gif"), body: still,
			fields: map[string]string{warc.FieldSegmentNumber: "1"}},
		{uri: "http://example.org/bad.gif", head: ok("image/gif"), body: still,
			fields: map[string]string{warc.FieldPayloadDigest: "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}},
		{kind: warc.TypeResource, uri: "http://example.org/a.xbm", media: "image/x-xbitmap", body: xbm},
		{uri: "http://example.org/", head: ok("text/html") + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
			body: fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(coded), coded)},
		{uri: "http://example.org/broken", head: ok("text/html; charset=koi8-r") + "Content-Encoding: gzip\r\n",
			body: coded[:len(coded)-12]},
		{uri: "http://example.org/mark", head: ok("text/html"), body: "\xff\xfe"},
		{uri: "http://example.org/utf8", head: ok("text/html; charset=utf-8"), body: "<html>\u00e4</html>"},
		{kind: warc.TypeRevisit, uri: "http://example.org/still.gif", head: ok("image/gif"), fields: map[string]string{
			warc.FieldProfile:  warc.ProfileIdenticalPayload11,
			warc.FieldRefersTo: "<urn:uuid:00000000-0000-4000-8000-000000000001>"}},
	}
}

// writeWARC writes a container. If it is compressed, each record has its own member, or all share
// one.
func writeWARC(t testing.TB, path string, records []record, shared bool) {
	t.Helper()
	compression := warc.Gzip
	if shared {
		compression = warc.Plain
	}
	var b bytes.Buffer
	w, err := warc.NewWriter(&b, warc.WriterOptions{Compression: compression})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range records {
		fields := []warc.NameValue{
			{Name: warc.FieldType, Value: warc.TypeResponse}, {Name: warc.FieldTargetURI, Value: r.uri},
			{Name: warc.FieldDate, Value: "2001-02-03T04:05:06Z"},
			{Name: warc.FieldRecordID, Value: fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012d>", i+1)},
		}
		block, media := r.body, r.media
		if r.kind != "" {
			fields[0].Value = r.kind
		}
		if r.head != "" {
			block, media = r.head+"\r\n"+r.body, "application/http;msgtype=response"
		}
		fields = append(fields, warc.NameValue{Name: warc.FieldContentType, Value: media})
		for name, value := range r.fields {
			fields = append(fields, warc.NameValue{Name: name, Value: value})
		}
		if _, _, err := w.WriteBytes(fields, []byte(block)); err != nil {
			t.Fatal(err)
		}
	}
	content := b.Bytes()
	if shared {
		content = []byte(gzipped(t, string(content)))
	}
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// packed makes a package of the crawl with a log.
func packed(t testing.TB, o pack.Options, shared bool) string {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "crawl")
	if err := os.Mkdir(source, 0o777); err != nil {
		t.Fatal(err)
	}
	writeWARC(t, filepath.Join(source, "a.warc.gz"), crawl(t), shared)
	writeWARC(t, filepath.Join(source, "b.warc.gz"), crawl(t)[:1], false)
	if err := os.WriteFile(filepath.Join(source, "notes.txt"), []byte("two containers"), 0o666); err != nil {
		t.Fatal(err)
	}
	o.Out, o.ID, o.Agent = filepath.Join(dir, "package"), "crawl-1", model.Agent{Name: "Quire", Version: "1"}
	if _, err := pack.Pack(context.Background(), []string{source}, o); err != nil {
		t.Fatal(err)
	}
	return o.Out
}

var migrated = time.Date(2026, 11, 22, 10, 20, 30, 0, time.UTC)

// run migrates the package into a folder beside it.
func run(t testing.TB, pkg, rule string, o Options) (*Result, string, error) {
	t.Helper()
	var err error
	if o.Rule == nil {
		if o.Rule, err = ReadRule(rule); err != nil {
			t.Fatal(err)
		}
	}
	o.Out, o.Date, o.Agent = filepath.Join(t.TempDir(), "new"), migrated, model.Agent{Name: "Quire", Version: "2"}
	r, err := Run(context.Background(), pkg, o)
	return r, o.Out, err
}

// ofRule parses a rule.
func ofRule(t testing.TB, text string) *Rule {
	t.Helper()
	r, err := ParseRule(strings.NewReader(text), "the rule")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// dot is a PNG of one pixel.
var dot = func() string {
	b,
		_ := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9Q" +
		"DwADhgGAWjR9awAAAABJRU5ErkJggg==")
	return string(b)
}()
