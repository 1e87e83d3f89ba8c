package pack

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/xml"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"quire/internal/prove"
	"quire/internal/testsamples"
	"quire/preserve/aip"
)

// captured returns a record of a response at a time.
func captured(uri, when, status, fields, body string) string {
	block := "HTTP/1.1 " + status + " X\r\n" + fields + "\r\n" + body
	id := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, uri+when)
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Target-URI: %s\r\n"+
		"WARC-Date: %s\r\n"+
		"Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", id, uri, when,
		len(block), block)
}

const (
	asHTML   = "Content-Type: text/html\r\n"
	early    = "2024-01-01T00:00:00Z"
	later    = "2024-01-01T01:00:00Z"
	muchLate = "2024-06-01T00:00:00Z"
)

// webMap holds the pages and links of a METS.
type webMap struct {
	Dmd []struct {
		ID     string   `xml:"ID,attr"`
		Titles []string `xml:"mdWrap>xmlData>mods>titleInfo>title"`
		Origin []string `xml:"mdWrap>xmlData>mods>recordInfo>recordOrigin"`
		Notes  []string `xml:"mdWrap>xmlData>mods>note"`
	} `xml:"dmdSec"`
	Maps []struct {
		Type string `xml:"TYPE,attr"`
		Div  webDiv `xml:"div"`
	} `xml:"structMap"`
	Links []struct {
		From  string `xml:"from,attr"`
		To    string `xml:"to,attr"`
		Title string `xml:"title,attr"`
	} `xml:"structLink>smLink"`
}

type webDiv struct {
	Type    string `xml:"TYPE,attr"`
	Label   string `xml:"LABEL,attr"`
	URL     string `xml:"CONTENTIDS,attr"`
	Date    string `xml:"ORDERLABEL,attr"`
	DmdID   string `xml:"DMDID,attr"`
	Name    string `xml:"label,attr"`
	Pointer []struct {
		File string `xml:"FILEID,attr"`
		Area struct {
			File  string `xml:"FILEID,attr"`
			Begin int    `xml:"BEGIN,attr"`
			End   int    `xml:"END,attr"`
		} `xml:"area"`
		Par []struct {
			File string `xml:"FILEID,attr"`
		} `xml:"par>area"`
	} `xml:"fptr"`
	Divs []webDiv `xml:"div"`
}

func webMapOf(t *testing.T, dir string) *webMap {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, aip.METSName))
	if err != nil {
		t.Fatal(err)
	}
	m := &webMap{}
	if err := xml.Unmarshal(b, m); err != nil {
		t.Fatal(err)
	}
	return m
}

func (d *webDiv) each(visit func(*webDiv, *webDiv), parent *webDiv) {
	visit(d, parent)
	for i := range d.Divs {
		d.Divs[i].each(visit, d)
	}
}

// told lists the links of a METS: page, URL, capture and kind. It checks that labels are unique and
// exist.
func (m *webMap) told(t *testing.T) (all []string) {
	t.Helper()
	names, parents := map[string]*webDiv{}, map[string]*webDiv{}
	for i := range m.Maps {
		m.Maps[i].Div.each(func(d, parent *webDiv) {
			if d.Name == "" {
				return
			}
			if names[d.Name] != nil {
				t.Errorf("%s is duplicated", d.Name)
			}
			names[d.Name], parents[d.Name] = d, parent
		}, nil)
	}
	to := map[string]string{}
	for _, l := range m.Links {
		if names[l.From] == nil || names[l.To] == nil || to[l.From] != "" {
			t.Errorf("a link from %q to %q", l.From, l.To)
			continue
		}
		to[l.From] = " -> " + names[l.To].Label + " " + names[l.To].Date
		if l.Title != "" {
			to[l.From] += " (" + l.Title + ")"
		}
	}
	for i := range m.Maps {
		m.Maps[i].Div.each(func(d, parent *webDiv) {
			if strings.HasPrefix(d.Name, "L-") {
				all = append(all, fmt.Sprintf("%s %s: %s%s", d.Type, parent.Label, cmp.Or(d.URL, d.Label), to[d.Name]))
			}
		}, nil)
	}
	return all
}

// TestLinksLeadToCaptures tests clause 2.14: the same harvest first, nearest in time; the same
// spelling first; through redirects.
func TestLinksLeadToCaptures(t *testing.T) {
	crawl := crawlOf(t, map[string]string{"a.warc": warcinfo +
		captured("http://a.test/", early, "200", asHTML,
			`<title>Home</title><a href="b#x">1</a> <a href=/moved>2</a> <a href="http://out.test/">3</a>`+
				`<a href="HTTP://A.TEST:80/sp ace">4</a> <a href=/loop>5</a> <a href=/gone>6</a> <a href="http://[">`+
				`7</a>`+
				` <a href=pic.gif>8</a>`+
				`<frame src=b> <a href=mailto:x@y>9</a> <a href=/posted>10</a> <a href=/old/moved>11</a>`) +
		captured("http://a.test/b", later, "200", asHTML, `<title>B</title><a href=/>up</a>`) +
		captured("http://a.test/b", muchLate, "200", asHTML,
			`<base href="http://a.test/deep/"><a href=../>up</a><a href=/sp%7eace>5</a>`) +
		captured("http://a.test/sp%7eace", early, "200", asHTML, "exact") +
		captured("http://A.test/sp%7eace", muchLate, "200", asHTML, "other") +
		captured("http://a.test/", muchLate, "200", asHTML, `<meta http-equiv=refresh content="0;url=b">`) +
		captured("http://a.test/moved", early, "302", "Location: /old/moved\r\n", "moved") +
		captured("http://a.test/old/moved", early, "301", "Location: ../b\r\n", "") +
		captured("http://a.test/loop", early, "301", "Location: /loop\r\n", "") +
		captured("http://a.test/gone", early, "404", asHTML, "<title>Gone</title><a href=/>home</a>") +
		captured("http://a.test:80/sp%20ace", early, "200", asHTML, "other") +
		captured("http://a.test/sp%20ace", muchLate, "200", asHTML, "exact") +
		captured("http://a.test/pic.gif", early, "200", "Content-Type: image/gif\r\n",
			"GIF89a\x01\x00\x01\x00\x00\x00\x00;")})
	o := options(t)
	o.Profile = Linked
	mustPack(t, o, crawl)
	m := webMapOf(t, o.Out)
	got := strings.Join(m.told(t), "\n")
	want := strings.Join([]string{
		"hyperlink http://a.test/: http://a.test/b#x -> http://a.test/b " + later,
		"hyperlink http://a.test/: http://a.test/moved -> http://a.test/b " + later +
			" (through redirects: 302 to http://a.test/old/moved; 301 to http://a.test/b)",
		"hyperlink http://a.test/: http://out.test/",
		"hyperlink http://a.test/: http://a.test/sp%20ace -> http://a.test/sp%20ace " + muchLate,
		"hyperlink http://a.test/: http://a.test/loop",
		"hyperlink http://a.test/: http://a.test/gone",
		"hyperlink http://a.test/: http://[",
		"hyperlink http://a.test/: http://a.test/pic.gif -> http://a.test/pic.gif " + early,
		"frame http://a.test/: http://a.test/b -> http://a.test/b " + later,
		"hyperlink http://a.test/: mailto:x@y",
		"hyperlink http://a.test/: http://a.test/posted",
		"hyperlink http://a.test/: http://a.test/old/moved -> http://a.test/b " + later +
			" (through redirects: 301 to http://a.test/b)",
		"hyperlink http://a.test/b: http://a.test/ -> http://a.test/ " + early,
		"hyperlink http://a.test/b: http://a.test/ -> http://a.test/ " + muchLate,
		"hyperlink http://a.test/b: http://a.test/sp%7eace -> http://a.test/sp%7eace " + early,
		"refresh http://a.test/: http://a.test/b -> http://a.test/b " + muchLate,
	}, "\n")
	if got != want {
		t.Errorf("links:\n%s\nwant\n%s", got, want)
	}
	var titles []string
	for _, d := range m.Dmd {
		if strings.HasPrefix(d.ID, "DMD-page-") {
			if strings.Join(d.Origin, "") != "declared by the page itself" {
				t.Errorf("%s is said to be %q", d.ID, d.Origin)
			}
			titles = append(titles, d.Titles...)
		}
	}
	if got := strings.Join(titles, "|"); got != "Home|B" {
		t.Errorf("titles %s", got)
	}
}

// TestPlacesOfLinks checks that an area delimits the start tag in the content as served, for any
// surrounding bytes.
func TestPlacesOfLinks(t *testing.T) {
	page := "<p>\u00fc\n<A\nHREF='x?a&amp;b'>1</A><iframe src=\"y\"></iframe>"
	var wide strings.Builder
	for _, u := range utf16.Encode([]rune("\ufeff" + page)) {
		wide.Write([]byte{byte(u), byte(u >> 8)})
	}
	var zipped strings.Builder
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write([]byte(page)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	chunked := func(s string) string { return fmt.Sprintf("5\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", s[:5], len(s)-5, s[5:]) }
	crawl := crawlOf(t, map[string]string{
		"a.warc": warcinfo + captured("http://a.test/plain", early, "200", asHTML, page) +
			captured("http://a.test/wide", early, "200", asHTML, wide.String()) +
			captured("http://a.test/zipped", early, "200", asHTML+"Content-Encoding: gzip\r\n", zipped.String()) +
			captured("http://a.test/both", early, "200",
				asHTML+"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", chunked(zipped.String())) +
			captured("http://a.test/broken", early, "200", asHTML+"Content-Encoding: gzip\r\n", zipped.String()[:40]),
	})
	o := options(t)
	o.Profile = Linked
	mustPack(t, o, crawl)
	var got []string
	m := webMapOf(t, o.Out)
	for i := range m.Maps {
		m.Maps[i].Div.each(func(d, parent *webDiv) {
			if !strings.HasPrefix(d.Name, "L-") {
				return
			}
			area := d.Pointer[0].Area
			if area.File != parent.Pointer[0].File {
				t.Errorf("%s lies in %s, and its page in %s", d.Label, area.File, parent.Pointer[0].File)
			}
			part, err := aip.FindPart(t.Context(), o.Out, area.File)
			if err != nil {
				t.Fatal(err)
			}
			var content bytes.Buffer
			if err := part.Write(t.Context(), o.Out, &content, false); err != nil {
				t.Fatal(err)
			}
			got = append(got, strings.ReplaceAll(content.String()[area.Begin:area.End+1], "\x00", ""))
		}, nil)
	}
	each := "<A\nHREF='x?a&amp;b'>|<iframe src=\"y\">"
	if all := strings.Join(got, "|"); all != strings.Join([]string{each, each, each, each}, "|") {
		t.Errorf("%q", all)
	}
	check(t, o.Out, aip.Options{})
	t.Run("schemas", func(t *testing.T) { check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")}) })
}

// TestHarvestsOfLinks checks that a link refers to a capture of its own harvest, however distant in
// time. Without one, it refers to another harvest.
func TestHarvestsOfLinks(t *testing.T) {
	dir := crawlOf(t, map[string]string{
		"one/x-20240101000000000-00000.warc": warcinfo +
			captured("http://a.test/", early, "200", asHTML, "<a href=b>1</a><a href=c>2</a>") +
			captured("http://a.test/b", muchLate, "200", asHTML, "b"),
		"two/y-20240101000000000-00000.warc": warcinfo +
			captured("http://a.test/b", early, "200", asHTML, "b2<a href=/>1</a>") +
			captured("http://a.test/c", early, "200", asHTML, "c"),
	})
	o := options(t)
	o.Profile = Linked
	mustPack(t, o, filepath.Join(dir, "one"), filepath.Join(dir, "two"))
	m := webMapOf(t, o.Out)
	if n := harvests(m); n != 2 {
		t.Skipf("these are %d harvests", n)
	}
	got := strings.Join(m.told(t), "\n")
	want := "hyperlink http://a.test/: http://a.test/b -> http://a.test/b " + muchLate +
		"\nhyperlink http://a.test/: http://a.test/c -> http://a.test/c " + early +
		"\nhyperlink http://a.test/b: http://a.test/ -> http://a.test/ " + early
	if got != want {
		t.Errorf("links:\n%s\nwant\n%s", got, want)
	}
}

func harvests(m *webMap) (n int) {
	for i := range m.Maps {
		m.Maps[i].Div.each(func(d, _ *webDiv) {
			if d.Type == "harvest" {
				n++
			}
		}, nil)
	}
	return n
}

// TestHostilePages checks that the METS stays valid and small, and states the omissions.
func TestHostilePages(t *testing.T) {
	prove.Serial(t)
	bodies := map[string]string{
		"title": "<title>" + strings.Repeat("\x01]]>\xff&", 200_000) + "</title>",
		"links": strings.Repeat("<a href='\x01\xff]]>\"&lt;'>", 60_000),
		"tags":  strings.Repeat("<a href=x ", 500_000), "long": "<a href='" + strings.Repeat("y", 300_000) + "'>",
		"meta": strings.Repeat("<meta name='\x01\xfe' content='\x02\xff'>", 5000), "none": "<a href>",
		"base": "<base href='" + strings.Repeat("z", 300_000) + "'><a href=y>",
	}
	warc := warcinfo
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		warc += captured("http://a.test/"+name+"\xff%zz]]>", early, "200", asHTML, "<html>"+bodies[name])
	}
	o := options(t)
	o.Profile = Linked
	mustPack(t, o, crawlOf(t, map[string]string{"a.warc": warc}))
	check(t, o.Out, aip.Options{})
	t.Run("schemas", func(t *testing.T) { check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")}) })
	text := read(t, o.Out, aip.METSName)
	for _, want := range []string{"1 ends of long values", "4800 meta elements", "10000 links",
		"links left out: 10000"} {
		if !strings.Contains(text, want) {
			t.Errorf("the METS does not say %q", want)
		}
	}
	if len(text) > 30<<20 {
		t.Errorf("it has %d bytes", len(text))
	}
}

// TestProfilesSayWhatTheyAreToSay checks that the declarations of pages are in full and linked, and
// links only in linked.
func TestProfilesSayWhatTheyAreToSay(t *testing.T) {
	crawl := crawlOf(t, map[string]string{"a.warc": warcinfo +
		captured("http://a.test/", early, "200", asHTML, "<title>T</title><a href=/>1</a>")})
	for _, c := range []struct {
		profile             Profile
		descriptions, links int
		maps                string
	}{{Compact, 0, 0, "physical logical"}, {Full, 1, 0, "physical logical"}, {Linked, 1, 1, "physical logical"}} {
		o := options(t)
		o.Profile = c.profile
		mustPack(t, o, crawl)
		m := webMapOf(t, o.Out)
		var types []string
		for i := range m.Maps {
			types = append(types, m.Maps[i].Type)
		}
		if len(m.Dmd)-1 != c.descriptions || len(m.Links) != c.links || strings.Join(types, " ") != c.maps {
			t.Errorf("%s: %d descriptions, %d links, maps %s", c.profile, len(m.Dmd)-1, len(m.Links), types)
		}
	}
}
