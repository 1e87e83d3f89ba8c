package pages

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"quire/access/address"
	"quire/access/citation"
	"quire/access/search/extract"
	"quire/access/statement"
	"quire/holdings"
	"quire/holdings/captures"
)

// provenancePage shows the facts about a capture by which readers can trust, cite and find it.
type provenancePage struct {
	URL, When   string
	Shown       string // address of the capture below the banner
	Groups      []factGroup
	Citations   []citedAs
	Statement   string // address of the signed statement; "" if none is offered
	Key         string // address of the public key
	Parts       string // address of the list of parts; "" if it is no page
	StatementOf string
}

// factGroup is a list of facts with a title.
type factGroup struct {
	ID, Title string
	Facts     []fact
}

// citedAs is a citation in one form, to copy.
type citedAs struct{ Label, Text string }

// provenance serves the facts about a capture, and in other forms its parts and a statement. A
// capture that is closed to the reader leads to the banner, which gives the reason and nothing else.
func (s *site) provenance(q *request) (answer, error) {
	p := q.place
	query, err := s.query(p.In.Collection, p.URL)
	if err != nil {
		return answer{}, err
	}
	c, err := s.at(q, query, p.Timestamp)
	switch {
	case err != nil:
		return answer{}, err
	case c == nil || !c.Allowed:
		return answer{redirect: s.ui.Banner(p.In.Collection, p.Timestamp, p.URL)}, nil
	case c.Timestamp != p.Timestamp:
		return answer{redirect: s.ui.Provenance(p.In.Collection, c.Timestamp, p.Modifier, c.URL)}, nil
	}
	switch p.Modifier {
	case address.Parts:
		return s.partsPage(q, c)
	case address.Mixed:
		return s.mixed(q, c)
	case address.Statement:
		return s.sign(q, c)
	case "":
		return s.provenancePage(q, c)
	}
	return answer{}, errNotFound
}

func (s *site) provenancePage(q *request, c *holdings.Judged) (answer, error) {
	in, when := q.place.In.Collection, s.words.When(c.Timestamp)
	p, err := s.pkg(q, c.Package)
	if err != nil {
		return answer{}, err
	}
	page := &provenancePage{URL: c.URL, When: when, Shown: s.ui.Banner(in, c.Timestamp, c.URL)}
	title := ""
	if readable(c) && kindOf(c.Capture) != moved {
		h := s.half(q, c)
		title = h.text.Title
		page.Parts = s.ui.Provenance(in, c.Timestamp, address.Parts, c.URL)
		page.add("provenance.content", s.contentFacts(c, h.broken == nil))
	} else {
		page.add("provenance.content", s.contentFacts(c, false))
	}
	page.add("provenance.record", s.recordFacts(q, c))
	held, err := s.heldFacts(q, c, p)
	if err != nil {
		return answer{}, err
	}
	page.add("provenance.held", held)
	for i := range page.Groups {
		page.Groups[i].Title = s.words.T(page.Groups[i].ID)
	}
	page.Citations = s.citations(q, c, title)
	if s.Keys != nil {
		page.Statement = s.ui.Provenance(in, c.Timestamp, address.Statement, c.URL)
		page.Key = string(s.ui) + statement.Path
	}
	heading := s.words.T("provenance.title")
	return answer{template: "provenance.html", title: s.words.T("provenance.title.of", c.URL, when), body: page,
		private: true, crumbs: []link{{s.Name, s.ui.Front()}, {p.Title, s.ui.Site(p.ID)},
			{s.words.T("versions.heading"), s.ui.Versions(in, c.URL)}, {heading, ""}}}, nil
}

func (p *provenancePage) add(id string, facts []fact) {
	if len(facts) > 0 {
		p.Groups = append(p.Groups, factGroup{ID: id, Facts: facts})
	}
}

// one adds a fact with one value, if it has one.
func (s *site) one(all []fact, label, value, url string) []fact {
	if value == "" {
		return all
	}
	return append(all, fact{s.words.T(label), []link{{value, url}}})
}

// verifiedAtOnce is the length up to which reading verifies the digest of a content before it
// returns a byte (holdings.Content).
const verifiedAtOnce = 1 << 20

// contentFacts are the facts about the content. read reports that it was just read.
func (s *site) contentFacts(c *holdings.Judged, read bool) (all []fact) {
	all = s.one(all, "col.kind", s.words.T("kind."+kindOf(c.Capture)), "")
	if c.Status > 0 {
		all = s.one(all, "col.answer", statusWords(c.Status), "")
	}
	all = s.one(all, "provenance.type", c.MIME, "")
	all = s.one(all, "col.size", s.words.Size(c.Length), "")
	all = s.one(all, "provenance.digest", c.Digest, "")
	place := c.Record
	if c.Payload != nil {
		place = *c.Payload
	}
	if place.SHA256 != "" {
		all = s.one(all, "provenance.sha256", "sha256:"+place.SHA256, "")
	}
	if read && place.Body <= verifiedAtOnce {
		all = s.one(all, "provenance.checked", s.words.T("provenance.checked.now"), "")
	}
	return all
}

// recordFacts are the facts about the record in its container. Readers who may not see each record
// of the package get no position: a gap between two records would reveal a third.
func (s *site) recordFacts(q *request, c *holdings.Judged) (all []fact) {
	all = s.one(all, "provenance.record.id", strings.Trim(c.ID, "<>"), "")
	all = s.one(all, "provenance.record.type", c.Type, "")
	whole := s.h.Whole(q.who)
	place := func(label string, pkg string, p *captures.Place) {
		if !whole(pkg) {
			return
		}
		all = append(all, fact{s.words.T(label), []link{{s.words.T("provenance.place", pkg, p.Container,
			s.words.Number(p.Order), s.words.Number(p.Offset)), ""}}})
	}
	place("provenance.container", c.Package, &c.Record)
	if c.Payload != nil {
		place("provenance.payload", c.Payload.Package, c.Payload)
	}
	return all
}

// heldFacts are the facts about the harvest, the package, and the checks of its copies.
func (s *site) heldFacts(q *request, c *holdings.Judged, p *holdings.Package) (all []fact, err error) {
	all = s.one(all, "provenance.package", p.Title+" ("+p.ID+")", s.ui.Site(p.ID))
	if c.Harvest > 0 && c.Harvest <= len(p.Harvests) {
		h := p.Harvests[c.Harvest-1]
		f := fact{s.words.T("provenance.event"), []link{{s.words.T("site.harvest", c.Harvest),
			s.ui.Harvest(p.ID, c.Harvest)}}}
		for _, text := range append([]string{s.words.Span(h.Start, h.End)}, h.Agents...) {
			if text != "" {
				f.Values = append(f.Values, link{text, ""})
			}
		}
		all = append(all, f)
	}
	if !p.Stored.IsZero() {
		all = s.one(all, "provenance.stored", s.words.Day(p.Stored), s.ui.History(p.ID))
	}
	record, err := s.h.History(q.Context(), p.ID)
	if err != nil {
		return nil, notFoundIf(err)
	}
	good, checked := int64(0), time.Time{}
	for _, copied := range record.Copies {
		if copied.Status == "good" {
			good++
			if checked.IsZero() || copied.Checked.Before(checked) {
				checked = copied.Checked
			}
		}
	}
	text := s.words.T("provenance.copies", good, len(record.Copies))
	if !checked.IsZero() {
		text += " " + s.words.T("provenance.copies.read", s.words.Day(checked))
	}
	return s.one(all, "provenance.audit", text, ""), nil
}

// citations returns the citation in several forms.
func (s *site) citations(q *request, c *holdings.Judged, title string) []citedAs {
	t, _ := address.Time(c.Timestamp)
	cited := citation.Capture{URL: c.URL, Title: cmp.Or(title, c.URL), Time: t, Archive: s.Name,
		Page:    extract.TypeOf(c.MIME, c.URL) == "page",
		Address: s.absolute(q, s.ui.Banner(address.All, c.Timestamp, c.URL))}
	return []citedAs{
		{s.words.T("provenance.cite.text"), s.words.T("provenance.cite", cited.Title, c.URL, s.words.When(c.Timestamp),
			s.Name, cited.Address)},
		{s.words.T("provenance.cite.robust"), cited.RobustLink()}, {"PWID", cited.PWID()}, {"BibTeX", cited.BibTeX()},
		{"RIS", cited.RIS()},
	}
}

// sign serves a signed statement of a capture.
func (s *site) sign(q *request, c *holdings.Judged) (answer, error) {
	if s.Keys == nil {
		return answer{}, errNotFound
	}
	whole := s.h.Whole(q.who)
	place := func(pkg string, p *captures.Place) statement.Place {
		out := statement.Place{SHA256: p.SHA256}
		if pkg != c.Package {
			out.Package = pkg
		}
		if whole(pkg) {
			out.Container, out.Order, out.Offset = p.Container, p.Order, &p.Offset
		}
		return out
	}
	made := &statement.Statement{Format: statement.Format, Made: s.Now().UTC().Format(time.RFC3339), Archive: s.Name,
		URL: c.URL, Timestamp: c.Timestamp, Type: c.Type, MIME: c.MIME, Status: c.Status, Digest: c.Digest,
		Length: c.Length, Package: c.Package, Harvest: c.Harvest, Record: place(c.Package, &c.Record)}
	if s.Public != "" { // otherwise the requester would choose the host that we sign
		made.Address = s.absolute(q, s.ui.Banner(address.All, c.Timestamp, c.URL))
	}
	made.Record.ID = strings.Trim(c.ID, "<>")
	if c.Payload != nil {
		payload := place(c.Payload.Package, c.Payload)
		made.Payload = &payload
	}
	text, err := s.Keys.Sign(made)
	if err != nil {
		return answer{}, err
	}
	return answer{stream: func(w http.ResponseWriter) {
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Content-Disposition", `attachment; filename="statement-`+c.Timestamp+`.json"`)
		_, _ = w.Write(append(text, '\n')) // the client may have gone
	}}, nil
}
