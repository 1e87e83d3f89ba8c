package captures

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/preserve/cdxj"
)

// record returns a record of a WARC file; fields are header lines.
func record(kind, id, url, date, block string, fields ...string) string {
	head := fmt.Sprintf("WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Target-URI: %s\r\n"+
		"WARC-Date: %s\r\n", kind, id, url, date)
	media := "application/http; msgtype=" + kind
	if kind == "resource" {
		media = "text/plain; charset=utf-8"
	}
	for _, f := range fields {
		head += f + "\r\n"
	}
	return fmt.Sprintf("%sContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", head, media, len(block), block)
}

func page(body string, fields ...string) string {
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x\r\n"
	for _, f := range fields {
		head += f + "\r\n"
	}
	return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(body), body)
}

// packages holds containers by package, path and content.
type packages map[string]map[string]string

// add adds a package of the test to the index.
func (p packages) add(t *testing.T, x *Index, pkg string) error {
	t.Helper()
	return x.Add(t.Context(), pkg, p.containers(pkg), p.read)
}

// containers returns the containers of a package, by path.
func (p packages) containers(pkg string) (all []Container) {
	for path, text := range p[pkg] {
		all = append(all, Container{Path: path, SHA512: fmt.Sprintf("%x", len(text)) + text[:min(len(text), 300)],
			Harvest: 1})
	}
	slices.SortFunc(all, func(a, b Container) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// read is a Reading of the packages.
func (p packages) read(ctx context.Context, c *Container, line func(*Line) error) error {
	unstated := *c
	unstated.SHA512 = ""
	err := Read(ctx, bytes.NewReader([]byte(p[c.Package][c.Path])), &unstated, nil, line)
	c.Left, c.Version = unstated.Left, unstated.Version
	return err
}

// TestAddAll: several packages come in one change of the index. A package that cannot be read keeps its former lines
// and no other one waits for it; a revisit finds its original in another package of the same change.
func TestAddAll(t *testing.T) {
	x := open(t, t.TempDir())
	all := packages{
		"p": {"c.warc": record("response", "1", "http://a.example/", "2020-01-01T00:00:00Z", page("hello"))},
		"q": {"c.warc": revisit("2", "http://a.example/", "2021-01-01T00:00:00Z", "WARC-Payload-Digest: "+helloSHA1)},
		"r": {"c.warc": record("response", "3", "http://r.example/", "2020-01-01T00:00:00Z", page("r")),
			"d.warc": record("response", "4", "http://r.example/d", "2020-01-01T00:00:00Z", page("d"))},
		"s": {"c.warc": record("response", "5", "http://s.example/", "2020-01-01T00:00:00Z", page("s"))},
	}
	must(t, all.add(t, x, "s"))
	broken := errors.New("broken")
	add := func(read Reading) []error {
		return x.AddAll(t.Context(), []Addition{{"p", all.containers("p")}, {"q", all.containers("q")},
			{"r", all.containers("r")}, {"s", nil}}, read)
	}
	before := x.current.manifest.Next
	failed := add(func(ctx context.Context, c *Container, line func(*Line) error) error {
		err := all.read(ctx, c, line)
		if c.Path == "d.warc" {
			return broken
		}
		return err
	})
	if failed[0] != nil || failed[1] != nil || !errors.Is(failed[2], broken) || failed[3] != nil {
		t.Errorf("errors are %v", failed)
	}
	if m := x.current.manifest; len(m.Segments) != 2 || m.Next != before+5 {
		t.Errorf("%d segments, next is %d after %d", len(m.Segments), m.Next, before)
	}
	id := func(c *Capture) string { return c.Package + c.ID[7:8] }
	if got := collect(t, x.Captures(t.Context(), Query{}), id); got != "p1 q2 r3" {
		t.Errorf("captures are %q", got)
	}
	for c, err := range x.Captures(t.Context(), Query{Packages: []string{"q"}}) {
		must(t, err)
		if c.Payload == nil || c.Payload.Package != "p" {
			t.Errorf("the original of the revisit is %+v", c.Payload)
		}
	}
	if failed := add(all.read); errors.Join(failed...) != nil {
		t.Error(failed)
	}
	if got := collect(t, x.Captures(t.Context(), Query{}), id); got != "p1 q2 r3 r4" {
		t.Errorf("captures are %q", got)
	}
}

func open(t *testing.T, dir string) *Index {
	t.Helper()
	x, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

// ask returns the captures of a query in short form.
func ask(t *testing.T, x *Index, q Query) string {
	t.Helper()
	var all []string
	for c, err := range x.Captures(t.Context(), q) {
		if err != nil {
			t.Fatal(err)
		}
		s := fmt.Sprintf("%s %s %s", c.Package, c.Timestamp, c.Type)
		if c.Payload != nil {
			s += fmt.Sprintf(">%s#%d", c.Payload.Package, c.Payload.Order)
		}
		all = append(all, s)
	}
	return strings.Join(all, " | ")
}

const (
	helloSHA1 = "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N" // of "hello"
	url       = "http://a.example/x"
)

func TestMaker(t *testing.T) {
	x := open(t, filepath.Join(t.TempDir(), DirName))
	text := record("response", "1", "http://a.example/X?b=1&a=2", "2020-01-02T03:04:05Z", page("hello")) +
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
		record("resource", "8", "http://a.example/file", "2020-01-02T03:04:09Z", "hello") +
		record("response", "9", "http://a.example/chunks", "2020-01-02T03:04:10Z",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n") +
		record("resource", "10", "dns:a.example", "2020-01-02T03:04:09Z", "1.2.3.4") +
		record("response", "11", "http://a.example/part", "2020-01-02T03:04:09Z", "x", "WARC-Segment-Number: 1")
	p := packages{"p": {"c.warc": text}}
	if err := p.add(t, x, "p"); err != nil {
		t.Fatal(err)
	}
	var got []string
	for c, err := range x.Captures(t.Context(), Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(c.Key, " ", c.Timestamp, " ", c.Type, " ", c.Status, " ", c.MIME, " ", c.Method,
			" ", c.Location, " ", c.Length, " ", c.Truncated, " ", c.Digest == helloSHA1, " ", c.Harvest))
		if r := c.Record; text[r.Inflated:r.Inflated+4] != "WARC" || r.Offset != r.Inflated ||
			r.Container != "c.warc" || r.Package != "p" || len(r.SHA256) != 64 {
			t.Errorf("place %+v", r)
		}
	}
	want := []string{
		"example,a)/api?__wb_method=post&a=1&a.2_=b 20200102030407 response 200 text/html POST  2 true false 1",
		"example,a)/chunks 20200102030410 response 200    5 false true 1",
		"example,a)/file 20200102030409 resource 0 text/plain   5 false true 1",
		"example,a)/form?__wb_method=post&q=1 20200102030408 response 200 text/html POST  1 false false 1",
		"example,a)/moved 20200102030406 response 302   http://a.example/to#x 0 false false 1",
		"example,a)/x?a=2&b=1 20200102030405 response 200 text/html   5 false true 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := ask(t, x, Query{URL: "https://www.a.example/api", Method: "POST", BodyType: "application/json",
		Body: []byte(`{"a": [1, "b"]}`)}); got != "p 20200102030407 response" {
		t.Errorf("by the request body: %q", got)
	}
	all, err := x.Containers(t.Context(), "p")
	if err != nil || len(all) != 1 || all[0].Captures != 6 || all[0].Left[cdxj.LeftWebsite] != 1 ||
		all[0].Left[cdxj.LeftSegment] != 1 {
		t.Errorf("containers %+v, %v", all, err)
	}
}
