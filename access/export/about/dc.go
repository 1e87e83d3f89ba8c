package about

import (
	"strings"

	"quire/metadata/dc"
	"quire/metadata/mods"
)

// DC converts a description to simple Dublin Core, by the Library of Congress's mapping of MODS.
// Parts without one of the fifteen elements are lost: the MODS accompanies it.
func DC(c *mods.Content) dc.Record {
	var r record
	for _, t := range c.Titles {
		r.add(dc.Title, strings.TrimSpace(t.NonSort+" "+t.Title), t.SubTitle)
	}
	for i := range c.Names {
		r.add(nameElement(&c.Names[i]), nameOf(&c.Names[i]))
	}
	for _, s := range c.Subjects {
		r.terms(dc.Subject, s.Topics)
		r.terms(dc.Coverage, s.Geographics)
		r.terms(dc.Coverage, s.Temporals)
	}
	for _, list := range [][]mods.Note{c.Abstracts, c.TableOfContents, c.Notes} {
		for _, n := range list {
			r.add(dc.Description, n.Text)
		}
	}
	for _, o := range c.Origins {
		for _, p := range o.Publishers {
			r.add(dc.Publisher, p)
		}
		for _, d := range o.Dates {
			r.add(dc.Date, d.Text)
		}
	}
	r.terms(dc.Type, c.Types)
	r.terms(dc.Type, c.Genres)
	for _, p := range c.Physical {
		for _, v := range append(p.MediaTypes[:len(p.MediaTypes):len(p.MediaTypes)], p.Extents...) {
			r.add(dc.Format, v)
		}
	}
	for _, id := range c.Identifiers {
		r.add(dc.Identifier, id.Text)
	}
	for _, l := range c.Locations {
		for _, u := range l.URLs {
			r.add(dc.Identifier, u.Text)
		}
	}
	for _, l := range c.Languages {
		r.terms(dc.Language, l.Terms)
	}
	for i := range c.Related {
		for _, t := range c.Related[i].Titles {
			r.add(dc.Relation, t.Title)
		}
	}
	for _, n := range c.Access {
		r.add(dc.Rights, n.Text)
	}
	return r.list
}

// record collects statements without duplicates.
type record struct {
	list dc.Record
	seen map[dc.Statement]bool
}

// add adds a statement; a colon separates the first part from the others.
func (r *record) add(e dc.Element, parts ...string) {
	var told []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			told = append(told, p)
		}
	}
	s := dc.Statement{Element: e, Value: strings.Join(told, ": ")}
	if s.Value == "" || r.seen[s] {
		return
	}
	if r.seen == nil {
		r.seen = map[dc.Statement]bool{}
	}
	r.seen[s] = true
	r.list = append(r.list, s)
}

func (r *record) terms(e dc.Element, list []mods.Term) {
	for _, t := range list {
		r.add(e, t.Text)
	}
}

// nameElement returns creator or contributor, by the name's role.
func nameElement(n *mods.Name) dc.Element {
	for _, role := range n.Roles {
		for _, t := range role.Terms {
			switch strings.ToLower(t.Text) {
			case "creator", "cre", "author", "aut":
				return dc.Creator
			}
		}
	}
	return dc.Contributor
}

func nameOf(n *mods.Name) string {
	if n.DisplayForm != "" {
		return n.DisplayForm
	}
	var parts []string
	for _, p := range n.Parts {
		parts = append(parts, p.Text)
	}
	return strings.Join(parts, ", ")
}
