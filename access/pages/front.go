package pages

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quire/access/address"
	"quire/holdings"
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
	Letters       []link // pages of a long list, by first letter
}

// Limits of lists.
const (
	newestShown      = 9
	collectionsShown = 6
	cardsAPage       = 60
)

func (s *site) front(q *request) (answer, error) {
	all, err := s.h.Overview(q.Context(), q.who)
	if err != nil {
		return answer{}, err
	}
	f := &frontDoor{Name: s.Name, About: s.About, CanSearch: s.Search != nil, SearchURL: s.ui.Search(""),
		VersionsURL: string(s.ui) + "/versions/" + address.All + "/", AllURL: string(s.ui) + "/site/"}
	f.Figures = s.figures(all)
	for _, c := range all.ByTitle[:min(len(all.ByTitle), collectionsShown)] {
		f.Collections = append(f.Collections, s.collectionCard(c.ID, c.Title, c.Packages, c.Descriptions))
	}
	if all.Collections > collectionsShown {
		f.MoreCollections = string(s.ui) + "/collection/"
	}
	for _, id := range all.Newest {
		if len(f.Newest) == newestShown {
			break
		}
		if p, err := s.pkg(q, id); err == nil {
			f.Newest = append(f.Newest, s.card(p))
		} else if !errors.Is(err, errNotFound) { // removed or hidden a moment ago
			return answer{}, err
		}
	}
	return answer{template: "front.html", title: s.words.T("front.title"), body: f}, nil
}

// groups returns the collections visible to the reader, by title.
func (s *site) groups(q *request) (all []*holdings.Collection, err error) {
	for c, err := range s.h.Collections(q.Context(), q.who) {
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b *holdings.Collection) int {
		return strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title))
	})
	return all, nil
}

// figures returns the counts shown on the page.
func (s *site) figures(all *holdings.Overview) (figures []figure) {
	if all.Packages == 0 {
		return nil
	}
	figures = append(figures, figure{s.words.N("front.packages", all.Packages), s.words.Number(all.Packages)})
	if n := all.Collections; n > 0 {
		figures = append(figures, figure{s.words.N("front.collections", n), s.words.Number(n)})
	}
	first, last := all.First, all.Last
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
func (s *site) card(p *holdings.Package) card {
	c := card{Title: p.Title, URL: s.ui.Site(p.ID), Locked: !p.Allowed, Lock: s.verdict(p.Decision)}
	if p.Allowed && s.Thumbnails {
		c.Thumb = s.ui.Site(p.ID) + "?" + thumbnailOf // chosen when it is asked for: a list waits for none
	}
	if about := s.describe(p.Descriptions).about; len(about) > 0 {
		c.Text = clip(about[0], 180)
	}
	if when := s.words.Span(p.First, p.Last); when != "" {
		c.Note = s.words.T("sites.captured", when)
	} else if !p.Stored.IsZero() {
		c.Note = s.words.T("sites.added", s.words.Day(p.Stored))
	}
	return c
}

func (s *site) groupCard(c *holdings.Collection) card {
	return s.collectionCard(c.ID, c.Title, int64(len(c.Packages)), c.Descriptions)
}

func (s *site) collectionCard(id, title string, packages int64, all []holdings.Description) card {
	out := card{Title: title, URL: s.ui.Collection(id), Note: s.words.N("collection.count", packages)}
	if about := s.describe(all).about; len(about) > 0 {
		out.Text = clip(about[0], 180)
	}
	return out
}

// clip cuts a text at a word boundary.
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
	all, err := s.listing(q.Context(), q.who)
	if err != nil {
		return answer{}, err
	}
	at := string(s.ui) + "/site/"
	p := &listPage{Title: s.words.T("sites"), Text: []string{s.words.T("sites.text")},
		Heading: s.words.T("list.by.title"), Empty: s.words.T("sites.none"), Letters: letters(all, at)}
	from, to := s.cut(q, p, at, len(all))
	for _, b := range all[from:to] {
		p.Items = append(p.Items, s.card(&holdings.Package{ID: b.id, Title: b.title, Decision: b.decision,
			First: b.first, Last: b.last, Stored: b.stored}))
	}
	return answer{template: "list.html", title: p.Title, body: p,
		crumbs: []link{{s.Name, s.ui.Front()}, {p.Title, ""}}}, nil
}

func (s *site) collections(q *request) (answer, error) {
	groups, err := s.groups(q)
	if err != nil {
		return answer{}, err
	}
	p := &listPage{Title: s.words.T("collections"), Text: []string{s.words.T("collections.text")},
		Heading: s.words.T("list.by.title"), Empty: s.words.T("collections.none")}
	from, to := s.cut(q, p, string(s.ui)+"/collection/", len(groups))
	for _, g := range groups[from:to] {
		p.Items = append(p.Items, s.groupCard(g))
	}
	return answer{template: "list.html", title: p.Title, body: p,
		crumbs: []link{{s.Name, s.ui.Front()}, {p.Title, ""}}}, nil
}

// collection shows a collection: its description and its websites. It omits the related items of
// its description: these name its websites without an access decision.
func (s *site) collection(q *request) (answer, error) {
	c, err := s.h.Collection(q.Context(), q.who, q.place.ID)
	if err != nil {
		return answer{}, notFoundIf(err)
	}
	d := s.describe(c.Descriptions)
	p := &listPage{Kicker: s.words.T("collection.kicker"), Title: c.Title, Text: d.about, Facts: d.facts,
		Heading: s.words.T("collection.websites"), Empty: s.words.T("collection.none")}
	for i := range c.Rights {
		p.Facts = addFact(p.Facts, s.words.T("site.rights"), link{Text: s.statement(&c.Rights[i])})
	}
	from, to := s.cut(q, p, s.ui.Collection(c.ID), len(c.Packages))
	for _, id := range c.Packages[from:to] {
		pkg, err := s.pkg(q, id)
		if errors.Is(err, errNotFound) {
			continue
		}
		if err != nil {
			return answer{}, err
		}
		p.Items = append(p.Items, s.card(pkg))
	}
	return answer{template: "list.html", title: c.Title, body: p,
		crumbs: []link{{s.Name, s.ui.Front()}, {s.words.T("nav.collections"), string(s.ui) + "/collection/"},
			{c.Title, ""}}}, nil
}

// cut selects one page of a list of n items, by the argument from, and links the others.
func (s *site) cut(q *request, p *listPage, at string, n int) (from, to int) {
	v, _ := url.ParseQuery(q.place.Arguments) // unreadable parts are not from our pages
	from, err := strconv.Atoi(v.Get("from"))
	if err != nil || from < 0 || from >= n {
		from = 0
	}
	to = min(n, from+cardsAPage)
	if from > 0 {
		p.Pager.Prev = at + "?from=" + strconv.Itoa(max(0, from-cardsAPage))
	}
	if to < n {
		p.Pager.Next = at + "?from=" + strconv.Itoa(to)
	}
	if n > cardsAPage {
		p.Pager.Words = s.words.T("pager.of", s.words.Number(int64(from+1)), s.words.Number(int64(to)),
			s.words.Number(int64(n)))
	}
	return from, to
}
