package pages

import (
	"encoding/json"
	"fmt"
	"strings"

	"quire/access/address"
	"quire/access/search"
)

// foundJSON is the answer of /search.json. docs/reference/555_pages.md documents it: fields are
// added, but none is removed or changes its meaning.
type foundJSON struct {
	Query    string       `json:"query"`
	Level    search.Level `json:"level"`
	Order    string       `json:"order"`
	From     int          `json:"from"`
	Totals   totalsJSON   `json:"totals"`
	Filters  []filterJSON `json:"filters"`
	Notes    []string     `json:"notes"`
	Indexing string       `json:"indexing,omitempty"`
	Hits     []hitJSON    `json:"hits"`
	Facets   []facetJSON  `json:"facets"`
	Previous string       `json:"previous,omitempty"`
	Next     string       `json:"next,omitempty"`
}

type totalsJSON struct {
	Page       int `json:"page"`
	Bytestream int `json:"bytestream"`
}

type filterJSON struct {
	Field string `json:"field"`
	Value string `json:"value"`
	Not   bool   `json:"not"`
}

type hitJSON struct {
	URL         string        `json:"url"`
	Timestamp   string        `json:"timestamp"` // of the newest matching capture, 14 digits
	Title       string        `json:"title"`
	Snippet     string        `json:"snippet"`
	Marked      []search.Span `json:"marked"` // the snippet in pieces
	Type        string        `json:"type"`
	MIME        string        `json:"mime"`
	Language    string        `json:"language"`
	Size        int64         `json:"size"`
	Packages    []string      `json:"packages"`
	Collections []string      `json:"collections"`
	First       string        `json:"first"`
	Last        string        `json:"last"`
	Matching    int           `json:"matching"`
	Versions    int           `json:"versions"`
	Capture     string        `json:"capture"`  // the page of the capture
	Captures    string        `json:"captures"` // the page of all captures
}

type facetJSON struct {
	Field  string      `json:"field"`
	Values []valueJSON `json:"values"`
	More   int         `json:"more"`
}

type valueJSON struct {
	Value    string `json:"value"`
	Label    string `json:"label"`
	Count    int    `json:"count"`
	Selected bool   `json:"selected"`
}

// found answers the query of a request for machines.
func (s *site) found(q *request, a asked) (*search.Result, error) {
	if s.Search == nil {
		return nil, errNotFound
	}
	if strings.TrimSpace(a.Text) == "" && len(a.Filters) == 0 {
		return nil, errBadRequest
	}
	return s.Search.Query(q.Context(), q.who, a.Query)
}

func (s *site) searchJSON(q *request) (answer, error) {
	a := readAsked(q.place.Arguments)
	r, err := s.found(q, a)
	if err != nil {
		return answer{}, err
	}
	collections, _, err := s.h.Members(q.Context(), q.who)
	if err != nil {
		return answer{}, err
	}
	out := foundJSON{Query: a.Text, Level: r.Level, Order: orderName(a.Order), From: a.From,
		Totals: totalsJSON{r.Total, r.Elsewhere}, Indexing: r.Indexing,
		Notes:   append(append([]string{}, s.unreadDates(a)...), r.Notes...),
		Filters: []filterJSON{}, Hits: []hitJSON{}, Facets: []facetJSON{}}
	if r.Level == search.Bytestreams {
		out.Totals = totalsJSON{r.Elsewhere, r.Total}
	}
	for _, f := range r.Filters {
		out.Filters = append(out.Filters, filterJSON{f.Field, f.Value, f.Not})
	}
	for i := range r.Hits {
		out.Hits = append(out.Hits, s.hitJSON(q, &r.Hits[i], collections))
	}
	for _, f := range r.Facets {
		facet := facetJSON{Field: f.Field, Values: []valueJSON{}, More: f.More}
		for _, v := range f.Values {
			facet.Values = append(facet.Values, valueJSON{v.Value, s.valueLabel(f.Field, v), v.Count, v.Selected})
		}
		out.Facets = append(out.Facets, facet)
	}
	p := s.pageOf(a, r)
	out.Previous, out.Next = s.inForm(q, searchJSON, p.Prev), s.inForm(q, searchJSON, p.Next)
	text, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		return answer{}, fmt.Errorf("writing the search result: %w", err)
	}
	return sent("application/json", append(text, '\n')), nil
}

func (s *site) hitJSON(q *request, h *search.Hit, collections map[string][]string) hitJSON {
	out := hitJSON{URL: h.URL, Title: joined(h.Title), Snippet: joined(h.Snippet),
		Marked: append([]search.Span{}, h.Snippet...), Type: h.Type, MIME: h.MIME, Language: h.Language, Size: h.Size,
		Packages: append([]string{}, h.Packages...), Collections: []string{}, First: h.First, Last: h.Last,
		Matching: h.Matching, Versions: h.Versions, Captures: s.absolute(q, s.ui.Versions(address.All, h.URL))}
	if h.Capture != nil {
		out.Timestamp = h.Capture.Timestamp
		out.Capture = s.absolute(q, s.ui.Banner(address.All, h.Capture.Timestamp, h.URL))
	}
	for _, p := range h.Packages {
		for _, c := range collections[p] {
			out.Collections = appendNew(out.Collections, c)
		}
	}
	return out
}

// joined returns the text of spans.
func joined(all []search.Span) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(s.Text)
	}
	return b.String()
}

// inForm changes the address of a search page to another form of its results.
func (s *site) inForm(q *request, form address.Kind, page string) string {
	if page == "" {
		return ""
	}
	return s.absolute(q, string(s.ui)+"/"+string(form)+strings.TrimPrefix(page, s.ui.Search("")))
}
