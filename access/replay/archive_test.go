package replay

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/access/address"
	"quire/format/surt"
	"quire/holdings"
	"quire/holdings/captures"
)

// memory is an archive of a few captures, for tests without a repository: the choice of a capture,
// and its response.
type memory struct {
	captures []*held
	asked    int // captures yielded
	read     int // records read
}

// held is one capture.
type held struct {
	captures.Capture
	head    string // HTTP header lines
	body    string
	verdict holdings.Verdict
	hidden  bool
	broken  error // error when read
	failing bool  // its last byte is damaged
}

func (m *memory) add(timestamp, url string, status int, head, body string) *held {
	c := &held{Capture: captures.Capture{URL: url, Timestamp: timestamp, Status: status, Key: surt.Key(url),
		Package: "p1", Length: int64(len(body))}, head: head, body: body}
	c.Record.Order = int64(len(m.captures) + 1)
	for line := range strings.Lines(head) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch strings.ToLower(name) {
		case "location":
			base, _ := neturl(url)
			if to, err := base.Parse(value); err == nil {
				c.Location = to.String()
			}
		case "content-type":
			c.MIME, _, _ = strings.Cut(value, ";")
		}
	}
	c.verdict = holdings.Open
	m.captures = append(m.captures, c)
	return c
}

func (m *memory) judge(who holdings.Reader, c *held) holdings.Decision {
	d := holdings.Decision{Verdict: c.verdict, Hidden: c.hidden, Message: "The court said so."}
	switch c.verdict {
	case holdings.Open:
		d.Allowed, d.Message = true, ""
	case holdings.Reading:
		d.Allowed = rank(who.Class) >= 1 && (who.Packages == nil || slices.Contains(who.Packages, c.Package))
	case holdings.Restricted:
		d.Allowed = rank(who.Class) >= 2 && (who.Packages == nil || slices.Contains(who.Packages, c.Package))
	}
	return d
}

// Captures implements Archive.
func (m *memory) Captures(_ context.Context, who holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged, error] {
	key := surt.Key(q.URL)
	if q.Method != "" {
		key = surt.Key(surt.WithRequest(q.URL, q.Method, q.BodyType, q.Body))
	}
	var found []*held
	for _, c := range m.captures {
		in := c.Key == key
		if q.Match == captures.Prefix {
			in = strings.HasPrefix(c.Key, surt.Prefix(q.URL))
		}
		if q.Match == captures.Host {
			a, _, _ := surt.Host(c.URL)
			b, _, _ := surt.Host(q.URL)
			in = a == b
		}
		if in && (q.Packages == nil || slices.Contains(q.Packages, c.Package)) && c.Timestamp >= q.From &&
			(q.To == "" || c.Timestamp <= q.To) {
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, func(a, b *held) int {
		if q.Closest != "" {
			return cmp.Compare(distance(a.Timestamp, q.Closest), distance(b.Timestamp, q.Closest))
		}
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Timestamp, b.Timestamp))
	})
	if q.Reverse {
		slices.Reverse(found)
	}
	return func(yield func(holdings.Judged, error) bool) {
		for _, c := range found {
			d := m.judge(who, c)
			m.asked++
			if !d.Hidden && !yield(holdings.Judged{Capture: &c.Capture, Decision: d}, nil) {
				return
			}
		}
	}
}

func distance(a, b string) time.Duration {
	x, _ := address.Time(a)
	y, _ := address.Time(b)
	return x.Sub(y).Abs()
}

// Read implements Archive.
func (m *memory) Read(_ context.Context, who holdings.Reader, c *captures.Capture) (*holdings.Content, error) {
	m.read++
	h := m.captures[c.Record.Order-1]
	if d := m.judge(who, h); !d.Allowed {
		return nil, &holdings.DeniedError{Decision: d}
	}
	if h.broken != nil {
		return nil, h.broken
	}
	content := &holdings.Content{Proto: "HTTP/1.1", Status: h.Status, Length: int64(len(h.body)),
		Body: io.NopCloser(strings.NewReader(h.body))}
	if h.failing {
		content.Body = io.NopCloser(io.MultiReader(strings.NewReader(h.body), failing{}))
	}
	for line := range strings.Lines(h.head) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		content.Header = append(content.Header, holdings.Field{Name: name, Value: value})
	}
	return content, nil
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, fmt.Errorf("the digest is another") }

// InCollection implements Archive.
func (m *memory) InCollection(c string) ([]string, bool) {
	switch c {
	case "all":
		return nil, true
	case "p1", "p2":
		return []string{c}, true
	}
	return nil, false
}

func neturl(s string) (*url.URL, error) { return url.Parse(s) }

// desk sends requests to a handler.
type desk struct {
	*testing.T
	*Handler
	m    *memory
	host string
}

func newDesk(t *testing.T, m *memory) *desk {
	o := Options{UI: "http://ui.example", Base: "http://replay.example", Origin: "http://ui.example", Key: newKey(),
		Problem: func(err error) { t.Log("problem:", err) }}
	return &desk{t, New(m, o), m, "replay.example"}
}

// ask sends a request: its target as in the request line, and header lines.
func (d *desk) ask(target string, lines ...string) *reply {
	return d.send(http.MethodGet, target, "", lines...)
}

func (d *desk) send(method, target, body string, lines ...string) *reply {
	d.Helper()
	r := httptest.NewRequest(method, "http://replay.example/", strings.NewReader(body))
	r.RequestURI, r.Host = target, d.host
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	cut := false
	func() {
		defer func() {
			if p := recover(); p != nil {
				if p != http.ErrAbortHandler { //nolint:errorlint // it is a value that was panicked
					panic(p)
				}
				cut = true
			}
		}()
		d.ServeHTTP(w, r)
	}()
	return &reply{w.Code, w.Header(), w.Body.String(), cut}
}

// reply is the response.
type reply struct {
	StatusCode int
	Header     http.Header
	body       string
	cut        bool // the connection ended early
}

func text(t *testing.T, r *reply) string {
	t.Helper()
	return r.body
}

// want checks status and header lines.
func want(t *testing.T, r *reply, status int, lines ...string) {
	t.Helper()
	if r.StatusCode != status {
		t.Errorf("status %d, not %d: %s", r.StatusCode, status, text(t, r))
	}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		if got := strings.Join(r.Header.Values(name), ", "); got != value {
			t.Errorf("%s is %q, not %q", name, got, value)
		}
	}
}

func keyOfPost(url, kind, body string) string {
	return surt.Key(surt.WithRequest(url, http.MethodPost, kind, []byte(body)))
}

// newKey returns a temporary key.
func newKey() *Key {
	k := &Key{}
	_, _ = rand.Read(k.secret[:]) // never fails (crypto/rand)
	return k
}
