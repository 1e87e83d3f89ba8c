//go:build interop

package nasty

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/prove"
	"quire/internal/warcbuild"
	"quire/model"
	"quire/source"
	"quire/source/detect"
)

// difference is a difference between the live site and the reader that has a known reason.
type difference struct {
	kind string // "lost", "invented", "status", "broken", "bytes"
	uri  string // the number of the host, and the request: "0/plain.html"
	why  string
}

// comparison compares one crawl with the live site.
type comparison struct {
	*testing.T
	*site
	*crawl
	whole map[string]bool // URLs whose body was found
	used  map[string]bool // explanations
}

// differs reports a difference, unless it is explained.
func (c *comparison) differs(kind, uri, format string, args ...any) {
	short := c.short(uri)
	for _, d := range slices.Concat(c.explained, c.raced) {
		if d.kind == kind && d.uri == short {
			c.used[kind+short] = true
			return
		}
	}
	c.Errorf("%s %s: %s", kind, short, fmt.Sprintf(format, args...))
}

// short returns a URL with the number of its host.
func (s *site) short(uri string) string {
	for i, host := range s.hosts {
		if rest, ok := strings.CutPrefix(uri, host+"/"); ok {
			return fmt.Sprintf("%d/%s", i, rest)
		}
	}
	return uri
}

// asked returns the URL as the crawler asked for it, or "".
func (c *comparison) asked(uri string) string {
	if len(c.seen[uri]) > 0 {
		return uri
	}
	plain, err := url.PathUnescape(uri)
	if err != nil || !c.escapes {
		return ""
	}
	for seen := range c.seen {
		if p, err := url.PathUnescape(seen); err == nil && p == plain {
			return seen
		}
	}
	return ""
}

// answered reports whether the site answered a URL with a status.
func (s *site) answered(uri string, status int) bool {
	return slices.ContainsFunc(s.seen[uri], func(a answered) bool { return a.status == status })
}

// open returns the only harvest of a folder.
func (c *comparison) open(dir string) source.Harvest {
	found, err := detect.Open(c.Context(), dir)
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { _ = found.Close() })
	if len(found.Found) != 1 {
		for _, f := range found.Found {
			c.Errorf("%s in %s: %v", f.Reader, f.Root, f.Why)
		}
		c.Fatalf("%d harvests", len(found.Found))
	}
	h, err := found.Found[0].Read(c.Context())
	if err != nil {
		c.Fatal(err)
	}
	return h
}

// mirror compares each URL of a mirror.
func (c *comparison) mirror(dir string) {
	h := c.open(dir)
	findings := map[string]int{}
	for _, f := range h.About().Findings {
		findings[f.Code]++
	}
	urls := 0
	count := func(f model.Finding) { findings[f.Code]++ }
	for r, err := range h.(source.Mirror).Resources(context.Background(), count) {
		if err != nil {
			c.Fatal(err)
		}
		if r.URL != "" {
			urls++
			c.resource(r)
		}
	}
	c.lost()
	if c.ranges && !c.assumed && findings[source.CodeClock] == 0 {
		c.Error("no finding names the doubt about the clock")
	}
	whole := 0
	for _, is := range c.whole {
		if is {
			whole++
		}
	}
	c.Logf("%d URLs, %d of them whole, findings %v", urls, whole, findings)
}

// lost checks that each body that was fetched is there, and that each explanation was needed.
func (c *comparison) lost() {
	asked := 0
	for uri, a := range c.pages {
		if len(c.seen[uri]) > 0 {
			asked++
		}
		if a.whole() && c.answered(uri, 200) && !c.whole[uri] && !c.assumed {
			c.differs("lost", uri, "it was fetched, and its bytes are in no resource")
		}
	}
	for _, d := range c.explained {
		if !c.used[d.kind+d.uri] && (prove.Whole() || !strings.HasPrefix(c.name, "HTTrack")) {
			c.Errorf("the explained difference is gone: %s %s: %s", d.kind, d.uri, d.why)
		}
	}
	c.Logf("%d of %d URLs asked for, %d explained differences", asked, len(c.pages), len(c.explained))
}

// resource compares one resource with the live site.
func (c *comparison) resource(r *source.Resource) {
	uri := warcbuild.TargetURI(r.URL) // as in the records
	asked := c.asked(uri)
	a, known := c.pages[asked]
	if !known {
		a = unknown
	}
	if asked == "" {
		if r.Assumed == "" || !c.assumed {
			c.differs("invented", uri, "assumed %q: %q", r.Assumed, r.Why)
		}
		return
	}
	if r.Status > 0 && !c.answered(asked, r.Status) {
		c.differs("status", uri, "%d, answered %v: %q", r.Status, c.seen[asked], r.Why)
	}
	c.date(asked, r.Time, r.Leeway, r.TimeFrom)
	if r.Body == nil {
		c.whole[asked] = c.whole[asked] || a.body == "" && a.status == 0
		return
	}
	in, err := r.Body()
	if err != nil {
		c.Fatal(err)
	}
	body, err := io.ReadAll(in)
	if err != nil || in.Close() != nil {
		c.Fatal(err)
	}
	c.whole[asked] = true
	original := r.Grade == source.OriginalEntity || r.Grade == source.OriginalFile
	switch {
	case a.broken && (original || r.Truncated == ""):
		c.differs("broken", uri, "%d bytes of a body that broke off, graded %s, truncated %q: %q", len(body), r.Grade,
			r.Truncated, r.Why)
	case original && string(body) != a.body && (a.sent == "" || string(body) != a.sent):
		c.differs("bytes", uri, "graded %s, with other bytes: %.80q: %q", r.Grade, body, r.Why)
	case !a.broken && r.Truncated != "":
		c.differs("broken", uri, "it is whole, and stated as truncated: %q", r.Why)
	}
}

// date checks that a date is that of one of the answers, to two seconds or within its range.
func (c *comparison) date(uri string, at time.Time, leeway time.Duration, from string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.IsZero() {
		return
	}
	for _, a := range c.seen[uri] {
		if at.Sub(a.at).Abs() <= leeway+2*time.Second {
			return
		}
	}
	c.differs("date", uri, "%s ± %v from %s, and it was answered at %v", at, leeway, from, c.seen[uri])
}
