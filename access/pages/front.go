package pages

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"quire/access/address"
	"quire/holdings"
	"quire/holdings/captures"
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
	Years           []yearColumn
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
	Links         []link // other lists
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
	f.Figures, f.Years = s.figures(all), s.yearMap(all)
	for _, c := range all.ByTitle[:min(len(all.ByTitle), collectionsShown)] {
		f.Collections = append(f.Collections, s.collectionCard(c.ID, c.Title, c.Packages, c.Descriptions))
	}
	soon, cancel := context.WithTimeout(q.Context(), cardsWait)
	defer cancel()
	if all.Collections > collectionsShown {
		f.MoreCollections = string(s.ui) + "/collection/"
	}
	for _, id := range all.Newest {
		if len(f.Newest) == newestShown {
			break
		}
		if p, err := s.pkg(q, id); err == nil {
			f.Newest = append(f.Newest, s.fullCard(soon, q, p))
		} else if !errors.Is(err, errNotFound) { // removed or hidden a moment ago
			return answer{}, err
		}
	}
	return answer{template: "front.html", title: s.words.T("front.title"), body: f}, nil
}

// cardsWait bounds the time for hosts and counts on the first page. Cards that it does not reach have
// neither, until they are made in the background.
const cardsWait = 250 * time.Millisecond

// fullCard shows a package with its host and the number of its captures.
func (s *site) fullCard(ctx context.Context, q *request, p *holdings.Package) card {
	c := s.card(p)
	if !p.Allowed {
		return c // the address and the counts of closed content are not shown in lists
	}
	wanted := wantedFronts(p, s.describe(p.Descriptions))
	about, err := s.frontpages.About(ctx, q.who, p.ID, wanted)
	if err != nil {
		return c // the time is over, or the title page reports the error
	}
	c.Host = about.Host
	if about.Captures > 0 {
		c.Captures = s.words.N("card.captures", about.Captures)
	}
	return c
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
	if s.Thumbnails && packages > 0 {
		out.Thumb = s.ui.Collection(id) + "?" + thumbnailOf
	}
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
	year := askedYear(q.place.Arguments)
	at := s.sitesOf(year)
	all = firstIn(all, year)
	p := &listPage{Title: s.words.T("sites"), Text: []string{s.words.T("sites.text")},
		Heading: s.words.T("list.by.title"), Empty: s.words.T("sites.none"), Letters: letters(all, at)}
	if year != "" {
		p.Title, p.Text = s.words.T("sites.year", year), nil
		p.Links = []link{{s.words.T("front.all"), s.sitesOf("")}}
	}
	from, to := s.cut(q, p, at, len(all))
	for _, b := range all[from:to] {
		p.Items = append(p.Items, s.card(&holdings.Package{ID: b.id, Title: b.title, Decision: b.decision,
			First: b.first, Last: b.last, Stored: b.stored}))
	}
	return answer{template: "list.html", title: p.Title, body: p,
		crumbs: []link{{s.Name, s.ui.Front()}, {p.Title, ""}}}, nil
}

func (s *site) collections(q *request) (answer, error) {
	all, err := s.collectionListing(q.Context(), q.who)
	if err != nil {
		return answer{}, err
	}
	at := string(s.ui) + "/collection/"
	p := &listPage{Title: s.words.T("collections"), Text: []string{s.words.T("collections.text")},
		Heading: s.words.T("list.by.title"), Empty: s.words.T("collections.none"), Letters: letters(all, at)}
	from, to := s.cut(q, p, at, len(all))
	for _, g := range all[from:to] {
		c, err := s.h.Collection(q.Context(), q.who, g.id)
		if errors.Is(err, captures.ErrNotFound) { // removed or hidden a moment ago
			continue
		}
		if err != nil {
			return answer{}, err
		}
		p.Items = append(p.Items, s.groupCard(c))
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
	if q.place.Arguments == thumbnailOf && s.Thumbnails {
		at, err := s.thumbnailOfCollection(q, c)
		return answer{redirect: at}, err
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

// triedForPicture limits the members of a collection that are tried for its picture.
const triedForPicture = 8

// thumbnailOfCollection returns the thumbnail of the first member with a capture that is open to the
// reader, or else a drawn sheet.
func (s *site) thumbnailOfCollection(q *request, c *holdings.Collection) (string, error) {
	for _, id := range c.Packages[:min(len(c.Packages), triedForPicture)] {
		p, err := s.pkg(q, id)
		if errors.Is(err, errNotFound) {
			continue
		}
		if err != nil {
			return "", err
		}
		if !p.Allowed {
			continue
		}
		t := &titlePage{described: s.describe(p.Descriptions)}
		if err := s.fronts(q, t, p); err != nil {
			return "", err
		}
		if t.Thumb != "" {
			return t.Thumb, nil
		}
	}
	return s.ui.Static("sheet.svg"), nil
}

// fromPage returns the address of a page of a list.
func fromPage(at string, from int) string {
	sign := "?"
	if strings.Contains(at, "?") {
		sign = "&"
	}
	return at + sign + "from=" + strconv.Itoa(from)
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
		p.Pager.Prev = fromPage(at, max(0, from-cardsAPage))
	}
	if to < n {
		p.Pager.Next = fromPage(at, to)
	}
	if n > cardsAPage {
		p.Pager.Words = s.words.T("pager.of", s.words.Number(int64(from+1)), s.words.Number(int64(to)),
			s.words.Number(int64(n)))
	}
	return from, to
}
