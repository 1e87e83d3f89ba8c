package identify_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quire/preserve/identify"
)

func newIdentifier(t testing.TB, o identify.Options) *identify.Identifier {
	t.Helper()
	id, err := identify.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func payload(name, mime string, data []byte) identify.Payload {
	return identify.Payload{Name: name, MIME: mime, Head: data, Size: int64(len(data))}
}

// png returns a picture of one black pixel.
func png() []byte {
	chunk := func(kind, data string) string {
		b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
		b = append(b, kind+data...)
		return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:])))
	}
	return []byte("\x89PNG\r\n\x1a\n" + chunk("IHDR", "\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00") +
		chunk("IDAT", "\x78\x9c\x62\x60\x00\x00\x00\x02\x00\x01") + chunk("IEND", ""))
}

func gif() []byte {
	return []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff\x2c\x00\x00\x00\x00\x01\x00\x01" +
		"\x00\x00\x02\x02\x44\x01\x00\x3b")
}

// pdf returns a PDF of about n bytes.
func pdf(n int) []byte {
	body := strings.Repeat("% a comment in the body of the document\n", n/40)
	return []byte("%PDF-1.4\n" + body +
		"1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\nstartxref\n9\n%%EOF\n")
}

// archive returns a ZIP archive of the named entries; each has fill zero bytes after its text.
func archive(t testing.TB, fill int, entries ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(entries); i += 2 {
		w, err := z.Create(entries[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(append([]byte(entries[i+1]), make([]byte, fill)...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// docx returns the part of a Word document that PRONOM's container signature requires.
func docx(t testing.TB, fill int) []byte {
	return archive(t, fill, "[Content_Types].xml",
		`<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">`+
			`<Override PartName="/word/document.xml" `+
			`ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
		"word/document.xml", `<w:document/>`)
}

func TestIdentify(t *testing.T) {
	id := newIdentifier(t, identify.Options{})
	html := "<!DOCTYPE html>\n<html><head><title>The harbour</title></head><body><p>Ships.</p></body></html>\n"
	for name, c := range map[string]struct {
		in      identify.Payload
		puid    string
		basis   string // part of it
		warning string // part of it; "" means none
	}{
		"PNG": {payload("http://a.example/x.png", "image/png", png()), "fmt/11",
			"byte match at [[0 16] [55 12]]", ""},
		"PNG by content alone": {payload("", "", png()), "fmt/11", "byte match", ""},
		"PNG declared as JPEG": {payload("http://a.example/x.jpg", "image/jpeg", png()), "fmt/11",
			"byte match", "extension mismatch; MIME mismatch"},
		"GIF": {payload("http://a.example/x.gif", "image/gif", gif()), "fmt/4",
			"extension match gif; ", ""},
		"PDF 1.4": {payload("http://a.example/x.pdf", "application/pdf", pdf(100)), "fmt/18",
			"byte match", ""},
		"HTML 5": {payload("http://a.example/", "text/html; charset=utf-8", []byte(html)),
			"fmt/471", "byte match", ""},
		"an answer of a script": {payload("http://a.example/index.php?page=1", "text/html", []byte(html)),
			"fmt/471", "byte match", ""},
		"XML": {payload("http://a.example/x.xml", "application/xml",
			[]byte("<?xml version=\"1.0\"?>\n<harbour/>\n")), "fmt/101", "byte match", ""},
		"SVG": {payload("x.svg", "image/svg+xml",
			[]byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" version="1.1"></svg>`)), "fmt/92",
			"byte match", ""},
		"ZIP": {payload("http://a.example/x.zip", "application/zip",
			archive(t, 0, "a.txt", "ships")), "x-fmt/263", "", ""},
		"DOCX": {payload("http://a.example/x.docx", "", docx(t, 0)), "fmt/412", "container",
			""},
		"text": {payload("http://a.example/x.txt", "text/plain",
			[]byte("Ships in the harbour.\n")), "x-fmt/111", "text match ASCII", ""},
		"text without a name": {payload("", "", []byte("Ships in the harbour.\n")), "x-fmt/111",
			"text match ASCII", "match on text only"},
		"style sheet": {payload("http://a.example/x.css?v=2", "text/css",
			[]byte("p { color: red }\n")), "x-fmt/224", "extension match css", "match on extension and MIME only"},
		"script": {payload("http://a.example/x.js", "application/javascript",
			[]byte("let a = 1;\n")), "x-fmt/423", "extension match js", "match on extension and MIME only"},
		"the name of a program is no hint": {payload("http://a.example/x.php", "text/plain", []byte("Ships.\n")),
			"x-fmt/111", "text match", ""},
		"bytes without meaning": {payload("", "", []byte{0xFE, 0x00, 0x01, 0x02, 0x80, 0x00}), "", "",
			"no match"},
		"empty": {payload("http://a.example/x.png", "image/png", nil), "", "",
			"the payload is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			r := id.Identify(c.in)
			if r.PUID != c.puid || r.Known() != (c.puid != "") {
				t.Errorf("got %+v, want %q", r, c.puid)
			}
			if !strings.Contains(r.Basis, c.basis) {
				t.Errorf("basis is %q, want %q in it", r.Basis, c.basis)
			}
			if !strings.Contains(r.Warning, c.warning) || (c.warning == "" && r.Warning != "") {
				t.Errorf("warning is %q, want %q", r.Warning, c.warning)
			}
		})
	}
}

// TestResultIsComplete checks that a result has all of PRONOM's values for the format.
func TestResultIsComplete(t *testing.T) {
	got := newIdentifier(t, identify.Options{}).Identify(payload("", "", pdf(100)))
	want := identify.Result{PUID: "fmt/18", Name: "Acrobat PDF 1.4 - Portable Document Format", Version: "1.4",
		MIME: "application/pdf"}
	got.Basis = ""
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestLargePayload checks that the start and the end of a payload beyond the size limit decide, as
// the basis states.
func TestLargePayload(t *testing.T) {
	data := pdf(3 << 20)
	id := newIdentifier(t, identify.Options{MaxBytes: 64 << 10})
	w := identify.NewWindow(id.MaxBytes())
	for rest := data; len(rest) > 0; {
		n := min(len(rest), 10_007)
		if _, err := w.Write(rest[:n]); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	part := w.Payload("", "")
	if len(part.Head)+len(part.Tail) > 64<<10 {
		t.Errorf("the window holds %d bytes", len(part.Head)+len(part.Tail))
	}
	streamed, whole := id.Identify(part), id.Identify(payload("", "", data))
	if streamed != whole {
		t.Errorf("by window %+v\nby slice  %+v", streamed, whole)
	}
	if want := fmt.Sprintf("in the first 57344 and the last 8192 of %d bytes", len(data)); streamed.PUID != "fmt/18" ||
		!strings.Contains(streamed.Basis, want) {
		t.Errorf("got %+v, want fmt/18 and %q", streamed, want)
	}
	headOnly := id.Identify(identify.Payload{Head: data[:1000], Size: int64(len(data))})
	if !strings.Contains(headOnly.Basis, "in the first 1000 of") {
		t.Errorf("of the head alone: %+v", headOnly)
	}
}

// TestSubmit checks that concurrent results equal the results of Identify, and that the caller may
// overwrite submitted bytes.
func TestSubmit(t *testing.T) {
	id := newIdentifier(t, identify.Options{Workers: 3})
	want := []string{"fmt/11", "fmt/4", "fmt/18", "x-fmt/263", "fmt/412", "x-fmt/111"}
	inputs := [][]byte{png(), gif(), pdf(500), archive(t, 0, "a.txt", "ships"), docx(t, 0), []byte("Ships.\n")}
	var all sync.WaitGroup
	for g := range 3 {
		all.Go(func() {
			var pending []*identify.Pending
			var buf []byte
			for i := range 60 {
				data := inputs[i%len(inputs)]
				buf = append(buf[:0], data...)
				p := payload(fmt.Sprintf("http://a.example/%d-%d", g, i), "", buf)
				if i%7 == 0 {
					p.MIME = fmt.Sprintf("x-test/%d-%d", g, i) // a new payload
				}
				pending = append(pending, id.Submit(p))
				clear(buf)
			}
			for i, p := range pending {
				if r := p.Wait(); r.PUID != want[i%len(want)] {
					t.Errorf("payload %d: %+v, want %s", i, r, want[i%len(want)])
				}
				if !p.Done() {
					t.Errorf("payload %d is not done after Wait", i)
				}
			}
		})
	}
	all.Wait()
}

// TestOnce checks that a repeated payload is not identified again, unless its extension or declared
// type differs.
func TestOnce(t *testing.T) {
	id := newIdentifier(t, identify.Options{})
	first := id.Submit(payload("http://a.example/x.png", "image/png", png()))
	for name, c := range map[string]struct {
		p    identify.Payload
		same bool
	}{
		"another address":      {payload("http://b.example/y.png?v=3", "image/png", png()), true},
		"parameters of a type": {payload("http://b.example/y.png", "IMAGE/PNG; q=1", png()), true},
		"another extension":    {payload("http://a.example/x.gif", "image/png", png()), false},
		"another type":         {payload("http://a.example/x.png", "image/gif", png()), false},
		"another payload":      {payload("http://a.example/x.png", "image/png", gif()), false},
		"with its digest": {identify.Payload{Name: "x.png", MIME: "image/png", Head: png(), Size: int64(len(png())),
			SHA256: sha256.Sum256(png())}, false},
		"the same in two parts": {identify.Payload{Name: "x.png", MIME: "image/png", Head: png()[:20], Tail: png()[10:],
			Size: int64(len(png()))}, true},
	} {
		if got := id.Submit(c.p) == first; got != c.same {
			t.Errorf("%s: shares the result: %t, want %t", name, got, c.same)
		}
	}
}

// TestDigestOfTheCaller checks that a digest stands for the content, and for the content only.
func TestDigestOfTheCaller(t *testing.T) {
	id := newIdentifier(t, identify.Options{})
	digested := func(name, mime string, data []byte) identify.Payload {
		p := payload(name, mime, data)
		p.SHA256 = sha256.Sum256(data)
		return p
	}
	first := id.Submit(digested("x.png", "image/png", png()))
	if r := first.Wait(); r.PUID != "fmt/11" {
		t.Errorf("got %+v", r)
	}
	for name, c := range map[string]struct {
		p    identify.Payload
		same bool
	}{
		"another address":   {digested("http://b.example/y.png?v=3", "image/png", png()), true},
		"another extension": {digested("x.gif", "image/png", png()), false},
		"another type":      {digested("x.png", "image/gif", png()), false},
		"another payload":   {digested("x.png", "image/png", gif()), false},
	} {
		if got := id.Submit(c.p) == first; got != c.same {
			t.Errorf("%s: shares the result: %t, want %t", name, got, c.same)
		}
	}
}

// TestForgetting checks that the cache is limited, and that its eviction changes no result.
func TestForgetting(t *testing.T) {
	id := newIdentifier(t, identify.Options{Remember: 4})
	text := func(i int) identify.Payload { return payload("", "", fmt.Appendf(nil, "Ship number %d.\n", i)) }
	first := id.Submit(text(0))
	for i := 1; i < 10; i++ {
		id.Submit(text(i)).Wait()
	}
	again := id.Submit(text(0))
	if again == first {
		t.Error("10 payloads are remembered where 4 may be")
	}
	if again.Wait() != first.Wait() {
		t.Errorf("got %+v, then %+v", first.Wait(), again.Wait())
	}
}

// TestDeterminism checks that a new identification of every payload has exactly the same result.
func TestDeterminism(t *testing.T) {
	inputs := [][]byte{png(), pdf(2000), docx(t, 10), []byte("<html><body>"), gif(), append(gif(), pdf(50)...)}
	var want []identify.Result
	for round := range 30 {
		id := newIdentifier(t, identify.Options{})
		for i, data := range inputs {
			r := id.Identify(payload("http://a.example/x.bin", "application/octet-stream", data))
			if round == 0 {
				want = append(want, r)
			} else if r != want[i] {
				t.Fatalf("payload %d: %+v, before %+v", i, r, want[i])
			}
		}
	}
}

func TestSoftware(t *testing.T) {
	s := newIdentifier(t, identify.Options{}).Software()
	if s.Name != "siegfried" || s.Version != "1.11.2" || !strings.Contains(s.Signature, "DROID_SignatureFile_V") {
		t.Errorf("got %+v", s)
	}
	if s.Created.Before(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)) || s.Created.Location() != time.UTC {
		t.Errorf("the signatures are of %v", s.Created)
	}
	if !strings.HasPrefix(s.String(), "siegfried 1.11.2 with DROID_SignatureFile_V") {
		t.Error(s)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, o := range map[string]identify.Options{
		"no such signature file": {Signature: filepath.Join(dir, "absent.sig")},
		"no signature file":      {Signature: write("text.sig", "a text that is no signature file")},
		"an empty file":          {Signature: write("empty.sig", "")},
		"a damaged file":         {Signature: write("damaged.sig", "sf\x00\xff\x01\x0b\x03\x00")}, // deflated nothing
		"too few bytes":          {MaxBytes: 100},
	} {
		if _, err := identify.New(o); err == nil {
			t.Errorf("%s: no error", name)
		} else if o.Signature != "" && !strings.Contains(err.Error(), o.Signature) {
			t.Errorf("%s: the error does not name the file: %v", name, err)
		}
	}
}
