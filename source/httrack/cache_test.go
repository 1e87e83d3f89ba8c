package httrack

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/archivefs"
)

// made is a generated cache entry.
type made struct{ url, headers, body string }

func headers(status int, inCache bool, more ...string) string {
	in := 0
	if inCache {
		in = 1
	}
	return fmt.Sprintf("HTTP/1.1 %d OK\r\nX-In-Cache: %d\r\nX-StatusCode: %d\r\nX-StatusMessage: OK\r\n%s", status, in,
		status, strings.Join(append(more, ""), "\r\n"))
}

// zipCache returns a new.zip like HTTrack's: the headers are in the local extra field, and not in
// the directory.
func zipCache(entries ...made) []byte {
	var b, dir bytes.Buffer
	le := binary.LittleEndian
	for _, e := range entries {
		var packed bytes.Buffer
		w, _ := flate.NewWriter(&packed, flate.BestSpeed)
		_, _ = io.WriteString(w, e.body)
		_ = w.Close()
		at := uint32(b.Len())
		h := make([]byte, localSize)
		copy(h, localMark)
		le.PutUint16(h[4:], 20)
		le.PutUint16(h[8:], 8)
		le.PutUint32(h[14:], crc32.ChecksumIEEE([]byte(e.body)))
		le.PutUint32(h[18:], uint32(packed.Len()))
		le.PutUint32(h[22:], uint32(len(e.body)))
		le.PutUint16(h[26:], uint16(len(e.url)))
		le.PutUint16(h[28:], uint16(len(e.headers)))
		b.Write(h)
		b.WriteString(e.url + e.headers)
		b.Write(packed.Bytes())
		c := make([]byte, centralSize)
		copy(c, centralMark)
		copy(c[6:32], h[4:30])
		le.PutUint16(c[30:], 0)
		le.PutUint32(c[42:], at)
		dir.Write(c)
		dir.WriteString(e.url)
	}
	end := make([]byte, endSize)
	copy(end, endMark)
	le.PutUint16(end[10:], uint16(len(entries)))
	le.PutUint32(end[12:], uint32(dir.Len()))
	le.PutUint32(end[16:], uint32(b.Len()))
	b.Write(dir.Bytes())
	b.Write(end)
	return b.Bytes()
}

// datCache returns new.ndx and new.dat like HTTrack's until 3.30.
func datCache(entries ...made) (ndx, dat []byte) {
	str := func(s string) string { return fmt.Sprintf("%d\n%s", len(s), s) }
	index, data := str("CACHE-1.4")+str("Thu, 03 Apr 2003 01:00:14 GMT"), "padding "
	for _, e := range entries {
		host, path, _ := strings.Cut(e.url, "/")
		at := len(data)
		if e.body == "" {
			at = -at
		}
		index += str(host+"\n/"+path+"\n") + fmt.Sprintf("%d\n", at)
		for _, s := range append(strings.Split(e.headers, "|"), "SD", "x", "HTS", fmt.Sprint(len(e.body))) {
			data += str(s)
		}
		data += e.body
	}
	return []byte(index), []byte(data)
}

func mirrorOf(t *testing.T, files map[string]string) *archivefs.Tree {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := archivefs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	return tr
}

var three = []made{
	{"http://a.test/", headers(200, true, "Content-Type: text/html", "X-Size: 12", "X-Save: a.test/index.html"),
		"<p>original"},
	{"http://a.test/x y", headers(301, false, "Location: /dir/"), ""},
	{"https://a.test/z", headers(200, true), strings.Repeat("z", 5000)},
}

// scan reads a zip and returns the entries, with one line for each fault.
func scan(t *testing.T, b []byte) (found []*Entry, told []string, torn error) {
	t.Helper()
	torn, err := readZip(bytes.NewReader(b), int64(len(b)), func(e *Entry) {
		found = append(found, e)
	}, func(at int64, problem string) { told = append(told, fmt.Sprintf("%d: %s", at, problem)) })
	if err != nil {
		t.Fatal(err)
	}
	return found, told, torn
}

func TestZipHeadersAreInTheLocalExtraField(t *testing.T) {
	whole := zipCache(three...)
	found, told, torn := scan(t, whole)
	if len(found) != 3 || len(told) > 0 || torn != nil {
		t.Fatalf("%d entries, %v, %v", len(found), told, torn)
	}
	a, x := found[0], found[1]
	if a.URL != "http://a.test/" || a.Status != 200 || !a.InCache || a.Size != 12 || a.Save != "a.test/index.html" ||
		a.Message != "OK" || a.Header("content-type") != "text/html" {
		t.Errorf("%+v", a)
	}
	if x.URL != "http://a.test/x y" || x.Status != 301 || x.InCache || x.Location != "/dir/" || x.Size != -1 ||
		x.Save != "" {
		t.Errorf("%+v", x)
	}
}

// TestTornZipIsReadEntryByEntry reads a zip after a crash: it has no directory, and its last entry
// is truncated.
func TestTornZipIsReadEntryByEntry(t *testing.T) {
	whole := zipCache(three...)
	dir := bytes.Index(whole, centralMark)
	for _, c := range []struct {
		name       string
		b          []byte
		want, told int
	}{
		{"no directory", whole[:dir], 3, 0},
		{"half a directory", whole[:dir+20], 3, 0},
		{"half a body", whole[:dir-3], 2, 1},
		{"half a header", whole[:bytes.LastIndex(whole[:dir], localMark)+9], 2, 1},
		{"nothing", nil, 0, 0},
		{"no zip", []byte(strings.Repeat("x", 100)), 0, 1},
	} {
		found, told, torn := scan(t, c.b)
		if len(found) != c.want || len(told) != c.told || torn == nil {
			t.Errorf("%s: %d entries, %v, %v", c.name, len(found), told, torn)
		}
	}
}

func TestHostileZip(t *testing.T) {
	whole := zipCache(three...)
	second := bytes.Index(whole[4:], localMark) + 4
	for _, c := range []struct {
		name string
		at   int
		put  []byte
		want string
	}{
		{"bomb", 22, []byte{0xff, 0xff, 0xff, 0x7f}, "0: it claims 2147483647 bytes"},
		{"4 GiB", 22, []byte{0xff, 0xff, 0xff, 0xff}, "0: it is larger than 4 GiB"},
		{"encrypted", 6, []byte{1}, "0: it is encrypted"},
		{"streamed", 6, []byte{8}, "0: its length follows the data"},
		{"method", 8, []byte{12}, "0: it is compressed by method 12"},
		{"overlap", 18, []byte{200, 0}, fmt.Sprintf("%d: it lies within the entry before", second)},
		{"no headers", localSize + len(three[0].url), []byte("XXXX"), "0: its extra field holds no headers"},
	} {
		b := bytes.Clone(whole)
		copy(b[c.at:], c.put)
		_, told, _ := scan(t, b)
		if len(told) == 0 || !strings.HasPrefix(told[0], c.want) {
			t.Errorf("%s: %q", c.name, told)
		}
	}
	twice := bytes.Clone(whole) // two entries of the directory at one place
	first := bytes.Index(twice, centralMark)
	next := first + 4 + bytes.Index(twice[first+4:], centralMark)
	copy(twice[next+42:next+46], twice[first+42:first+46])
	if found, _, torn := scan(t, twice); torn == nil || len(found) != 3 {
		t.Errorf("one place twice: %d entries, %v", len(found), torn)
	}
}

func contentOf(t *testing.T, m *Mirror) *Content {
	c := m.Content()
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func TestBodies(t *testing.T) {
	b := zipCache(three...)
	m := onlyHarvest(t, mirrorOf(t, map[string]string{"m/hts-cache/new.zip": string(b)})).Mirror
	content := contentOf(t, m)
	for i, want := range []string{three[0].body, "", three[2].body} {
		c, err := content.Body(m.Captures[i].Entry)
		if want == "" {
			if !errors.Is(err, ErrNoBody) {
				t.Errorf("a redirect has a body: %v", err)
			}
			continue
		}
		got, err := io.ReadAll(c)
		if err != nil || string(got) != want {
			t.Errorf("%d: %d bytes, %v", i, len(got), err)
		}
	}
	b[14]++ // the checksum
	le := binary.LittleEndian
	third := bytes.LastIndex(b[:bytes.Index(b, centralMark)], localMark)
	le.PutUint32(b[third+22:], 6000) // longer than the actual length
	m = onlyHarvest(t, mirrorOf(t, map[string]string{"hts-cache/new.zip": string(b)})).Mirror
	content = contentOf(t, m)
	for i, want := range map[int]string{0: "checksum", 2: "lacks 1000 bytes"} {
		c, err := content.Body(m.Captures[i].Entry)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not reported: %v", want, err)
		}
	}
}

func TestOldCache(t *testing.T) {
	ndx, dat := datCache(made{"www.a.test/x.html", "200|5|OK|text/html|Wed, 07 Mar 2001 01:34:34 GMT|\"e\"", "hello"},
		made{"https://www.a.test/", "301|0|Moved|||", ""}, made{"www.a.test/n", "404|0|Not Found|text/html||", ""})
	m := onlyHarvest(t, mirrorOf(t,
		map[string]string{"hts-cache/new.ndx": string(ndx), "hts-cache/new.dat": string(dat)})).Mirror
	if len(m.Captures) != 3 || len(m.findings.list) > 0 || m.Captures[1].URL != "https://www.a.test/" ||
		m.Captures[1].Assumed {
		t.Fatalf("%d captures, %v", len(m.Captures), m.findings.list)
	}
	x, n := m.Captures[0], m.Captures[2]
	if x.URL != "http://www.a.test/x.html" || !x.Assumed || x.Status() != 200 || x.Entry.Header("Etag") != `"e"` ||
		n.Status() != 404 || n.Entry.InCache {
		t.Errorf("%+v %+v", x.Entry, n.Entry)
	}
	b, err := contentOf(t, m).Body(x.Entry)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(b); string(got) != "hello" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for name, files := range map[string]map[string]string{
		"no dat": {"hts-cache/new.ndx": string(ndx)},
		"cut off": {"hts-cache/new.ndx": string(ndx[:len(ndx)-4]),
			"hts-cache/new.dat": string(dat[:len(dat)/2])},
		"no index":       {"hts-cache/new.ndx": "5\nhello", "hts-cache/new.dat": ""},
		"endless string": {"hts-cache/new.ndx": "99999999999\nCACHE", "hts-cache/new.dat": ""},
		"long number":    {"hts-cache/new.ndx": strings.Repeat("1", 10000), "hts-cache/new.dat": ""},
	} {
		if m := onlyHarvest(t, mirrorOf(t, files)).Mirror; len(m.findings.list) == 0 ||
			m.findings.list[0].Code != findCache {
			t.Errorf("%s: %v", name, m.findings.list)
		}
	}
}

func FuzzCache(f *testing.F) {
	f.Add(zipCache(three...))
	f.Add(zipCache(three...)[:200])
	ndx, dat := datCache(made{"a.test/x", "200|5|OK|text/html||", "hello"})
	f.Add(ndx)
	f.Add(dat)
	f.Fuzz(func(t *testing.T, b []byte) {
		size := int64(len(b))
		within := func(e *Entry) {
			if e.body.at < 0 || e.body.stored < 0 || e.body.at+e.body.stored > size ||
				e.body.size > maxRatio*(e.body.stored+1) {
				t.Errorf("%+v of %d bytes", e.body, size)
			}
		}
		if _, err := readZip(bytes.NewReader(b), size, within, func(int64, string) {}); err != nil {
			t.Error(err)
		}
		_ = readIndex(bytes.NewReader(b), func(url string, at int64) error {
			if e, err := readDat(bytes.NewReader(b), size, url, at); err == nil {
				within(e)
			}
			return nil
		})
		for at := range min(size, 8) {
			if e, err := readDat(bytes.NewReader(b), size, "a/", at); err == nil {
				within(e)
			}
		}
	})
}
