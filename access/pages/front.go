package pages

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"quire/access/address"
)

// frontDoor is the first page.
type frontDoor struct {
	Name, About     string
	CanSearch       bool
	SearchURL       string
	VersionsURL     string
	Figures         []figure
	Collections     []card
	MoreCollections string
	Newest          []card
	AllURL          string
}

// listPage is a list of websites or collections.
type listPage struct {
	Kicker, Title string
	Text          []string
	Facts         []fact
	Heading       string
	Items         []card
	Empty         string
	Pager         pager
}

// How much is listed.
const (
	newestShown      = 9
	collectionsShown = 6
	cardsAPage       = 60
)

func (s *site) front(q *request) (answer, error) {
	all, err := s.packages(q)
	if err != nil {
		return answer{}, err
	}
	groups, err := s.groups(q)
	if err != nil {
		return answer{}, err
	}
	f := &frontDoor{Name: s.Name, About: s.About, CanSearch: s.Search != nil, SearchURL: s.ui.Search(""), VersionsURL: string(s.ui) + "/versions/" + address.All + "/", AllURL: string(s.ui) + "/site/"}
	f.Figures = s.figures(all, len(groups))
	for _, g := range groups[:min(len(groups), collectionsShown)] {
		f.Collections = append(f.Collections, s.groupCard(g))
	}
	if len(groups) > collectionsShown {
		f.MoreCollections = string(s.ui) + "/collection/"
	}
	slices.SortStableFunc(all, func(a, b brief) int { return b.stored.Compare(a.stored) })
	for _, p := range all[:min(len(all), newestShown)] {
		f.Newest = append(f.Newest, s.card(p))
	}
	return answer{template: "front.html", title: s.words.T("front.title"), body: f}, nil
}

// figures say how much there is.
func (s *site) figures(all []brief, groups int) (figures []figure) {
	if len(all) == 0 {
		return nil
	}
	n := int64(len(all))
	figures = append(figures, figure{s.words.N("front.packages", n), s.words.Number(n)})
	if groups > 0 {
		figures = append(figures, figure{s.words.N("front.collections", int64(groups)), s.words.Number(int64(groups))})
	}
	var first, last time.Time
	for _, p := range all {
		if !p.first.IsZero() && (first.IsZero() || p.first.Before(first)) {
			first = p.first
		}
		if p.last.After(last) {
			last = p.last
		}
	}
	if !first.IsZero() && !last.IsZero() {
		years := strconv.Itoa(first.Year())
		if last.Year() != first.Year() {
			years += "–" + strconv.Itoa(last.Year())
		}
		figures = append(figures, figure{s.words.T("front.years"), years})
	}
	return figures
}

// card shows a package in a list.
func (s *site) card(p brief) card {
	c := card{Title: p.title, URL: s.ui.Site(p.id), Text: clip(p.about, 180)}
	if when := s.words.Span(p.first, p.last); when != "" {
		c.Note = s.words.T("sites.captured", when)
	} else if !p.stored.IsZero() {
		c.Note = s.words.T("sites.added", s.words.Day(p.stored))
	}
	return c
}

func (s *site) groupCard(g group) card {
	return card{Title: g.title, URL: s.ui.Collection(g.id), Text: clip(g.about, 180), Note: s.words.N("collection.count", int64(g.size))}
}

// clip cuts a text at a word.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	if i := strings.LastIndexByte(text[:most], ' '); i > 0 {
		return text[:i] + " …"
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func (s *site) sites(q *request) (answer, error) {
	all, err := s.packages(q)
	if err != nil {
		return answer{}, err
	}
	p := &listPage{Title: s.words.T("sites"), Text: []string{s.words.T("sites.text")}, Empty: s.words.T("sites.none")}
	for _, b := range all {
		p.Items = append(p.Items, s.card(b))
	}
	s.cut(q, p, string(s.ui)+"/site/")
	return answer{template: "list.html", title: p.Title, body: p, crumbs: []link{{s.Name, s.ui.Front()}, {p.Title, ""}}}, nil
}

func (s *site) collections(q *request) (answer, error) {
	groups, err := s.groups(q)
	if err != nil {
		return answer{}, err
	}
	p := &listPage{Title: s.words.T("collections"), Text: []string{s.words.T("collections.text")}, Empty: s.words.T("collections.none")}
	for _, g := range groups {
		p.Items = append(p.Items, s.groupCard(g))
	}
	s.cut(q, p, string(s.ui)+"/collection/")
	return answer{template: "list.html", title: p.Title, body: p, crumbs: []link{{s.Name, s.ui.Front()}, {p.Title, ""}}}, nil
}

// cut keeps one page of a list, by the argument from.
func (s *site) cut(q *request, p *listPage, at string) {
	v, _ := url.ParseQuery(q.place.Arguments) // what cannot be read of it was not written by us
	from, err := strconv.Atoi(v.Get("from"))
	if err != nil || from < 0 || from >= len(p.Items) {
		from = 0
	}
	n := len(p.Items)
	to := min(n, from+cardsAPage)
	p.Items = p.Items[from:to]
	if from > 0 {
		p.Pager.Prev = at + "?from=" + strconv.Itoa(max(0, from-cardsAPage))
	}
	if to < n {
		p.Pager.Next = at + "?from=" + strconv.Itoa(to)
	}
	if n > cardsAPage {
		p.Pager.Words = s.words.T("pager.of", s.words.Number(int64(from+1)), s.words.Number(int64(to)), s.words.Number(int64(n)))
	}
}
