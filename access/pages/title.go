package pages

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"quire/access/index"
)

// titlePage is the title entry page of a website, after that of PANDAS: what it is, what of it is kept, who may read it, how it is cited.
type titlePage struct {
	Title       string
	Former      []string
	Warning     []string
	Description []string
	Fronts      []frontPage
	Harvests    []harvestLine
	Facts       []fact
	Locked      bool
	AccessWords string
	Rights      []string
	Citation    string
	Related     []fact
	Collections []link
	Live        string
	Downloads   []link
	More        []link
}

// frontPage is a first page of the website, with its newest captures.
type frontPage struct {
	URL      string
	Captures []row
	Caption  string
	All      string
	AllText  string
}

type harvestLine struct{ Title, URL, When, Software string }

// What a title entry page has room for.
const (
	mostFronts        = 3
	mostFrontCaptures = 30
)

func (s *site) title(q *request) (answer, error) {
	p, err := s.pkg(q, q.place.ID)
	if err != nil {
		return answer{}, err
	}
	t := &titlePage{Title: p.Title, Former: p.former, Warning: p.warnings, Description: p.about, Related: p.related, Collections: p.collections}
	if len(p.fronts) > 0 {
		t.Live = p.fronts[0]
	}
	if err := s.fronts(q, t, p); err != nil {
		return answer{}, err
	}
	for i, h := range p.runs {
		t.Harvests = append(t.Harvests, harvestLine{Title: s.words.T("site.harvest", i+1), URL: s.ui.Harvest(p.ID, i+1), When: s.words.Span(h.from, h.to), Software: h.software})
	}
	t.Facts = s.factsOf(p)
	s.rightsOf(t, p)
	t.Citation = s.citation(q, p)
	for _, as := range s.Downloads {
		if p.decision.Allowed && s.words.has("site.download."+as) {
			t.Downloads = append(t.Downloads, link{s.words.T("site.download." + as), s.ui.Export(p.ID, as)})
		}
	}
	t.More = []link{{s.words.T("site.history"), s.ui.History(p.ID)}}
	if s.Search != nil {
		t.More = append(t.More, link{s.words.T("site.search"), s.ui.Search("") + "?" + url.Values{"f": {"package:" + p.ID}}.Encode()})
	}
	return answer{template: "site.html", title: p.Title, body: t, crumbs: []link{{s.Name, s.ui.Front()}, {s.words.T("nav.sites"), string(s.ui) + "/site/"}, {p.Title, ""}}}, nil
}

// fronts lists the captures of the first pages.
func (s *site) fronts(q *request, t *titlePage, p *pkgInfo) error {
	for _, u := range p.fronts[:min(len(p.fronts), mostFronts)] {
		f := frontPage{URL: u, All: s.ui.Versions(p.ID, u), AllText: s.words.T("site.captures.calendar"), Caption: s.words.T("site.captures.caption.all")}
		query := index.Query{URL: u, Packages: []string{p.ID}, Reverse: true}
		for c, err := range s.h.Captures(q.Context(), q.who, query) {
			if err != nil {
				return err
			}
			if len(f.Captures) == mostFrontCaptures {
				f.Caption = s.words.T("site.captures.caption")
				break
			}
			f.Captures = append(f.Captures, s.row(q, p.ID, &c))
		}
		if len(f.Captures) > 0 {
			t.Fronts = append(t.Fronts, f)
		}
	}
	return nil
}

// factsOf is what else is known of the website.
func (s *site) factsOf(p *pkgInfo) (facts []fact) {
	add := func(key string, values ...string) {
		var all []link
		for _, v := range values {
			if v != "" {
				all = append(all, link{Text: v})
			}
		}
		if len(all) > 0 {
			facts = append(facts, fact{s.words.T(key), all})
		}
	}
	add("site.fact.captured", s.words.Span(p.First, p.Last))
	for _, f := range p.facts {
		if s.words.has("site.fact." + f.Label) {
			f.Label = s.words.T("site.fact." + f.Label)
		}
		facts = append(facts, f)
	}
	if !p.Stored.IsZero() {
		add("site.fact.added", s.words.Day(p.Stored))
	}
	add("site.fact.size", s.words.Size(p.Bytes))
	add("site.fact.identifier", append([]string{p.ID}, p.identifiers...)...)
	if len(p.versions) > 1 {
		add("site.fact.versions", p.versions...)
	}
	return facts
}

// rightsOf says who may read it, and what the package says of its rights.
func (s *site) rightsOf(t *titlePage, p *pkgInfo) {
	t.Locked = !p.decision.Allowed
	t.AccessWords = cmp.Or(s.verdict(p.decision), s.words.T("verdict.open.text"))
	if t.Locked {
		t.Rights = s.message(p.decision)
	}
	for _, r := range p.rights {
		if !slices.Contains(t.Rights, r) {
			t.Rights = append(t.Rights, r)
		}
	}
	if len(p.rights) == 0 {
		t.Rights = append(t.Rights, s.words.T("site.rights.none"))
	}
}

// citation is how a reader cites the website: title, dates, archive, address, package.
func (s *site) citation(q *request, p *pkgInfo) string {
	at := s.ui.Site(p.ID)
	if !strings.Contains(string(s.ui), "://") {
		at = s.base(q) + at
	}
	if when := s.words.Span(p.First, p.Last); when != "" {
		return s.words.T("site.cite.text", p.Title, when, s.Name, at, p.ID)
	}
	return s.words.T("site.cite.undated", p.Title, s.Name, at, p.ID)
}

// base is scheme and host of our pages, for those who write them down.
func (s *site) base(q *request) string {
	if s.Public != "" {
		return strings.TrimSuffix(s.Public, "/")
	}
	if q.TLS != nil {
		return "https://" + q.Host
	}
	return "http://" + q.Host
}
