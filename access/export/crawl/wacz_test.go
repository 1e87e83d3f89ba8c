package crawl

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"quire/access/export"
	"quire/format/cdx"
	"quire/format/wacz"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// made is an open WACZ made by the test.
type made struct {
	*zip.Reader
	t *testing.T
}

func openWACZ(t *testing.T, file string) *made {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	return &made{z, t}
}

func (m *made) read(name string) string {
	m.t.Helper()
	f, err := m.Open(name)
	if err != nil {
		m.t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		m.t.Fatal(err)
	}
	return string(text)
}

// lines returns the lines of the index.
func (m *made) lines() (all []cdx.Entry) {
	m.t.Helper()
	z, err := gzip.NewReader(strings.NewReader(m.read("indexes/index.cdx.gz")))
	if err != nil {
		m.t.Fatal(err)
	}
	for e, err := range cdx.NewReader(z, cdx.Options{}).All() {
		if err != nil {
			m.t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

func TestWACZ(t *testing.T) {
	const secret = "http://a.example/secret"
	r := holdingstest.New(t)
	post := holdingstest.Request("8", "http://a.example/api", "2015-01-02T03:04:08Z", "9",
		"POST /api HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n", `{"q":1}`) +
		holdingstest.Response("9", "http://a.example/api", "2015-01-02T03:04:08Z", "application/json", `{"a":2}`)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open",
		Containers: map[string]string{"a.warc.gz": zipped(t, crawlOf(secret)+post)},
		Logs:       map[string]string{"logs/crawl.log": "a line\n"}})
	h := r.Open(holdings.Options{Rules: r.Rules("rules:\n  - urls: [" + secret + "]\n    access: restricted\n")})
	file, result := run(t, r, h, export.Request{ID: "site-1", As: "wacz"})
	z := openWACZ(t, file)
	checkWACZ(t, z)
	archive := ""
	for _, f := range z.File {
		stored := strings.HasPrefix(f.Name, "archive/") || f.Name == "indexes/index.cdx.gz"
		if stored && (f.Method != zip.Store || f.Flags&8 != 0) {
			t.Errorf("%s is not stored as it is, with its size before it", f.Name)
		}
		if strings.HasPrefix(f.Name, "archive/") {
			archive = z.read(f.Name)
		}
		if strings.Contains(z.read(f.Name), "secret") != (f.Name == "logs/kept-back.json") {
			t.Errorf("%s: withheld content is listed where it should not be, or missing from the list", f.Name)
		}
	}
	var keys []string
	for _, e := range z.lines() {
		keys = append(keys, e.Key+" "+e.MIME)
		member, err := gzip.NewReader(strings.NewReader(archive[e.Offset : e.Offset+e.Length]))
		if err != nil {
			t.Fatal(err)
		}
		head, err := io.ReadAll(bufio.NewReader(member))
		if err != nil || !strings.Contains(string(head), "WARC-Target-URI: "+e.URL+"\r\n") {
			t.Errorf("at %d lies no record of %s: %.100q, %v", e.Offset, e.URL, head, err)
		}
	}
	if want := []string{"example,a)/ text/html", "example,a)/again warc/revisit",
		"example,a)/api?__wb_method=post&q=1 application/json"}; !slices.Equal(keys, want) {
		t.Errorf("%q, want %q", keys, want)
	}
	if text := unzip(t, z.read("indexes/index.cdx.gz")); !strings.Contains(text, `"requestBody": "q=1"`) &&
		!strings.Contains(text, `"requestBody":"q=1"`) {
		t.Errorf("the request body is missing: %s", text)
	}
	if got := z.read("indexes/index.idx"); !strings.Contains(got, "\nexample,a)/ 20150102030405 {\"offset\": 0, ") {
		t.Errorf("the index of the blocks: %s", got)
	}
	if got := z.read("pages/pages.jsonl"); !strings.Contains(got, `"title":"Front"`) ||
		!strings.Contains(got, `"text":"one"`) || !strings.Contains(got, `"ts":"2015-01-02T03:04:05Z"`) {
		t.Errorf("%s", got)
	}
	if result.Files != 1 || result.SHA512 == "" {
		t.Errorf("%+v", result)
	}
	again, _ := run(t, r, h, export.Request{ID: "site-1", As: "wacz"})
	first, second := readFile(t, file), readFile(t, again)
	if first != second {
		t.Error("two exports differ")
	}
}

func unzip(t *testing.T, text string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checkWACZ verifies all hashes with our own reader.
func checkWACZ(t *testing.T, z *made) {
	t.Helper()
	files := wacz.Files{Open: func(name string) (io.ReadCloser, error) { return z.Open(name) }}
	for _, f := range z.File {
		files.List = append(files.List, wacz.Entry{Path: f.Name, Size: int64(f.UncompressedSize64)})
	}
	checked, err := wacz.Check(t.Context(), files, wacz.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range checked.Steps {
		if s.Verdict != wacz.Pass {
			t.Errorf("%s: %s: %s", s.Name, s.Verdict, s.Evidence)
		}
	}
	if p := checked.Package; p.Version != "1.1.1" || p.Title == "" || !json.Valid([]byte(z.read(wacz.PackageName))) {
		t.Errorf("%+v", p)
	}
}

// TestResourceNames: validators reject a datapackage with names of other characters; logs and
// containers can have any name.
func TestResourceNames(t *testing.T) {
	for path, want := range map[string]string{
		"archive/rec-1.warc.gz": "rec-1.warc.gz", "logs/Hosts Report.TXT": "hosts-report.txt",
		"logs/other.example%3A8081-p": "other.example-3a8081-p", "logs/übersicht_2.log": "-bersicht_2.log",
	} {
		if got := resourceName(path); got != want {
			t.Errorf("%s is called %s, not %s", path, got, want)
		}
	}
}

// TestMainPage: a website begins with a crawled page, even if another file has an older date.
func TestMainPage(t *testing.T) {
	seed, later := &page{URL: "https://a.example/", TS: "2020-01-01T00:00:00Z"},
		&page{URL: "http://a.example/x", TS: "2020-01-01T00:00:01Z"}
	file := &page{URL: "urn:mirror-file:a.example/old.html", TS: "1999-01-01T00:00:00Z"}
	for _, pair := range [][2]*page{{seed, later}, {seed, file}, {later, file}} {
		if !pair[0].leads(pair[1]) || pair[1].leads(pair[0]) {
			t.Errorf("%s does not lead %s", pair[0].URL, pair[1].URL)
		}
	}
}
