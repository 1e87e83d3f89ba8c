// Package holdingstest makes repositories for tests, of WARC records that a test writes.
//
//	r := holdingstest.New(t)
//	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open", Containers: map[string]string{
//		"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html", "<p>one"),
//	}})
//	h := r.Open(holdings.Options{})
//	c := r.Find(h, holdings.Reader{Class: holdings.Public}, "http://a.example/")[0]
package holdingstest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quire/access/holdings"
	"quire/access/index"
	"quire/internal/clamdtest"
	"quire/model"
	"quire/preserve/collection"
	"quire/preserve/folder"
	"quire/preserve/pack"
	"quire/preserve/scan"
	"quire/repository/store"
)

// Repository is a repository that a test fills, in a folder that goes with the test.
type Repository struct {
	Store *store.Store
	Dir   string // of the test: the repository is in Dir/repo
	Clock *Clock

	t testing.TB
	n int
}

// New makes an empty repository with two copies.
func New(t testing.TB) *Repository {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Init(context.Background(), filepath.Join(dir, "repo"), store.InitOptions{
		Describe: folder.Describe, Copies: []string{filepath.Join(dir, "copy-1"), filepath.Join(dir, "copy-2")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return &Repository{Store: s, Dir: dir, Clock: &Clock{now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}, t: t}
}

// Package is what a package is made of.
type Package struct {
	ID         string
	Containers map[string]string // content, by name: records one behind the other
	Logs       map[string]string // further files, such as logs, by path
	Rights     string            // of rights.yaml (docs/rights.md); "" says nothing
	Profile    pack.Profile
	Scan       bool     // by a scanner that finds [EICAR]
	Restrict   []string // paths in the package, such as containers/a.warc, that its METS says must not be shown to everyone
}

// EICAR is the text that scanners take for a virus by agreement.
func EICAR() string { return clamdtest.EICAR() }

// Pack makes the folder of a package.
func (r *Repository) Pack(p Package) string {
	r.t.Helper()
	r.n++
	crawl, out := filepath.Join(r.Dir, fmt.Sprint("crawl-", r.n)), filepath.Join(r.Dir, fmt.Sprint("package-", r.n))
	for _, files := range []map[string]string{p.Containers, p.Logs} {
		for name, content := range files {
			r.write(filepath.Join(crawl, filepath.FromSlash(name)), content)
		}
	}
	o := pack.Options{Out: out, ID: p.ID, Agent: model.Agent{Name: "Quire", Version: "test"}, Profile: p.Profile}
	if p.Rights != "" {
		o.Rights = r.write(filepath.Join(r.Dir, fmt.Sprint("rights-", r.n, ".yaml")), p.Rights)
	}
	if p.Scan {
		s, err := scan.New(clamdtest.Start(r.t, clamdtest.Options{}).Address, scan.Options{})
		if err != nil {
			r.t.Fatal(err)
		}
		o.Scan = s
	}
	if _, err := pack.Pack(context.Background(), []string{crawl}, o); err != nil {
		r.t.Fatal(err)
	}
	r.restrict(out, p.Restrict)
	return out
}

// write makes a file.
func (r *Repository) write(path, content string) string {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		r.t.Fatal(err)
	}
	return path
}

// Ingest makes a package and stores it; a second of one id is its next version.
func (r *Repository) Ingest(p Package) {
	r.t.Helper()
	r.store(r.Pack(p))
}

func (r *Repository) store(dir string) {
	r.t.Helper()
	if _, err := r.Store.Ingest(context.Background(), dir, store.IngestOptions{NewVersion: true}); err != nil {
		r.t.Fatal(err)
	}
}

// Collect makes a collection of stored packages, with a rights.yaml ("" says nothing), and stores it.
func (r *Repository) Collect(id, title, rights string, packages ...string) {
	r.t.Helper()
	r.n++
	dir := filepath.Join(r.Dir, fmt.Sprint("collection-", r.n))
	text := fmt.Sprintf("id: %s\ntitle: %s\n", id, title)
	if rights != "" {
		r.write(filepath.Join(dir, "rights.yaml"), rights)
		text += "rights: rights.yaml\n"
	}
	text += "harvests:\n"
	for _, p := range packages {
		out := filepath.Join(dir, p)
		if _, err := r.Store.Export(context.Background(), p, out, store.ExportOptions{}); err != nil {
			r.t.Fatal(err)
		}
		text += "  - packages: [" + p + "]\n"
	}
	out := filepath.Join(dir, "out")
	f, err := collection.ReadFile(r.write(filepath.Join(dir, "collection.yaml"), text))
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := collection.Make(context.Background(), f, collection.Options{Out: out, Agent: model.Agent{Name: "Quire", Version: "test"}}); err != nil {
		r.t.Fatal(err)
	}
	r.store(out)
}

// Rules writes the file of rules, and gives its path.
func (r *Repository) Rules(text string) string {
	r.t.Helper()
	return r.write(filepath.Join(r.Dir, "access-rules.yaml"), text)
}

// Open opens the holdings, with an index of their own, and waits until all is in it. The clock is that of the repository; what is wrong
// behind the scenes ends the test, unless Problem is set.
func (r *Repository) Open(o holdings.Options) *holdings.Holdings {
	r.t.Helper()
	r.n++
	if o.Dir == "" {
		o.Dir = filepath.Join(r.Dir, fmt.Sprint("access-", r.n))
	}
	if o.Location == nil {
		o.Location = time.UTC
	}
	if o.Now == nil {
		o.Now = r.Clock.Now
	}
	if o.Wait == 0 {
		o.Wait = 5 * time.Minute // on a busy machine, too, what came is read before questions are answered
	}
	if o.Problem == nil {
		o.Problem = func(err error) { r.t.Errorf("problem: %v", err) }
	}
	h, err := holdings.Of(context.Background(), r.Store, o)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = h.Close() })
	if err := h.Ready(context.Background()); err != nil {
		r.t.Fatal(err)
	}
	return h
}

// Find gives the captures of a URL.
func (r *Repository) Find(h *holdings.Holdings, who holdings.Reader, url string) []holdings.Judged {
	r.t.Helper()
	return Captures(r.t, h, who, index.Query{URL: url})
}

// Captures gives those of a query.
func Captures(t testing.TB, h *holdings.Holdings, who holdings.Reader, q index.Query) (all []holdings.Judged) {
	t.Helper()
	for c, err := range h.Captures(context.Background(), who, q) {
		if err != nil {
			t.Fatal(err)
		}
		copied := *c.Capture // it may be that of the next by then
		all = append(all, holdings.Judged{Capture: &copied, Decision: c.Decision})
	}
	return all
}

// Clock is one that a test moves.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now is what it shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set moves it.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// Record makes a WARC record. The date is written as WARC has it; more are further fields of the head.
func Record(kind, id, uri, date, contentType, block string, more ...string) string {
	head := "WARC/1.1\r\nWARC-Type: " + kind + "\r\nWARC-Record-ID: <urn:x:" + id + ">\r\nWARC-Date: " + date + "\r\n"
	if uri != "" {
		head += "WARC-Target-URI: " + uri + "\r\n"
	}
	for _, m := range more {
		head += m + "\r\n"
	}
	return fmt.Sprintf("%sContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", head, contentType, len(block), block)
}

// Response makes a response record with status 200.
func Response(id, uri, date, mime, body string, fields ...string) string {
	return Answer(id, uri, date, "200 OK", body, append([]string{"Content-Type: " + mime}, fields...)...)
}

// Answer makes a response record. Its Content-Length is added.
func Answer(id, uri, date, status, body string, fields ...string) string {
	head := "HTTP/1.1 " + status + "\r\n"
	for _, f := range fields {
		head += f + "\r\n"
	}
	return Record("response", id, uri, date, "application/http;msgtype=response", fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(body), body))
}

// Redirect makes a response record that leads to another URL.
func Redirect(id, uri, date, to string) string {
	return Answer(id, uri, date, "302 Found", "", "Location: "+to)
}

// Request makes the request record of a response.
func Request(id, uri, date, of, head, body string) string {
	return Record("request", id, uri, date, "application/http;msgtype=request", strings.TrimRight(head, "\r\n")+"\r\n\r\n"+body, "WARC-Concurrent-To: <urn:x:"+of+">")
}

// Revisit makes a revisit record of a payload that was captured before: body is what it was.
func Revisit(id, uri, date, mime, body, ofURI, ofDate string) string {
	return Record("revisit", id, uri, date, "application/http;msgtype=response", "HTTP/1.1 200 OK\r\nContent-Type: "+mime+"\r\nX-Again: yes\r\n\r\n",
		"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest", "WARC-Payload-Digest: "+Digest(body),
		"WARC-Refers-To-Target-URI: "+ofURI, "WARC-Refers-To-Date: "+ofDate)
}
