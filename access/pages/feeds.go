package pages

import (
	"encoding/xml"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"quire/access/address"
	"quire/access/search"
)

// Atom (RFC 4287) and the elements of OpenSearch 1.1 in feeds. All texts are of type text, so
// archived markup is never interpreted.
type atomFeed struct {
	XMLName  xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang     string      `xml:"xml:lang,attr"`
	ID       string      `xml:"id"`
	Title    string      `xml:"title"`
	Subtitle string      `xml:"subtitle,omitempty"`
	Updated  string      `xml:"updated"`
	Author   atomPerson  `xml:"author"`
	Links    []atomLink  `xml:"link"`
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

type atomLink struct {
	Rel   string `xml:"rel,attr"`
	Type  string `xml:"type,attr,omitempty"`
	Title string `xml:"title,attr,omitempty"`
	Href  string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string     `xml:"id"`
	Title   string     `xml:"title"`
	Updated string     `xml:"updated"`
	Links   []atomLink `xml:"link"`
	Summary string     `xml:"summary,omitempty"`
}

const atomType = "application/atom+xml"

// feed returns a feed without entries. Its id is its own address.
func (s *site) feed(q *request, title, self, page string) atomFeed {
	return atomFeed{Lang: s.words.Language(), ID: self, Title: printable(title), Author: atomPerson{printable(s.Name)},
		Links: []atomLink{{Rel: "self", Type: atomType, Href: self},
			{Rel: "alternate", Type: "text/html", Href: s.absolute(q, page)}}}
}

// instant formats a date of a feed (RFC 3339).
func instant(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// newestFeed lists the packages that were stored last, as the first page does.
func (s *site) newestFeed(q *request) (answer, error) {
	all, err := s.h.Overview(q.Context(), q.who)
	if err != nil {
		return answer{}, err
	}
	title := s.words.T("feed.newest", s.Name)
	f := s.feed(q, title, s.absolute(q, string(s.ui)+"/feed.atom"), s.ui.Front())
	f.Subtitle = printable(s.About)
	var updated time.Time
	for _, id := range all.Newest {
		p, err := s.pkg(q, id)
		if errors.Is(err, errNotFound) { // removed or hidden a moment ago
			continue
		}
		if err != nil {
			return answer{}, err
		}
		if p.Stored.IsZero() {
			continue // an entry needs a date
		}
		if p.Stored.After(updated) {
			updated = p.Stored
		}
		c, at := s.card(p), s.absolute(q, s.ui.Site(p.ID))
		f.Entries = append(f.Entries, atomEntry{ID: at, Title: printable(c.Title), Updated: instant(p.Stored),
			Links:   []atomLink{{Rel: "alternate", Type: "text/html", Href: at}},
			Summary: printable(strings.Join(withoutEmpty([]string{c.Text, c.Note, c.Lock}), " · "))})
	}
	if updated.IsZero() {
		updated = epoch
	}
	f.Updated = instant(updated)
	return document(atomType, f)
}

// searchFeed lists the hits of a search, the newest captures first unless the request has an order.
func (s *site) searchFeed(q *request) (answer, error) {
	a := readAsked(q.place.Arguments)
	if v, _ := url.ParseQuery(q.place.Arguments); a.Order == search.Relevance && !v.Has("order") {
		a.Order = search.Newest
	}
	r, err := s.found(q, a)
	if err != nil {
		return answer{}, err
	}
	here := a.at(s.ui)
	f := s.feed(q, s.words.T("feed.search", s.Name, a.Text), s.inForm(q, searchFeed, here), here)
	p := s.pageOf(a, r)
	for rel, at := range map[string]string{"previous": p.Prev, "next": p.Next} {
		if at != "" {
			f.Links = append(f.Links, atomLink{Rel: rel, Type: atomType, Href: s.inForm(q, searchFeed, at)})
		}
	}
	f.Links = append(f.Links, atomLink{Rel: "search", Type: "application/opensearchdescription+xml",
		Href: s.absolute(q, string(s.ui)+"/opensearch.xml")})
	f.Total, f.Start = &opened{strconv.Itoa(r.Total)}, &opened{strconv.Itoa(a.From)}
	f.PerPage = &opened{strconv.Itoa(hitsAPage)}
	newest := ""
	for i := range r.Hits {
		h := &r.Hits[i]
		if h.Capture == nil {
			continue // an entry needs a date and an address
		}
		t, ok := address.Time(h.Capture.Timestamp)
		if !ok {
			continue
		}
		newest = max(newest, h.Capture.Timestamp)
		at := s.absolute(q, s.ui.Banner(address.All, h.Capture.Timestamp, h.URL))
		f.Entries = append(f.Entries, atomEntry{ID: at, Title: printable(joined(h.Title)), Updated: instant(t),
			Links: []atomLink{{Rel: "alternate", Type: "text/html", Href: at}}, Summary: printable(joined(h.Snippet))})
	}
	updated := epoch
	if t, ok := address.Time(newest); ok {
		updated = t
	}
	f.Updated = instant(updated)
	return document(atomType, f)
}

// epoch is the date of a feed without entries: it must not change while the feed stays the same.
var epoch = time.Unix(0, 0)

// printable removes the characters that XML 1.0 forbids, and other control characters.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// feeds returns the links of the head of a page: to the description of the search, and to feeds.
func (s *site) feeds(q *request) (all []atomLink) {
	if s.Search != nil {
		all = append(all, atomLink{Rel: "search", Type: "application/opensearchdescription+xml", Title: s.Name,
			Href: string(s.ui) + "/opensearch.xml"})
	}
	all = append(all, atomLink{Rel: "alternate", Type: atomType, Title: s.words.T("feed.newest", s.Name),
		Href: string(s.ui) + "/feed.atom"})
	if a := readAsked(q.place.Arguments); q.place.Kind == address.Search && s.Search != nil &&
		(strings.TrimSpace(a.Text) != "" || len(a.Filters) > 0) {
		page := strings.TrimPrefix(a.at(s.ui), s.ui.Search(""))
		all = append(all, atomLink{Rel: "alternate", Type: atomType, Title: s.words.T("feed.search", s.Name, a.Text),
			Href: string(s.ui) + "/search.atom" + page},
			atomLink{Rel: "alternate", Type: "application/json", Title: s.words.T("search.title.of", a.Text),
				Href: string(s.ui) + "/search.json" + page})
	}
	return all
}
