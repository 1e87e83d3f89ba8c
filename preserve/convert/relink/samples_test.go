package relink

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"testing"

	"quire/format/csslink"
	"quire/format/htmllink"
	"quire/format/warc"
	"quire/format/weburl"
	"quire/internal/archivefs"
	"quire/internal/testsamples"
	"quire/source/httrack"
)

// one is a mirror with known facts about its URLs.
type one struct {
	t        *testing.T
	tree     *archivefs.Tree
	mirror   *httrack.Mirror
	root     string
	urls     map[string]string // by path within the mirror
	moved    map[string]string // by URL
	original map[string][]byte // by URL: the cached entity
}

func open(t *testing.T, file string) *one {
	t.Helper()
	tr, err := archivefs.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	claims, err := httrack.Reader{}.Find(context.Background(), tr)
	if err != nil || len(claims) != 1 {
		t.Fatal(len(claims), err)
	}
	h, err := claims[0].Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	o := &one{t: t, tree: tr, mirror: h.(*httrack.Harvest).Mirror, urls: map[string]string{},
		moved: map[string]string{}, original: map[string][]byte{}}
	o.root = claims[0].Root
	content := o.mirror.Content()
	defer func() { _ = content.Close() }()
	for _, c := range o.mirror.Captures {
		if c.File != "" {
			o.urls[o.within(c.File)] = c.URL
		}
		if c.Entry == nil {
			continue
		}
		if c.Entry.Location != "" {
			o.moved[c.URL] = resolved(c.URL, c.Entry.Location)
		}
		if c.Entry.InCache {
			body, err := content.Body(c.Entry)
			if err != nil {
				t.Fatal(err)
			}
			if o.original[c.URL], err = io.ReadAll(body); err != nil {
				t.Fatal(err)
			}
		}
	}
	return o
}

func (o *one) within(p string) string { return strings.TrimPrefix(p, o.root+"/") }

// resolved returns the target of a link in a document. It returns a text that is not a URL
// unchanged.
func resolved(base, link string) string {
	b, err := url.Parse(base)
	if err != nil {
		return link
	}
	u, err := b.Parse(link)
	if err != nil {
		return link
	}
	return same(u.String())
}

// same normalizes equivalent URLs: their escapes and the root path.
func same(u string) string {
	before, fragment, _ := strings.Cut(u, "#")
	if strings.Count(before, "/") == 2 && hasScheme(before) {
		before += "/"
	}
	if fragment != "" {
		before += "#" + fragment
	}
	return weburl.Unescape(before)
}

// linksOf returns the targets of a document's links, except base, and the document without the
// links' texts.
func linksOf(t *testing.T, doc []byte, address, mime string) (links []string, rest string) {
	t.Helper()
	base, at := address, int64(0)
	var left strings.Builder
	add := func(start, end int64, value []byte) {
		links = append(links, resolved(base, string(value)))
		left.Write(doc[at:max(at, start)])
		left.WriteByte('@')
		at = max(at, end)
	}
	if mime == "text/css" {
		s := csslink.NewScanner(bytes.NewReader(doc))
		for l, err := s.Next(); err == nil; l, err = s.Next() {
			add(l.Start, l.End, l.Value)
		}
	} else {
		s := htmllink.NewScanner(bytes.NewReader(doc), htmllink.Options{})
		for l, err := s.Next(); err == nil; l, err = s.Next() {
			if l.Kind == htmllink.Base {
				base = resolved(address, string(l.Value))
				continue
			}
			add(l.Start, l.End, l.Value)
		}
	}
	left.Write(doc[at:])
	return links, left.String()
}

// tally is the result of a comparison.
type tally struct {
	pages, identical   int // identical: no byte differs except in links
	links, same, moved int // moved: HTTrack wrote the target of a redirect
	insertions         int
	others             []string
}

// compare restores each HTML page and style sheet of a mirror. It compares the links with the links
// in the cached page, or in another crawler's page.
func (o *one) compare(originals map[string][]byte) tally {
	var sum tally
	for _, c := range o.mirror.Captures {
		original, ok := originals[c.URL]
		mime := map[string]string{".html": "text/html", ".htm": "text/html",
			".css": "text/css"}[strings.ToLower(path.Ext(c.File))]
		if !ok || mime == "" || c.Status() >= 300 && c.Status() < 400 {
			continue
		}
		in, err := o.tree.Open(c.File)
		if err != nil {
			o.t.Fatal(err)
		}
		var out bytes.Buffer
		r, err := Rewrite(&out, in, Page{File: o.within(c.File), URL: c.URL, MIME: mime, Style: HTTrack,
			Lookup: func(p string) (string, bool) { u, ok := o.urls[p]; return u, ok }})
		_ = in.Close()
		if err != nil {
			o.t.Fatal(err)
		}
		sum.insertions += r.Insertions
		o.add(&sum, c.URL, mime, original, out.Bytes())
	}
	return sum
}

func (o *one) add(sum *tally, address, mime string, original, got []byte) {
	was, left := linksOf(o.t, original, address, mime)
	is, leftNow := linksOf(o.t, got, address, mime)
	sum.pages++
	if left == leftNow {
		sum.identical++
	}
	sum.links += len(was)
	if len(was) != len(is) {
		sum.others = append(sum.others, fmt.Sprintf("%s: %d links, and %d now", address, len(was), len(is)))
		return
	}
	for i := range was {
		switch {
		case was[i] == is[i]:
			sum.same++
		case o.leadsTo(was[i], is[i]):
			sum.moved++
		default:
			sum.others = append(sum.others, fmt.Sprintf("%s: %s became %s", address, was[i], is[i]))
		}
	}
}

// leadsTo reports whether redirects lead from one URL to another.
func (o *one) leadsTo(from, to string) bool {
	from, _, _ = strings.Cut(from, "#")
	to, _, _ = strings.Cut(to, "#")
	for range 5 {
		next, ok := o.moved[from]
		if !ok {
			return false
		}
		if from = next; same(from) == to {
			return true
		}
	}
	return false
}

// A page in HTTrack's cache and the restored file have the same links. If HTTrack changed no
// script, the bytes between the links are also the same.
func TestMirrorsAgainstTheirCache(t *testing.T) {
	for _, tt := range []struct {
		path                    string
		pages, identical, links int
		moved, others           int
	}{
		{"_made/crawls/httrack/devref.tar.gz", 72, 72, 1680, 5, 0},
		{"_made/crawls/httrack/devref-updated.tar.gz", 71, 71, 1680, 5, 0},
		{"_made/crawls/httrack/pandas.tar.gz", 73, 73, 1681, 5, 0},
		{"nla_httrack2warc/httrack/testcrawl-3.49-2.zip", 6, 6, 7, 1, 0},
		// HTTrack changed the scripts of 42 pages. Four links became names of files that HTTrack
		// then did not fetch.
		{"0yukikaze0_hyperledger-fabric.docs/mirror", 49, 7, 3666, 0, 4},
	} {
		t.Run(tt.path, func(t *testing.T) {
			o := open(t, testsamples.Path(t, "samples", tt.path))
			s := o.compare(o.original)
			s.check(t, tt.pages, tt.identical, tt.links, tt.moved, tt.others)
		})
	}
}

// Wget fetched the same site: the restored pages of HTTrack's mirror have Wget's bytes.
func TestMirrorAgainstWget(t *testing.T) {
	o := open(t, testsamples.Path(t, "samples", "_made/crawls/httrack/devref.tar.gz"))
	s := o.compare(wgetBodies(t))
	s.check(t, 68, 68, 1676, 5, 0)
}

func (s *tally) check(t *testing.T, pages, identical, links, moved, others int) {
	t.Logf("%d pages, %d of them the same but for the text of links; %d links, %d the same, %d redirects followed; "+
		"%d insertions removed",
		s.pages, s.identical, s.links, s.same, s.moved, s.insertions)
	for _, other := range s.others {
		t.Log(other)
	}
	if s.pages < pages || s.identical < identical || s.links < links || s.moved > moved || len(s.others) > others {
		t.Errorf("that is worse than %d, %d; %d, %d, %d others", pages, identical, links, moved, others)
	}
}

// wgetBodies returns the body of each answer to Wget with status 200.
func wgetBodies(t *testing.T) map[string][]byte {
	f, err := os.Open(testsamples.Path(t, "samples", "_made/crawls/wget/wget-devref.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r := warc.NewReader(f)
	bodies := map[string][]byte{}
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return bodies
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type() != warc.TypeResponse {
			continue
		}
		answer, err := http.ReadResponse(bufio.NewReader(rec), nil)
		if err != nil {
			continue
		}
		if b, err := io.ReadAll(answer.Body); err == nil && answer.StatusCode == http.StatusOK &&
			answer.Header.Get("Content-Encoding") == "" {
			bodies[rec.TargetURI()] = b
		}
		_ = answer.Body.Close()
	}
}
