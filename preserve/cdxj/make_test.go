package cdxj

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"quire/preserve/inspect"
)

// record returns a record of a WARC file; fields are lines.
func record(kind, id, url, date, block string, fields ...string) string {
	media := "application/http; msgtype=" + kind
	if kind == "resource" || kind == "conversion" {
		media = "text/plain; charset=utf-8"
	}
	fields = append(fields, "Content-Type: "+media)
	if date != "" {
		fields = append(fields, "WARC-Date: "+date)
	}
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Target-URI: %s\r\n%s\r\n"+
		"Content-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, id, url, strings.Join(fields, "\r\n"), len(block), block)
}

func page(body string, fields ...string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x\r\n%sContent-Length: %d\r\n\r\n%s",
		strings.Join(append(fields, ""), "\r\n"), len(body), body)
}

// zipped returns a text in gzip.
func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // a buffer never fails
	_ = z.Close()
	return b.String()
}

const helloSHA1 = "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N" // of "hello"

// odd returns a container with all possible values of a line, and with all causes of missing lines.
func odd() string {
	coded := zipped("<p>hello")
	return record("response", "1", "http://a.example/X?b=1&a=2", "2020-01-02T03:04:05Z", page("hello"),
		"WARC-Payload-Digest: "+helloSHA1) +
		record("request", "2", "http://a.example/X?b=1&a=2", "2020-01-02T03:04:05Z", "GET /X HTTP/1.1\r\n\r\n",
			"WARC-Concurrent-To: <urn:x:1>") +
		record("response", "3", "http://a.example/moved", "2020-01-02T03:04:06Z",
			"HTTP/1.1 302 Found\r\nLocation: ../to#x\r\n\r\n") +
		record("response", "4", "http://a.example/api", "2020-01-02T03:04:07Z", page("{}"), "WARC-Truncated: length") +
		record("request", "5", "http://a.example/api", "2020-01-02T03:04:07Z",
			"POST /api HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{\"a\":[1,\"b\"]}\r\n",
			"WARC-Concurrent-To: <urn:x:4>") +
		record("request", "6", "http://a.example/form", "2020-01-02T03:04:08Z",
			"POST /form HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\nq=1") +
		record("response", "7", "http://a.example/form", "2020-01-02T03:04:08Z", page("x")) +
		record("resource", "8", "http://a.example/file", "2020-01-02T03:04:09Z", "hello",
			"WARC-Payload-Digest: sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824") +
		record("response", "9", "http://a.example/chunks", "2020-01-02T03:04:10Z",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
			"WARC-Payload-Digest: "+helloSHA1) +
		record("response", "10", "http://a.example/coded", "2020-01-02T03:04:10Z",
			page(coded, "Content-Encoding: gzip")) +
		record("response", "11", "http://a.example/wrong", "2020-01-02T03:04:10Z", page("x"),
			"WARC-Payload-Digest: "+helloSHA1) +
		record("response", "12", "http://a.example/md5", "2020-01-02T03:04:10Z", page("hello"),
			"WARC-Payload-Digest: md5:5d41402abc4b2a76b9719d911017c592") +
		record("conversion", "13", "http://a.example/made", "2020-01-02T03:04:10Z", "hello",
			"WARC-Payload-Digest: "+helloSHA1) +
		record("conversion", "\xff14", "http://a.example/\xff", "2020-01-02T03:04:10Z", "other") +
		record("revisit", "15", "http://a.example/again", "2020-01-02T03:04:11Z",
			"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", "WARC-Payload-Digest: "+helloSHA1,
			"WARC-Refers-To-Target-URI: http://a.example/X?b=1&a=2", "WARC-Refers-To-Date: 2020-01-02T03:04:05Z") +
		record("revisit", "16", "http://a.example/same", "2020-01-02T03:04:11Z", "",
			"WARC-Refers-To-Target-URI: http://a.example/\xfe") +
		record("resource", "17", "dns:a.example", "2020-01-02T03:04:09Z", "1.2.3.4") +
		record("response", "18", "http://a.example/part", "2020-01-02T03:04:09Z", "HTTP/1.1 200 OK\r\n\r\nhe",
			"WARC-Segment-Number: 1", "WARC-Payload-Digest: "+helloSHA1) +
		record("continuation", "18b", "http://a.example/part", "", "llo", "WARC-Segment-Number: 2",
			"WARC-Segment-Origin-ID: <urn:x:18>", "WARC-Segment-Total-Length: 24") +
		record("continuation", "18c", "http://a.example/part", "", "llo", "WARC-Segment-Number: 2") +
		record("response", "18d", "http://a.example/part", "2020-01-02T03:04:09Z", "x", "WARC-Segment-Number: 2") +
		record("response", "19", "http://a.example/undated", "", page("x")) +
		record("response", "20"+strings.Repeat("0", 5000), "http://a.example/long-id", "2020-01-02T03:04:12Z",
			page("x")) +
		record("response", "21", "http://a.example/"+strings.Repeat("é", MaxURL/2-100), "2020-01-02T03:04:12Z",
			"HTTP/1.1 301 x\r\nLocation: /"+strings.Repeat("\"", 9000)+"\r\n\r\n") +
		record("response", "22", "http://a.example/"+strings.Repeat("x", MaxURL), "2020-01-02T03:04:12Z", page("x")) +
		record("response", "24", "http://a.example/moved{x}", "2020-01-02T03:04:13Z", page("x")) +
		strings.TrimSuffix(record("response", "23", "http://a.example/cut", "2020-01-02T03:04:12Z",
			page("this breaks off")), "breaks off\r\n\r\n")
}

// made is a container with the lines of a pass over it, and their file.
type made struct {
	of     Container
	header *Header
	left   map[string]int64
	lines  []Line // in order, including those without a date
	file   []byte
}

func makeOf(t testing.TB, name string, content []byte) *made {
	t.Helper()
	m := NewMaker(t.TempDir())
	defer func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := m.Begin(); err != nil {
		t.Fatal(err)
	}
	c, err := inspect.Reader(context.Background(), bytes.NewReader(content),
		m.Options(inspect.Options{Name: name, MaxFindings: -1}))
	if err != nil {
		t.Fatal(err)
	}
	out := &made{of: Container{Path: "containers/" + name, Size: c.Bytes, SHA512: c.SHA512}, left: m.Left()}
	if err := m.Each(func(l *Line) error { out.lines = append(out.lines, *l); return nil }); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if out.header, err = m.Write(&file, out.of); err != nil {
		t.Fatal(err)
	}
	out.file = file.Bytes()
	return out
}

// written returns the lines for the file, in its order.
func (m *made) written() []Line {
	var all []Line
	for _, l := range m.lines {
		if len(l.ID) > maxID {
			l.ID = ""
		}
		all = append(all, l)
	}
	at := func(l *Line) string {
		switch {
		case l.Segment > 0:
			return "!segment " + l.Key + " " + cmp.Or(l.Timestamp, "-") + " "
		case l.Unlisted:
			return "!unlisted " + l.Key + " " + cmp.Or(l.Timestamp, "-") + " "
		}
		return l.Key + " " + l.Timestamp + " "
	}
	slices.SortStableFunc(all, func(a, b Line) int { return strings.Compare(at(&a), at(&b)) })
	return all
}

// read reads a CDXJ file.
func read(file []byte, of Container) (*Header, []Line, error) {
	var all []Line
	h, err := Read(bytes.NewReader(file), of, func(l *Line) error { all = append(all, *l); return nil })
	return h, all, err
}

// compare compares the lines that were read from a file with the original lines.
func (m *made) compare(t testing.TB) {
	t.Helper()
	h, lines, err := read(m.file, m.of)
	if err != nil {
		t.Fatal(err)
	}
	if want := m.written(); fmt.Sprintf("%+v", lines) != fmt.Sprintf("%+v", want) {
		for i := range min(len(lines), len(want)) {
			if a, b := fmt.Sprintf("%+v", lines[i]), fmt.Sprintf("%+v", want[i]); a != b {
				t.Fatalf("line %d\n%s\nand not\n%s", i, a, b)
			}
		}
		t.Fatalf("%d lines, and not %d", len(lines), len(want))
	}
	if fmt.Sprint(h.Left) != fmt.Sprint(m.left) || h.Lines != int64(len(lines)) || h.SHA512 != m.of.SHA512 {
		t.Errorf("header %+v, left %v", h, m.left)
	}
}
