package archive

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quire/internal/clamdtest"
	"quire/model"
	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/preserve/folder"
	"quire/preserve/pack"
	"quire/preserve/scan"
	"quire/repository/store"
)

// repo is a repository that a test fills.
type repo struct {
	t     *testing.T
	store *store.Store
	dir   string
	n     int
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Init(context.Background(), filepath.Join(dir, "repo"), store.InitOptions{Describe: folder.Describe, Copies: []string{filepath.Join(dir, "copy-1"), filepath.Join(dir, "copy-2")}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return &repo{t: t, store: s, dir: dir}
}

// ofRecord makes a WARC record.
func ofRecord(kind, id, uri, date, contentType, block string, more ...string) string {
	head := "WARC/1.1\r\nWARC-Type: " + kind + "\r\nWARC-Record-ID: <urn:x:" + id + ">\r\nWARC-Date: " + date + "\r\n"
	if uri != "" {
		head += "WARC-Target-URI: " + uri + "\r\n"
	}
	for _, m := range more {
		head += m + "\r\n"
	}
	return fmt.Sprintf("%sContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", head, contentType, len(block), block)
}

// response makes a record with an answer of HTTP.
func response(id, uri, date, mime, body string) string {
	return ofRecord("response", id, uri, date, "application/http;msgtype=response",
		fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nX-From: test\r\nContent-Length: %d\r\n\r\n%s", mime, len(body), body))
}

const date1, date2 = "2015-01-02T03:04:05Z", "2016-01-02T03:04:05Z"

// pkg is what a package is made of.
type pkg struct {
	id         string
	containers map[string]string
	rights     string
	profile    pack.Profile
	scan       bool
}

// pack makes a package.
func (r *repo) pack(p pkg) string {
	r.t.Helper()
	r.n++
	crawl, out := filepath.Join(r.dir, fmt.Sprint("crawl-", r.n)), filepath.Join(r.dir, fmt.Sprint("package-", r.n))
	if err := os.Mkdir(crawl, 0o777); err != nil {
		r.t.Fatal(err)
	}
	for name, content := range p.containers {
		if err := os.WriteFile(filepath.Join(crawl, name), []byte(content), 0o666); err != nil {
			r.t.Fatal(err)
		}
	}
	o := pack.Options{Out: out, ID: p.id, Agent: model.Agent{Name: "Quire", Version: "test"}, Profile: p.profile}
	if p.rights != "" {
		path := filepath.Join(r.dir, fmt.Sprint("rights-", r.n, ".yaml"))
		if err := os.WriteFile(path, []byte(p.rights), 0o666); err != nil {
			r.t.Fatal(err)
		}
		o.Rights = path
	}
	if p.scan {
		s, err := scan.New(clamdtest.Start(r.t, clamdtest.Options{}).Address, scan.Options{})
		if err != nil {
			r.t.Fatal(err)
		}
		o.Scan = s
	}
	if _, err := pack.Pack(context.Background(), []string{crawl}, o); err != nil {
		r.t.Fatal(err)
	}
	return out
}

// ingest stores a package.
func (r *repo) ingest(p pkg) {
	r.t.Helper()
	if _, err := r.store.Ingest(context.Background(), r.pack(p), store.IngestOptions{NewVersion: true}); err != nil {
		r.t.Fatal(err)
	}
}

// clock is a clock that a test moves.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) to(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = t
}

func (c *clock) add(d time.Duration) { c.to(c.now().Add(d)) }

// open opens the archive of the repository, in a folder of its own by its name.
func (r *repo) open(name string, o Options) *Archive {
	r.t.Helper()
	o.Dir = filepath.Join(r.dir, name)
	if o.Location == nil {
		o.Location = time.UTC
	}
	if o.Wait == 0 {
		o.Wait = time.Minute
	}
	if o.Problem == nil {
		o.Problem = func(err error) { r.t.Errorf("problem: %v", err) }
	}
	a, err := Open(context.Background(), r.store, o)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = a.Close() })
	return a
}

// everything shows what nobody says anything of, too.
func everything(c *clock) Options { return Options{Unstated: model.Open, Now: c.now} }

// list gives the headers of a query.
func list(t *testing.T, a *Archive, q provider.Query) []protocol.Header {
	t.Helper()
	var all []protocol.Header
	for h, err := range a.List(context.Background(), q) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, h)
	}
	n, ok, err := a.Count(context.Background(), provider.Query{From: q.From, Until: q.Until, Set: q.Set})
	if err != nil || !ok || q.After.Identifier == "" && n != int64(len(all)) {
		t.Errorf("counted %d (%v, %v), listed %d", n, ok, err, len(all))
	}
	return all
}

// urls are the URLs of headers, deleted ones with a minus.
func urls(t *testing.T, headers []protocol.Header) string {
	t.Helper()
	var all []string
	for _, h := range headers {
		c, err := ParseIdentifier(h.Identifier)
		if err != nil {
			t.Fatal(err)
		}
		if h.Deleted {
			c.URL = "-" + c.URL
		}
		all = append(all, c.URL)
	}
	return strings.Join(all, " ")
}

// statesOf are identifiers and whether they are deleted, without datestamps.
func statesOf(headers []protocol.Header) string {
	var all []string
	for _, h := range headers {
		all = append(all, fmt.Sprint(h.Identifier, " ", h.Deleted, " ", h.Sets))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}
