package pages

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strings"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/preserve/statements"
)

// titlePage is the title entry page of a website, modelled on that of PANDAS: description,
// holdings, access and citation.
type titlePage struct {
	*described
	Title       string
	Thumb       string // of the newest capture of a front page
	Fronts      []frontPage
	Hosts       []browsedRow // if there is no front page
	Harvests    []harvestLine
	Facts       []fact
	Locked      bool
	AccessWords string
	Rights      []string
	Citation    string
	Collections []link
	Live        string
	Downloads   []link
	More        []link
}

// Former, Warning, Description and Related expose the description to templates.
func (t *titlePage) Former() []string      { return t.former }
func (t *titlePage) Warning() []string     { return t.warnings }
func (t *titlePage) Description() []string { return t.about }
func (t *titlePage) Related() []fact       { return t.related }

// frontPage is a front page of the website, with its newest captures.
type frontPage struct {
	URL      string
	Captures []row
	Caption  string
	All      string

	ShowAccess bool // access to some captures is restricted
}

type harvestLine struct{ Title, URL, When, Software string }

// Limits of a title entry page.
const (
	mostFronts        = 3
	mostFrontCaptures = 20
	hostsOfTitle      = 10
)

// pkg returns a package as visible to the reader.
func (s *site) pkg(q *request, id string) (*holdings.Package, error) {
	p, err := s.h.Package(q.Context(), q.who, id)
	return p, notFoundIf(err)
}

// notFoundIf turns errors about missing packages into errNotFound.
func notFoundIf(err error) error {
	if errors.Is(err, captures.ErrNotFound) {
		return errNotFound
	}
	return err
}

// thumbnailOf is the argument for the thumbnail of a title.
const thumbnailOf = "thumbnail"

func (s *site) title(q *request) (answer, error) {
	p, err := s.pkg(q, q.place.ID)
	if err != nil {
		return answer{}, err
	}
	t := &titlePage{described: s.describe(p.Descriptions), Title: p.Title}
	if t.former = slices.DeleteFunc(t.former, func(f string) bool { return f == p.Title }); !p.Allowed {
		t.described.live = nil // the address of closed content is shown only with its captures
	}
	if q.place.Arguments == thumbnailOf && s.Thumbnails {
		err := s.fronts(q, t, p)
		return answer{redirect: cmp.Or(t.Thumb, s.ui.Static("sheet.svg"))}, err
	}
	for _, m := range p.Collections {
		t.Collections = append(t.Collections, link{m.Title, s.ui.Collection(m.ID)})
	}
	for _, g := range p.Groups {
		t.Collections = append(t.Collections, link{Text: g})
	}
	if err := s.fronts(q, t, p); err != nil {
		return answer{}, err
	}
	for _, h := range p.Harvests {
		t.Harvests = append(t.Harvests,
			harvestLine{Title: s.harvestName(&h), URL: s.ui.Harvest(p.ID, h.Number), When: s.words.Span(h.Start, h.End),
				Software: valueOf(&h, "software")})
	}
	s.factsOf(t, p)
	s.rightsOf(t, p)
	t.Citation = s.citation(q, p)
	s.furtherOf(t, p)
	return answer{template: "site.html", title: p.Title, body: t, crumbs: s.trail(link{p.Title, ""})}, nil
}

// trail returns the links from the first page to this one.
func (s *site) trail(more ...link) []link {
	return append([]link{{s.Name, s.ui.Front()}, {s.words.T("nav.sites"), string(s.ui) + "/site/"}}, more...)
}

func (s *site) harvestName(h *holdings.Harvest) string {
	if h.ID != "" {
		return s.words.T("site.harvest.named", h.Number, h.ID)
	}
	return s.words.T("site.harvest", h.Number) // the dates are its label
}

// valueOf returns the first value of a fact of a harvest.
func valueOf(h *holdings.Harvest, name string) string {
	for _, f := range h.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// fronts lists the captures of the first pages.
func (s *site) fronts(q *request, t *titlePage, p *holdings.Package) error {
	urls, err := s.frontpages.Choose(q.Context(), q.who, p.ID, wantedFronts(p, t.described))
	if err != nil {
		return err
	}
	for _, u := range urls[:min(len(urls), mostFronts)] {
		f := frontPage{URL: u, All: s.ui.Versions(p.ID, u), Caption: s.words.T("site.captures.caption.all")}
		query := captures.Query{URL: u, Packages: []string{p.ID}, Reverse: true}
		for c, err := range s.h.Captures(q.Context(), q.who, query) {
			if err != nil {
				return err
			}
			if len(f.Captures) == mostFrontCaptures {
				f.Caption = s.words.T("site.captures.caption")
				break
			}
			line := s.row(q, p.ID, &c)
			t.Thumb = cmp.Or(t.Thumb, line.Thumb)
			f.Captures = append(f.Captures, line)
			f.ShowAccess = f.ShowAccess || line.Lock != ""
		}
		if len(f.Captures) > 0 {
			t.Fronts = append(t.Fronts, f)
			t.Live = cmp.Or(t.Live, u)
		}
	}
	if len(t.Fronts) > 0 {
		return nil
	}
	query, err := s.query(p.ID, "")
	if err != nil {
		return err
	}
	t.Hosts, _, err = s.hosts(q, p.ID, query, hostsOfTitle)
	return err
}

// wantedFronts returns the addresses that curators recorded for a website, and the seeds of its harvests.
func wantedFronts(p *holdings.Package, d *described) []string {
	wanted := slices.Clone(d.live)
	for _, h := range p.Harvests {
		for _, f := range h.Facts {
			if f.Name == "seed" {
				wanted = appendNew(wanted, f.Value)
			}
		}
	}
	return wanted
}

// factsOf adds further facts about the website.
func (s *site) factsOf(t *titlePage, p *holdings.Package) {
	add := func(key string, value string) {
		t.Facts = addFact(t.Facts, s.words.T("site.fact."+key), link{Text: value})
	}
	add("captured", s.words.Span(p.First, p.Last))
	t.Facts = append(t.Facts, t.facts...)
	if !p.Stored.IsZero() {
		add("added", s.words.Day(p.Stored))
	}
	add("identifier", p.ID)
	if !p.Allowed {
		return // counts are sent together with the content
	}
	add("size", s.words.Size(p.Bytes))
	if len(p.Versions) > 1 {
		for _, v := range p.Versions {
			add("versions", s.words.T("site.fact.version", v.Number, s.words.Day(v.Created)))
		}
	}
}

// furtherOf links the downloads, and the pages of further details.
func (s *site) furtherOf(t *titlePage, p *holdings.Package) {
	for _, as := range s.Downloads {
		if p.Allowed && s.words.Has("site.download."+as) {
			t.Downloads = append(t.Downloads, link{s.words.T("site.download." + as), s.ui.Export(p.ID, as)})
		}
	}
	t.More = []link{{s.words.T("site.history"), s.ui.History(p.ID)},
		{s.words.T("browse.link"), browseArguments{in: p.ID}.at(s.ui)}}
	if len(t.Fronts) > 0 && p.Allowed {
		if to, ok := s.linksOfHost(t.Fronts[0].URL); ok {
			t.More = append(t.More, to)
		}
	}
	if s.Search != nil {
		t.More = append(t.More, link{s.words.T("site.search"),
			s.ui.Search("") + "?" + url.Values{"f": {"package:" + p.ID}}.Encode()})
	}
}

// rightsOf adds access and rights statements.
func (s *site) rightsOf(t *titlePage, p *holdings.Package) {
	t.Locked = !p.Allowed
	t.AccessWords = cmp.Or(s.verdict(p.Decision), s.words.T("verdict.open.text"))
	if t.Locked {
		t.Rights = s.message(p.Decision)
	}
	for i := range p.Rights {
		t.Rights = appendNew(t.Rights, s.statement(&p.Rights[i]))
	}
	for _, a := range t.access {
		t.Rights = appendNew(t.Rights, a)
	}
	if len(p.Rights)+len(t.access) == 0 {
		t.Rights = append(t.Rights, s.words.T("site.rights.none"))
	}
}

// statement formats a rights statement: "Licence: letter of 12 March 2009, granted by Harbour
// Museum, may be shown to everyone."
func (s *site) statement(r *holdings.Right) string {
	status := r.Status
	if key := "rights.status." + strings.ReplaceAll(status, " ", "-"); s.words.Has(key) {
		status = s.words.T(key)
	}
	parts := []string{r.Authority, status}
	if r.Agent != "" {
		parts = append(parts, s.words.T("rights.granted."+string(r.Basis), r.Agent))
	}
	for _, g := range r.Grants {
		parts = append(parts, s.grant(&g))
	}
	text := s.words.T("rights.basis."+string(r.Basis), s.words.List(withoutEmpty(parts)))
	switch {
	case r.Harvest > 0:
		text = s.words.T("rights.of.harvest", r.Harvest, text)
	case len(r.URLs) > 0:
		text = s.words.T("rights.of.urls", s.words.List(r.URLs), text)
	case r.Part:
		text = s.words.T("rights.of.part", text)
	}
	return strings.Join(withoutEmpty(append([]string{text}, r.Notes...)), " ")
}

// grant describes a permitted act and its period.
func (s *site) grant(g *statements.Grant) string {
	if g.Act != statements.Show {
		return ""
	}
	text := s.words.T("rights.show")
	if g.Zone != "" {
		text = s.words.T("rights.zone." + string(g.Zone))
	}
	day := func(d statements.Day) string { return s.words.When(strings.ReplaceAll(string(d), "-", "")) }
	switch {
	case g.From != "" && g.To != "":
		return s.words.T("rights.span", text, day(g.From), day(g.To))
	case g.From != "":
		return s.words.T("rights.from", text, day(g.From))
	case g.To != "":
		return s.words.T("rights.to", text, day(g.To))
	}
	return text
}

// citation returns a citation of the website: title, dates, archive, address, package.
func (s *site) citation(q *request, p *holdings.Package) string {
	at := s.ui.Site(p.ID)
	if !strings.Contains(string(s.ui), "://") {
		at = s.base(q) + at
	}
	if when := s.words.Span(p.First, p.Last); when != "" {
		return s.words.T("site.cite.text", p.Title, when, s.Name, at, p.ID)
	}
	return s.words.T("site.cite.undated", p.Title, s.Name, at, p.ID)
}

// base returns scheme and host of our pages, for citations.
func (s *site) base(q *request) string {
	if s.Public != "" {
		return strings.TrimSuffix(s.Public, "/")
	}
	if q.TLS != nil {
		return "https://" + q.Host
	}
	return "http://" + q.Host
}
