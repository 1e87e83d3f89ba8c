package pages

import (
	"cmp"
	"slices"
	"strings"

	"quire/holdings"
	"quire/metadata/mods"
)

// described is the curators' description of a website or collection, from all records.
type described struct {
	former   []string // other titles
	warnings []string
	about    []string
	facts    []fact
	related  []fact
	access   []string // rights statements
	live     []string // live addresses on the web
}

// warningTypes are the types of MODS notes with content warnings (MODS defines none itself).
var warningTypes = []string{"content warning", "warning", "content advice"}

// describe collects the description of a website; records of its harvests appear on the harvest
// pages.
func (s *site) describe(records []holdings.Description) *described {
	d := &described{}
	for i := range records {
		if records[i].Harvest == 0 {
			s.describeBy(d, &records[i].Record)
		}
	}
	return d
}

func (s *site) describeBy(d *described, r *mods.Record) {
	for i, t := range r.Titles {
		if title := titleOf(t); i > 0 && title != "" {
			d.former = appendNew(d.former, title)
		}
	}
	for _, a := range r.Abstracts {
		d.about = appendNew(d.about, a.Text)
	}
	for _, n := range r.Notes {
		switch {
		case slices.Contains(warningTypes, strings.ToLower(n.Type)):
			d.warnings = appendNew(d.warnings, n.Text)
		case n.Type != "source of description":
			s.add(d, "note", n.Text)
		}
	}
	s.describeNames(d, r)
	for _, g := range r.Genres {
		if g.Type == "level" || strings.HasPrefix(strings.ToLower(g.Text), "web archive") {
			continue // this marks web archives for cataloguers: readers already know
		}
		s.add(d, "genre", g.Text)
	}
	for _, l := range r.Languages {
		for _, t := range l.Terms {
			s.add(d, "language", t.Text)
		}
	}
	for _, u := range r.Subjects {
		s.add(d, "subject", subjectOf(u))
	}
	for _, a := range r.Access {
		d.access = appendNew(d.access, a.Text)
	}
	for _, l := range r.Locations {
		for _, u := range l.URLs {
			if u.Access == "" && u.Usage != "secondary" {
				d.live = appendNew(d.live, u.Text)
			}
		}
	}
	for _, i := range r.Identifiers {
		if !i.Invalid && i.Type != "local" {
			s.add(d, "identifier", i.Text)
		}
	}
	for i := range r.Related {
		s.relate(d, &r.Related[i])
	}
}

// describeNames lists names by role.
func (s *site) describeNames(d *described, r *mods.Record) {
	for _, n := range r.Names {
		key := "contributor"
		for _, role := range n.Roles {
			for _, t := range role.Terms {
				switch strings.ToLower(t.Text) {
				case "collector", "curator", "col", "cur":
					key = "agency"
				case "creator", "author", "cre", "aut":
					key = "creator"
				case "publisher", "pbl":
					key = "publisher"
				}
			}
		}
		s.add(d, key, nameOf(n))
	}
	for _, o := range r.Origins {
		for _, p := range o.Publishers {
			s.add(d, "publisher", p)
		}
		s.add(d, "schedule", o.Frequency)
	}
}

// add adds a value to a fact; facts keep the order of their first values.
func (s *site) add(d *described, key, value string) {
	d.facts = addFact(d.facts, s.words.T("site.fact."+key), link{Text: value})
}

func addFact(all []fact, label string, value link) []fact {
	if strings.TrimSpace(value.Text) == "" {
		return all
	}
	i := slices.IndexFunc(all, func(f fact) bool { return f.Label == label })
	if i < 0 {
		return append(all, fact{label, []link{value}})
	}
	if !slices.Contains(all[i].Values, value) {
		all[i].Values = append(all[i].Values, value)
	}
	return all
}

// relate adds resources related to a website, such as its predecessor and successor.
func (s *site) relate(d *described, r *mods.RelatedItem) {
	key := "site.related." + r.Type
	if !s.words.Has(key) {
		key = "site.related.related"
	}
	text := r.Label
	for _, t := range r.Titles {
		text = cmp.Or(text, titleOf(t))
	}
	for _, l := range r.Locations {
		for _, u := range l.URLs {
			text = cmp.Or(text, u.Text)
		}
	}
	d.related = addFact(d.related, s.words.T(key), link{Text: cmp.Or(text, r.Href)})
}

func titleOf(t mods.Title) string {
	text := strings.TrimSpace(t.NonSort + " " + t.Title)
	if t.SubTitle != "" {
		text += ": " + t.SubTitle
	}
	return strings.Join(withoutEmpty([]string{text, t.PartNumber, t.PartName}), ", ")
}

func nameOf(n mods.Name) string {
	if n.DisplayForm != "" {
		return n.DisplayForm
	}
	var parts []string
	for _, p := range n.Parts {
		parts = append(parts, p.Text)
	}
	return strings.Join(parts, ", ")
}

func subjectOf(u mods.Subject) string {
	var terms []string
	for _, all := range [][]mods.Term{u.Topics, u.Geographics, u.Temporals, u.Genres} {
		for _, t := range all {
			terms = append(terms, t.Text)
		}
	}
	return strings.Join(terms, ", ")
}

func appendNew(all []string, text string) []string {
	if text = strings.TrimSpace(text); text == "" || slices.Contains(all, text) {
		return all
	}
	return append(all, text)
}
