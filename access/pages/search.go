package pages

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quire/access/address"
	"quire/access/search"
)

// hitsAPage is the number of hits on a page of results.
const hitsAPage = 10

// results is the page of search results.
type results struct {
	Title      string
	Action     string
	Query      string
	Begin      string // of the dates of captures, as 2015-03-01
	End        string
	Asked      bool
	Kept       []field // hidden fields of the form
	Help       []string
	Problem    string
	Notes      []string
	Suggestion *link // to a query with other words; nil for none
	Levels     []tab
	Chosen     []link
	Summary    string
	Start      int
	Hits       []hit
	Facets     []facet
	Orders     []tab
	Pager      pager
	Indexing   string
	Trends     string // the same words over time
	CSV        string // the results as a table
}

type field struct{ Name, Value string }

type hit struct {
	URL, Address, Facts, All, Versions string
	Thumb                              string // of the capture; "" for none
	Title, Snippet                     []search.Span
	Details                            []search.Detail
}

type facet struct {
	Title  string
	Values []facetValue
	More   string
}

type facetValue struct {
	link
	Count int64
	Here  bool
}

// asked is a query in its URL form: q, level, order, from, and f=FIELD:VALUE for each filter.
type asked struct {
	search.Query
	unread []string // dates of the form that are none
}

func readAsked(arguments string) asked {
	v, _ := url.ParseQuery(arguments) // unreadable parts are not from our pages
	a := asked{Query: search.Query{Text: v.Get("q"), Level: search.Pages, Limit: hitsAPage}}
	if search.Level(v.Get("level")) == search.Bytestreams {
		a.Level = search.Bytestreams
	}
	if r := []rune(a.Text); len(r) > search.MaxQuery { // each link on the page repeats it
		a.Text = string(r[:search.MaxQuery+1]) // one more than allowed, so the reader sees the error
	}
	switch o := search.Order(v.Get("order")); o {
	case search.Newest, search.Oldest:
		a.Order = o
	}
	if n, err := strconv.Atoi(v.Get("from")); err == nil && n > 0 {
		a.From = min(n, search.MaxFrom)
	}
	for _, f := range v["f"] {
		name, value, ok := strings.Cut(f, ":")
		known := slices.Contains(search.Fields, name) || name == search.Package || name == search.Date
		if known && ok && len(a.Filters) < 20 {
			a.Filters = append(a.Filters, search.Filter{Field: name, Value: value})
		}
	}
	a.dates(v.Get("begin"), v.Get("end"))
	return a
}

// dates sets the filter of the date fields of the form, in place of an earlier one. If one of the fields has no date,
// the other one still counts.
func (a *asked) dates(begin, end string) {
	for _, field := range []*string{&begin, &end} {
		if *field = strings.TrimSpace(*field); *field == "" {
			continue
		}
		if _, err := search.FiltersOf(search.Date, *field+".."); err != nil {
			a.unread = append(a.unread, *field)
			*field = ""
		}
	}
	if begin == "" && end == "" {
		return
	}
	filters, err := search.FiltersOf(search.Date, begin+".."+end)
	if err != nil { // it ends before it begins
		a.unread = append(a.unread, begin+".."+end)
		return
	}
	a.Filters = append(slices.DeleteFunc(a.Filters, isDates), filters...)
}

// isDates reports whether a filter is in the date fields of the form.
func isDates(f search.Filter) bool { return f.Field == search.Date && !f.Not }

// at returns the address of a query.
func (a asked) at(ui address.UI) string {
	v := url.Values{"q": {a.Text}}
	for _, f := range a.fields() {
		v.Add(f.Name, f.Value)
	}
	if a.From > 0 {
		v.Set("from", strconv.Itoa(a.From))
	}
	return ui.Search("") + "?" + v.Encode()
}

// fields returns the parameters of a query other than text and position.
func (a asked) fields() (all []field) {
	if a.Level == search.Bytestreams {
		all = append(all, field{"level", string(a.Level)})
	}
	if a.Order != search.Relevance {
		all = append(all, field{"order", string(a.Order)})
	}
	for _, f := range a.Filters {
		all = append(all, field{"f", f.Field + ":" + f.Value})
	}
	return all
}

func (a asked) with(f search.Filter) asked {
	a.From = 0
	a.Filters = append(slices.Clone(a.Filters), f)
	return a
}

func (a asked) without(f search.Filter) asked {
	a.From = 0
	a.Filters = slices.DeleteFunc(slices.Clone(a.Filters), func(o search.Filter) bool { return o == f })
	return a
}

func (s *site) search(q *request) (answer, error) {
	if s.Search == nil {
		return answer{}, errNotFound
	}
	if a, ok := readImageQuery(q.place.Arguments); ok && s.Pictures != nil {
		return s.images(q, a)
	}
	a := readAsked(q.place.Arguments)
	p := results{Title: s.words.T("search.title"), Action: s.ui.Search(""), Query: a.Text, Start: a.From + 1}
	for _, f := range a.Filters {
		if isDates(f) {
			p.Begin, p.End = search.Days(f.Value)
		}
	}
	kept := a
	kept.Filters = slices.DeleteFunc(slices.Clone(a.Filters), isDates)
	p.Kept = kept.fields()
	p.Notes = s.unreadDates(a)
	for i := 1; s.words.Has(fmt.Sprintf("search.help.%d", i)); i++ {
		p.Help = append(p.Help, s.words.T(fmt.Sprintf("search.help.%d", i)))
	}
	title := p.Title
	if strings.TrimSpace(a.Text) != "" || len(a.Filters) > 0 {
		result, err := s.Search.Query(q.Context(), q.who, a.Query)
		if err != nil {
			return answer{}, err
		}
		s.fill(&p, a, result)
		title = s.words.T("search.title.of", a.Text)
	}
	return answer{template: "search.html", title: title, body: p, private: true}, nil
}

// unreadDates returns a note on each date of the form that is none.
func (s *site) unreadDates(a asked) (notes []string) {
	for _, date := range a.unread {
		notes = append(notes, s.words.T("search.dates.unread", date))
	}
	return notes
}

// fill adds a result to the page.
func (s *site) fill(p *results, a asked, r *search.Result) {
	p.Asked, p.Notes, p.Indexing = true, append(p.Notes, r.Notes...), r.Indexing
	a.Level = r.Level // a search for files alone finds files
	if r.Suggestion != "" {
		other := a
		other.Text, other.From = r.Suggestion, 0
		p.Suggestion = &link{s.words.T("search.suggestion", r.Suggestion), other.at(s.ui)}
	}
	p.Summary = s.words.N("search.summary."+string(a.Level), int64(r.Total))
	s.levels(p, a, r)
	for _, f := range a.Filters {
		p.Chosen = append(p.Chosen, link{s.words.T("search.filter", s.words.T("facet."+f.Field), s.labelOf(r, f)),
			a.without(f).at(s.ui)})
	}
	for _, o := range []search.Order{search.Relevance, search.Newest, search.Oldest} {
		next := a
		next.Order, next.From = o, 0
		p.Orders = append(p.Orders, tab{link: link{s.words.T("search.order." + orderName(o)), next.at(s.ui)},
			Here: a.Order == o})
	}
	for i := range r.Hits {
		p.Hits = append(p.Hits, s.hit(&r.Hits[i], r.Level))
	}
	for _, f := range r.Facets {
		p.Facets = append(p.Facets, s.facet(a, f))
	}
	p.Pager = s.pageOf(a, r)
	if len(r.Hits) > 0 {
		s.otherViews(p, a)
	}
}

// otherViews links the results as a table, and the words over time.
func (s *site) otherViews(p *results, a asked) {
	a.From = 0
	_, arguments, _ := strings.Cut(a.at(s.ui), "?")
	p.CSV = string(s.ui) + "/search.csv?" + arguments
	if a.Order = search.Relevance; strings.TrimSpace(a.Text) != "" {
		_, arguments, _ = strings.Cut(a.at(s.ui), "?")
		p.Trends = s.ui.Trends() + "?" + arguments
	}
}

func orderName(o search.Order) string {
	if o == search.Relevance {
		return "relevance"
	}
	return string(o)
}

// levels adds the links between the search for pages and the search for bytestreams, with their
// counts.
func (s *site) levels(p *results, a asked, r *search.Result) {
	for _, l := range []search.Level{search.Pages, search.Bytestreams} {
		next, n := a, r.Elsewhere
		next.From, next.Level = 0, l
		if l == a.Level {
			n = r.Total
		}
		p.Levels = append(p.Levels, tab{link: link{s.words.N("search.level."+string(l), int64(n)), next.at(s.ui)},
			Here: l == a.Level})
	}
	if s.Pictures != nil {
		p.Levels = append(p.Levels, tab{link: s.imageTab(a.Text)})
	}
}

// labelOf returns the label of a selected value.
func (s *site) labelOf(r *search.Result, f search.Filter) string {
	for _, facet := range r.Facets {
		for _, v := range facet.Values {
			if facet.Field == f.Field && v.Value == f.Value {
				return s.valueLabel(f.Field, v)
			}
		}
	}
	return s.valueLabel(f.Field, search.Value{Value: f.Value})
}

func (s *site) valueLabel(name string, v search.Value) string {
	if name == search.Type && s.words.Has("type."+v.Value) {
		return s.words.T("type." + v.Value)
	}
	switch {
	case v.Label != "":
		return v.Label
	case v.Value == "":
		return s.words.T("facet.unknown")
	}
	return v.Value
}

func (s *site) facet(a asked, f search.Facet) facet {
	out := facet{Title: s.words.T("facet." + f.Field)}
	for _, v := range f.Values {
		chosen := search.Filter{Field: f.Field, Value: v.Value}
		here := v.Selected || slices.Contains(a.Filters, chosen)
		next := a.with(chosen)
		if here {
			next = a.without(chosen)
		}
		out.Values = append(out.Values,
			facetValue{link: link{s.valueLabel(f.Field, v), next.at(s.ui)}, Count: int64(v.Count), Here: here})
	}
	if f.More > 0 {
		out.More = s.words.N("facet.more", int64(f.More))
	}
	return out
}

func (s *site) hit(h *search.Hit, level search.Level) hit {
	out := hit{Address: h.URL, Title: h.Title, Snippet: h.Snippet, Details: h.Details,
		URL: s.ui.Versions(address.All, h.URL), All: s.ui.Versions(address.All, h.URL)}
	if h.Capture != nil {
		out.URL = s.ui.Banner(address.All, h.Capture.Timestamp, h.URL)
		out.Thumb = s.thumbnail(address.All, h.Capture)
	}
	var facts []string
	if h.Type != "page" && s.words.Has("type."+h.Type) {
		facts = append(facts, s.words.T("type."+h.Type))
	}
	if level == search.Bytestreams && h.Size > 0 {
		facts = append(facts, s.words.Size(h.Size))
	}
	switch {
	case h.First != "" && h.Last != "" && h.First[:min(8, len(h.First))] != h.Last[:min(8, len(h.Last))]:
		facts = append(facts, s.words.T("date.span", s.words.When(h.First[:8]), s.words.When(h.Last[:8])))
	case h.Capture != nil:
		facts = append(facts, s.words.When(h.Capture.Timestamp[:8]))
	}
	if h.AlsoAt > 0 {
		facts = append(facts, s.words.N("search.also", int64(h.AlsoAt)))
	}
	if h.Truncated {
		facts = append(facts, s.words.T("capture.truncated"))
	}
	out.Facts = strings.Join(facts, " · ")
	out.Versions = s.words.N("search.versions", int64(h.Versions), s.words.Number(int64(h.Matching)))
	return out
}

// pageOf links the previous and next hits.
func (s *site) pageOf(a asked, r *search.Result) (p pager) {
	if a.From > 0 {
		before := a
		before.From = max(0, a.From-hitsAPage)
		p.Prev = before.at(s.ui)
	}
	if next := a.From + hitsAPage; next < r.Total && next <= search.MaxFrom {
		behind := a
		behind.From = next
		p.Next = behind.at(s.ui)
	}
	if len(r.Hits) > 0 {
		p.Words = s.words.T("pager.of", s.words.Number(int64(a.From+1)), s.words.Number(int64(a.From+len(r.Hits))),
			s.words.Number(int64(r.Total)))
	}
	return p
}
