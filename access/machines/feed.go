package machines

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Media types of the documents.
const (
	FeedType       = "application/atom+xml"
	OpenSearchType = "application/opensearchdescription+xml"
	SitemapType    = "application/xml"
)

// Feed is a list of pages, newest or best first.
type Feed struct {
	Language string // BCP 47
	Address  string // of the feed; it is the id of the feed, too
	Page     string // address of the page with the same content
	Title    string
	Subtitle string // "" for none
	Author   string // name of the archive
	Hits     *Hits  // position of a result of a search; nil for other feeds
	Entries  []Entry
}

// Hits are the position of a feed in the hits of a search.
type Hits struct {
	Total, From, PerPage int
	Previous, Next       string // addresses of the feeds beside it; "" for none
	Description          string // address of the description of the search
}

// Entry is a page of a feed.
type Entry struct {
	Address, Title, Summary string
	Updated                 time.Time
}

// Link is a link from the head of a feed or page to another form of it.
type Link struct {
	Rel   string `xml:"rel,attr"`
	Type  string `xml:"type,attr,omitempty"`
	Title string `xml:"title,attr,omitempty"`
	Href  string `xml:"href,attr"`
}

// All texts of a feed are of type text.
type atomFeed struct {
	XMLName  xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang     string      `xml:"xml:lang,attr"`
	ID       string      `xml:"id"`
	Title    string      `xml:"title"`
	Subtitle string      `xml:"subtitle,omitempty"`
	Updated  string      `xml:"updated"`
	Author   atomPerson  `xml:"author"`
	Links    []Link      `xml:"link"`
	Total    *opened     `xml:"http://a9.com/-/spec/opensearch/1.1/ totalResults"`
	Start    *opened     `xml:"http://a9.com/-/spec/opensearch/1.1/ startIndex"`
	PerPage  *opened     `xml:"http://a9.com/-/spec/opensearch/1.1/ itemsPerPage"`
	Entries  []atomEntry `xml:"entry"`
}

type opened struct {
	Text string `xml:",chardata"`
}

type atomPerson struct {
	Name string `xml:"name"`
}

type atomEntry struct {
	ID      string `xml:"id"`
	Title   string `xml:"title"`
	Updated string `xml:"updated"`
	Links   []Link `xml:"link"`
	Summary string `xml:"summary,omitempty"`
}

// epoch is the date of a feed without entries: it must not change while the feed stays the same.
var epoch = time.Unix(0, 0)

// Document returns the feed as an XML document. Its date is that of its newest entry.
func (f *Feed) Document() ([]byte, error) {
	out := atomFeed{Lang: f.Language, ID: f.Address, Title: printable(f.Title), Subtitle: printable(f.Subtitle),
		Author: atomPerson{printable(f.Author)}, Links: []Link{{Rel: "self", Type: FeedType, Href: f.Address},
			{Rel: "alternate", Type: "text/html", Href: f.Page}}}
	if h := f.Hits; h != nil {
		for _, beside := range []Link{{Rel: "next", Href: h.Next}, {Rel: "previous", Href: h.Previous}} {
			if beside.Type = FeedType; beside.Href != "" {
				out.Links = append(out.Links, beside)
			}
		}
		out.Links = append(out.Links, Link{Rel: "search", Type: OpenSearchType, Href: h.Description})
		number := func(n int) *opened { return &opened{strconv.Itoa(n)} }
		out.Total, out.Start, out.PerPage = number(h.Total), number(h.From), number(h.PerPage)
	}
	updated := epoch
	for _, e := range f.Entries {
		if e.Updated.After(updated) {
			updated = e.Updated
		}
		out.Entries = append(out.Entries, atomEntry{ID: e.Address, Title: printable(e.Title),
			Updated: instant(e.Updated), Summary: printable(e.Summary),
			Links: []Link{{Rel: "alternate", Type: "text/html", Href: e.Address}}})
	}
	out.Updated = instant(updated)
	return document(FeedType, out)
}

// instant formats a date (RFC 3339).
func instant(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// document writes an XML document.
func document(mime string, root any) ([]byte, error) {
	out, err := xml.MarshalIndent(root, "", " ")
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", mime, err)
	}
	return append([]byte(xml.Header), out...), nil
}

// printable removes the characters that XML 1.0 forbids, and other control characters.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}
