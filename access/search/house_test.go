package search

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"

	"quire/holdings"
	"quire/holdings/captures"
)

// item is a capture of the test house, with its content.
type item struct {
	pkg, at, url, mime, body string
	header                   []holdings.Field
	infected                 bool
	written                  func() string // makes the content when it is read; replaces body
}

// content returns the content.
func (i *item) content() string {
	if i.written != nil {
		return i.written()
	}
	return i.body
}

// house replaces holdings: its rules are a function.
type house struct {
	mu          sync.Mutex
	items       map[string][]item // by key
	packages    map[string][]item
	states      map[string]string
	judge       func(who holdings.Reader, c *captures.Capture) holdings.Decision
	stamp       int
	reads       int
	broken      map[string]bool // unreadable URLs
	collections map[string][]string
}

func newHouse(items ...item) *house {
	h := &house{items: map[string][]item{}, packages: map[string][]item{}, states: map[string]string{},
		broken: map[string]bool{}, collections: map[string][]string{}}
	h.add(items...)
	return h
}

func (h *house) add(items ...item) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, i := range items {
		h.items[keyOf(i.url)] = append(h.items[keyOf(i.url)], i)
		h.packages[i.pkg] = append(h.packages[i.pkg], i)
		h.states[i.pkg] += "+"
	}
}

// rule sets the access rule.
func (h *house) rule(judge func(who holdings.Reader, c *captures.Capture) holdings.Decision) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.judge = judge
	h.stamp++
}

func keyOf(url string) string { return strings.ToLower(strings.TrimPrefix(url, "http://")) }

func (i *item) capture() *captures.Capture {
	length := int64(len(i.body))
	if i.written != nil {
		length = 1 // any: it is only known when it is read
	}
	return &captures.Capture{
		Key: keyOf(i.url), Timestamp: i.at, URL: i.url, Type: "response", MIME: i.mime, Status: 200,
		Digest: fmt.Sprintf("sha1:%x", sha1.Sum([]byte(cmp.Or(i.body, i.url)))),
		Length: length, Package: i.pkg, Harvest: 1,
		Record: captures.Place{Package: i.pkg, Viral: i.infected, Container: "data/a.warc",
			SHA256: strings.Repeat("00", 32)},
	}
}

func (h *house) Turn(context.Context, string, string) (*holdings.Turn, error) {
	return &holdings.Turn{}, nil
}

func (h *house) Captures(_ context.Context, who holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged, error] {
	return func(yield func(holdings.Judged, error) bool) {
		h.mu.Lock()
		items := slices.Clone(h.items[keyOf(q.URL)])
		if q.URL == "" {
			items = slices.Clone(h.packages[q.Packages[0]])
		}
		h.mu.Unlock()
		slices.SortFunc(items, func(a, b item) int {
			return cmp.Or(cmp.Compare(keyOf(a.url), keyOf(b.url)), cmp.Compare(a.at, b.at))
		})
		for _, i := range items {
			c := i.capture()
			if q.URL != "" && keyOf(q.URL) != c.Key || q.From != "" && c.Timestamp < q.From || q.To != "" &&
				c.Timestamp > q.To ||
				q.Packages != nil && !slices.Contains(q.Packages, c.Package) {
				continue
			}
			d := h.Judge(who, c)
			if d.Hidden {
				continue
			}
			if !yield(holdings.Judged{Capture: c, Decision: d}, nil) {
				return
			}
		}
	}
}

func (h *house) Judge(who holdings.Reader, c *captures.Capture) holdings.Decision {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c.Record.Viral {
		return holdings.Decision{Verdict: holdings.Blocked, Infected: true}
	}
	if h.judge == nil {
		return holdings.Decision{Verdict: holdings.Open, Allowed: true}
	}
	return h.judge(who, c)
}

func (h *house) Read(_ context.Context, who holdings.Reader, c *captures.Capture) (*holdings.Content, error) {
	d := h.Judge(who, c)
	if !d.Allowed {
		return nil, &holdings.DeniedError{Decision: d}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reads++
	if h.broken[c.URL] {
		return nil, errors.New("the disk is broken")
	}
	for _, i := range h.items[keyOf(c.URL)] {
		if i.url == c.URL && i.at == c.Timestamp && i.pkg == c.Package {
			header := append([]holdings.Field{{Name: "Content-Type", Value: i.mime}}, i.header...)
			body := i.content()
			return &holdings.Content{Proto: "HTTP/1.1", Status: 200, Header: header, Length: int64(len(body)),
				Body: io.NopCloser(strings.NewReader(body))}, nil
		}
	}
	return nil, captures.ErrNotFound
}

func (h *house) Judging() func(holdings.Reader, *captures.Capture) holdings.Decision { return h.Judge }

func (h *house) Epoch() (string, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return fmt.Sprint(h.stamp), true
}

func (h *house) Changes(who holdings.Reader, c *captures.Capture) []holdings.Decided {
	return []holdings.Decided{{Decision: h.Judge(who, c)}}
}

func (h *house) Stamp(context.Context) (any, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stamp, nil
}

func (h *house) Indexed(context.Context) (map[string]string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	states := map[string]string{}
	for id, s := range h.states {
		states[id] = s
	}
	return states, nil
}

func (h *house) Members(context.Context, holdings.Reader) (map[string][]string, map[string]string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ids, titles := map[string][]string{}, map[string]string{}
	for id, packages := range h.collections {
		titles[id] = "Collection " + id
		for _, p := range packages {
			ids[p] = append(ids[p], id)
		}
	}
	return ids, titles, nil
}

var public = holdings.Reader{Class: holdings.Public}

// open creates an index of a house.
func open(t testing.TB, h *house) *Search {
	t.Helper()
	return openIn(t, t.TempDir(), h)
}

func openIn(t testing.TB, dir string, h *house) *Search {
	t.Helper()
	s, err := Open(t.Context(), dir, h, Options{Problem: func(err error) { t.Log(err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	updateIndex(t, s)
	return s
}

func updateIndex(t testing.TB, s Engine) {
	t.Helper()
	if err := s.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func ask(t testing.TB, s Engine, who holdings.Reader, q Query) *Result {
	t.Helper()
	r, err := s.Query(t.Context(), who, q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return r
}

// urls returns the URLs of the hits.
func urls(r *Result) string {
	var b bytes.Buffer
	for _, h := range r.Hits {
		fmt.Fprintf(&b, "%s ", h.URL)
	}
	return strings.TrimSpace(b.String())
}

func page(title, text string) string {
	return "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>" + title + "</title></head><body><p>" +
		text + "</p></body></html>"
}

func text(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		if s.Match {
			b.WriteString("[" + s.Text + "]")
		} else {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}
