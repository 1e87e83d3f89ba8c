package pictures

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"quire/access/search"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
)

// counted is holdings that count how often each address is read, and that may close one.
type counted struct {
	search.Holdings

	mu     sync.Mutex
	reads  map[string]int
	closed string // an address; "" for none
}

func (h *counted) Captures(ctx context.Context, who holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged,
	error] {
	return func(yield func(holdings.Judged, error) bool) {
		for c, err := range h.Holdings.Captures(ctx, who, q) {
			if err == nil && c.URL == h.closed {
				c.Decision = holdings.Decision{Verdict: holdings.Blocked}
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

func (h *counted) Read(ctx context.Context, who holdings.Reader, c *captures.Capture) (*holdings.Content, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reads[c.URL]++
	if c.URL == h.closed {
		return nil, &holdings.DeniedError{}
	}
	return h.Holdings.Read(ctx, who, c)
}

// both opens both indexes of the same holdings.
func both(t *testing.T, o *outage) (*counted, *Pictures, search.Engine) {
	t.Helper()
	whole, ok := o.Holdings.(search.Holdings)
	if !ok {
		t.Fatal("holdings for a search are wanted")
	}
	h := &counted{Holdings: whole, reads: map[string]int{}}
	dir := t.TempDir()
	p, err := Open(t.Context(), filepath.Join(dir, DirName), h, func(err error) { t.Errorf("problem: %v", err) })
	if err != nil {
		t.Fatal(err)
	}
	s, err := search.Open(t.Context(), filepath.Join(dir, "text"), h, search.Options{Beside: p})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), p.Close()); err != nil {
			t.Error(err)
		}
	})
	return h, p, s
}

// rows returns the content of the index, sorted.
func rows(t *testing.T, p *Pictures) (all []string) {
	t.Helper()
	found, err := p.db.QueryContext(t.Context(), `SELECT p.url, p.time, p.digest, p.bytes, p.width, p.height, `+
		`p.colour, m.page, m.time, m.alt, m.near FROM picture p LEFT JOIN mention m ON m.picture = p.id`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = found.Close() }() // only read
	for found.Next() {
		values := make([]any, 11)
		to := make([]any, len(values))
		for i := range values {
			to[i] = &values[i]
		}
		if err := found.Scan(to...); err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.TrimSuffix(fmt.Sprintf(strings.Repeat("%v|", len(values)), values...), "|"))
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

func sampleIndex(t *testing.T) *outage {
	t.Helper()
	o, _ := index(t, "", map[string][][2]string{
		"tugs": {{"http://a.example/x.png", gray64(t, 1)}, {"http://a.example/small.png", picture(t, blue, 20)},
			{"http://a.example/", `<p>At the quay <img src=x.png alt=Schlepper>`},
			{"http://a.example/wide", "\xff\xfe" + wide(`<img src=x.png alt=Wide>`)},
			{"http://a.example/none", `<p>no image, 1 <imgx`}},
		"ships": {{"http://b.example/y.png", gray64(t, 2)}, {"http://b.example/", `<IMG src=y.png alt=Schiff>`}},
	})
	return o
}

// wide returns ASCII as UTF-16LE.
func wide(s string) string { return strings.Join(strings.Split(s, ""), "\x00") + "\x00" }

// TestTogether: with the text index, each payload is read once for both; the content is that of an index alone.
func TestTogether(t *testing.T) {
	t.Parallel()
	o := sampleIndex(t)
	h, p, s := both(t, o)
	if err := errors.Join(s.Update(t.Context()), p.Update(t.Context())); err != nil {
		t.Fatal(err)
	}
	for url, n := range h.reads {
		if n != 1 {
			t.Errorf("%s: read %d times", url, n)
		}
	}
	if len(h.reads) != 7 {
		t.Errorf("read %v", h.reads)
	}
	_, alone, _ := both(t, o)
	if err := alone.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := rows(t, alone)
	if got := rows(t, p); !slices.Equal(got, want) || len(want) != 5 {
		t.Errorf("together\n%s\nalone\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if p.gathered.file != nil {
		t.Error("the facts are kept behind their package")
	}
}

// TestDrawings: an SVG is found by the words around it and of its address, with its size, for readers who may see it.
func TestDrawings(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	for id, at := range map[string]string{"open": "http://a.example/", "onsite": "http://b.example/"} {
		put := func(name, mime, body string) string {
			return holdingstest.Response(at+name, at+name, date, mime, body)
		}
		const root = `<svg xmlns="http://www.w3.org/2000/svg" `
		r.Ingest(holdingstest.Package{ID: id, Rights: "access: " + id, Containers: map[string]string{
			"a.warc": put("map.svg", "image/svg+xml", root+`viewBox="0 0 640 480" class="`+id+`"/>`) +
				put("", "text/html", `<img src=map.svg alt=Hafenplan>`) +
				put("icon.svg", "image/svg+xml", root+`width="16" height="16"/>`)}})
	}
	h := r.Open(holdings.Options{})
	p, err := Open(t.Context(), filepath.Join(h.Dir(), DirName), h, func(err error) { t.Errorf("problem: %v", err) })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close() }() // nothing more is written
	if err := p.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	for class, want := range map[holdings.Class]int{holdings.Public: 1, holdings.OnSite: 2} {
		for _, text := range []string{"hafenplan", "map"} {
			got, err := p.Query(t.Context(), holdings.Reader{Class: class}, Query{Text: text, Size: Medium})
			if err != nil || got.Total != want || got.Pictures[0].Width != 640 || got.Pictures[0].Height != 480 {
				t.Errorf("%s, %s: %+v, %v", class, text, got, err)
			}
		}
	}
}

// TestGatheredAsksAccess: facts of a page that has been closed since are not used.
func TestGatheredAsksAccess(t *testing.T) {
	t.Parallel()
	h, p, _ := both(t, sampleIndex(t))
	ctx := t.Context()
	p.Begin()
	for c, err := range h.Captures(ctx, curator, captures.Query{Packages: []string{"tugs"}}) {
		if err != nil {
			t.Fatal(err)
		}
		if c.MIME == "text/html" {
			p.Payload(c.Capture, []byte(`<img src=x.png alt=Gathered>`), c.MIME)
		}
	}
	h.closed = "http://a.example/"
	p.End(ctx, "tugs", true)
	got := strings.Join(rows(t, p), "\n")
	if strings.Contains(got, "|http://a.example/|") || !strings.Contains(got, "|http://a.example/wide|") {
		t.Errorf("the closed page alone is not in the index:\n%s", got)
	}
}

// TestPurgeWhileGathering: a purge by another process does not wait while a package is read. The facts gathered before
// it are dropped. So are all without success, or while another process writes.
func TestPurgeWhileGathering(t *testing.T) {
	t.Parallel()
	h, p, _ := both(t, sampleIndex(t))
	other, err := Open(t.Context(), p.dir, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }() // nothing more is written
	dropped := func(when string) {
		t.Helper()
		if got := rows(t, p); got != nil || p.gathered.file != nil || p.gathered.on() {
			t.Errorf("%s: %v", when, got)
		}
	}
	gather := func() {
		t.Helper()
		p.Begin()
		for c, err := range h.Captures(t.Context(), curator, captures.Query{Packages: []string{"tugs"}}) {
			if err != nil {
				t.Fatal(err)
			}
			if c.MIME == "text/html" {
				p.Payload(c.Capture, []byte(`<img src=x.png alt=Gathered>`), c.MIME)
			}
		}
		if p.gathered.file == nil {
			t.Error("nothing is gathered")
		}
	}
	gather()
	if err := other.Compact(t.Context()); err != nil {
		t.Errorf("a purge in between: %v", err)
	}
	p.End(t.Context(), "tugs", true)
	dropped("after a purge")
	gather()
	p.End(t.Context(), "tugs", false)
	dropped("without success")
	gather()
	unlock, err := other.lock()
	if err != nil {
		t.Fatal(err)
	}
	p.End(t.Context(), "tugs", true)
	unlock()
	dropped("while another process writes")
	if err := p.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rows(t, p), "\n"); !strings.Contains(got, "Schlepper") || strings.Contains(got, "Gathered") {
		t.Errorf("read by itself:\n%s", got)
	}
}

// gone are holdings without one package.
type gone struct {
	search.Holdings
	name string
}

func (h gone) Indexed(ctx context.Context) (map[string]string, error) {
	all, err := h.Holdings.Indexed(ctx)
	delete(all, h.name)
	return all, err
}

// TestGoneBehindEachPackage: a package that is gone leaves the index behind the next package that the text index reads,
// and not only after all.
func TestGoneBehindEachPackage(t *testing.T) {
	t.Parallel()
	h, p, _ := both(t, sampleIndex(t))
	if err := p.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.h = gone{h, "ships"}
	p.Begin()
	p.End(t.Context(), "tugs", true)
	got := strings.Join(rows(t, p), "\n")
	if strings.Contains(got, "b.example") || !strings.Contains(got, "a.example") {
		t.Errorf("in the index:\n%s", got)
	}
}

// TestEarlierDatabase: a database of this version from before purges were counted stays as it is.
func TestEarlierDatabase(t *testing.T) {
	t.Parallel()
	h, p, _ := both(t, sampleIndex(t))
	if err := p.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.db.ExecContext(t.Context(), `DROP TABLE purges`); err != nil {
		t.Fatal(err)
	}
	later, err := Open(t.Context(), p.dir, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = later.Close() }() // nothing more is written
	if err := later.Compact(t.Context()); err != nil || len(rows(t, later)) == 0 {
		t.Errorf("%v, %v", err, rows(t, later))
	}
}

// TestCompactAfterAKill: the content of a package whose reading was interrupted leaves with a purge.
func TestCompactAfterAKill(t *testing.T) {
	t.Parallel()
	_, p, _ := both(t, sampleIndex(t))
	if err := p.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.db.ExecContext(t.Context(), `UPDATE package SET state = ''`); err != nil { // as after a kill
		t.Fatal(err)
	}
	if err := p.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := rows(t, p); got != nil {
		t.Errorf("after a purge: %v", got)
	}
}
