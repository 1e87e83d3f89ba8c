package statements

import (
	"strconv"
	"strings"

	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
)

// Namespace is the namespace of the rightsExtension. It has the values that PREMIS has no element
// for: the exact scope of a statement, its source, and other remarks.
const Namespace = "urn:x-quire:rights:1"

const prefix = "quire:"

// open means a date without limit, in PREMIS 2.2 and later.
const open = "OPEN"

// Premis returns the premis:rights. The agent, the grantor, is a separate entity; nil omits it.
func (s *Statement) Premis(id premis.Identifier, agent *premis.Link) premis.Rights {
	st := premis.Statement{Identifier: id, Basis: premis.RightsBasis(string(s.Basis))}
	notes := append(s.Scope.notes(), s.Notes...)
	documents := make([]premis.Document, 0, len(s.Documents))
	for _, d := range s.Documents {
		documents = append(documents, premis.Document{Identifier: premis.Identifier{Type: d.Type, Value: d.Value}})
	}
	term, applies := premis.Text(s.Authority), dates(s.From, s.To)
	switch s.Basis {
	case Copyright:
		st.Copyright = &premis.Copyright{Status: premis.Text(s.Status), Jurisdiction: premis.Text(s.Jurisdiction),
			Notes: notes, Documents: documents, Applies: applies}
	case License:
		st.License = &premis.License{Terms: s.Terms, Notes: notes, Documents: documents, Applies: applies}
	case Statute:
		st.Statutes = []premis.Statute{{Jurisdiction: premis.Text(s.Jurisdiction), Citation: term, Notes: notes,
			Documents: documents, Applies: applies}}
	case Other:
		st.Other = &premis.OtherRights{Basis: term, Notes: notes, Documents: documents, Applies: applies}
	}
	for i := range s.Grants {
		st.Granted = append(st.Granted, s.Grants[i].premis())
	}
	if agent != nil {
		st.Agents = []premis.Link{*agent}
	}
	return premis.Rights{Statements: []premis.Statement{st}, Extension: s.extension}
}

// dates returns a period. PREMIS requires a start.
func dates(from, to Day) premis.Dates {
	d := premis.Dates{Start: string(from), End: string(to)}
	if from == "" && to != "" {
		d.Start = open
	}
	return d
}

func (g *Grant) premis() premis.Grant {
	out := premis.Grant{Act: premis.Text(string(g.Act)), Notes: notEmpty(g.Why)}
	if g.Zone != "" {
		out.Restrictions = []premis.Term{premis.Text(string(g.Zone))}
	}
	if g.Zone == "" || g.Zone == model.Open {
		out.TermOfGrant = dates(g.From, g.To)
	} else {
		out.TermOfRestriction = dates(g.From, g.To)
	}
	return out
}

// notes describe the scope for readers that only know PREMIS.
func (s *Scope) notes() []string {
	var notes []string
	switch {
	case s.Harvest > 0:
		notes = append(notes, "applies to: harvest "+strconv.Itoa(s.Harvest))
	default:
		notes = append(notes, "applies to: the whole package")
	}
	for _, p := range s.URLs {
		notes = append(notes, "only URLs: "+p)
	}
	for _, p := range s.Except {
		notes = append(notes, "not URLs: "+p)
	}
	return notes
}

// extension writes the rightsExtension.
func (s *Statement) extension(x *xmlstream.Writer) error {
	x.Declare("quire", Namespace)
	x.Start(prefix + "rights")
	x.AttrOpt("source", s.Source)
	if s.Scope.Harvest > 0 {
		x.Attr("harvest", strconv.Itoa(s.Scope.Harvest))
	}
	if s.Personal {
		x.Attr("personal", "true")
	}
	if s.Basis == License {
		x.ElementOpt(prefix+"authority", s.Authority)
	}
	for _, p := range s.Scope.URLs {
		x.Element(prefix+"url", p)
	}
	for _, p := range s.Scope.Except {
		x.Element(prefix+"except", p)
	}
	for _, f := range s.Facts {
		x.Start(prefix + "said")
		x.Attr("name", f.Name)
		x.Text(f.Value)
		x.End(prefix + "said")
	}
	x.End(prefix + "rights")
	return x.Err()
}

// readExtension reads the output of extension.
func (s *Statement) readExtension(x *xmlstream.Reader) error {
	e := x.Element()
	if !e.Is(Namespace, "rights") {
		return x.Unknown()
	}
	s.Source, s.Personal = e.Attr("source"), e.Attr("personal") == "true"
	if n := e.Attr("harvest"); n != "" {
		var err error
		if s.Scope.Harvest, err = strconv.Atoi(n); err != nil || s.Scope.Harvest < 1 {
			return x.Errorf("harvest %q is not a number from 1", n)
		}
	}
	return x.Whole(func() error {
		return x.EachIn(Namespace, func(e xmlstream.Element) error {
			text := ""
			if err := x.TextTo(&text); err != nil {
				return err
			}
			switch e.Local {
			case "authority":
				s.Authority = text
			case "url":
				s.Scope.URLs = append(s.Scope.URLs, text)
			case "except":
				s.Scope.Except = append(s.Scope.Except, text)
			case "said":
				s.Facts = append(s.Facts, Fact{e.Attr("name"), text})
			default:
				return x.Errorf("%s of a later version limits the scope of rights: this version cannot decide", e.Local)
			}
			return nil
		})
	})
}

// read reads the current premis:rights. The limits of a statement's scope are in the extension;
// without an extension, a statement applies to everything.
func read(x *xmlstream.Reader) ([]Statement, error) {
	var about Statement
	r, err := premis.ReadRights(x, about.readExtension)
	if err != nil {
		return nil, err
	}
	all := make([]Statement, 0, len(r.Statements))
	for i := range r.Statements {
		s := about
		s.take(&r.Statements[i])
		all = append(all, s)
	}
	return all, nil
}

// take reads a rightsStatement. The agent is still its identifier.
func (s *Statement) take(st *premis.Statement) {
	s.Basis = Basis(st.Basis.Text)
	var documents []premis.Document
	var applies premis.Dates
	switch {
	case st.Copyright != nil:
		c := st.Copyright
		s.Status, s.Jurisdiction = c.Status.Text, c.Jurisdiction.Text
		s.Notes, documents, applies = c.Notes, c.Documents, c.Applies
	case st.License != nil:
		s.Terms, s.Notes, documents, applies = st.License.Terms, st.License.Notes, st.License.Documents,
			st.License.Applies
	case len(st.Statutes) > 0:
		t := &st.Statutes[0]
		s.Authority, s.Jurisdiction = t.Citation.Text, t.Jurisdiction.Text
		s.Notes, documents, applies = t.Notes, t.Documents, t.Applies
	case st.Other != nil:
		s.Authority, s.Notes, documents, applies = st.Other.Basis.Text, st.Other.Notes, st.Other.Documents,
			st.Other.Applies
	}
	s.Notes = s.Scope.strip(s.Notes)
	for _, d := range documents {
		s.Documents = append(s.Documents, Document{d.Type, d.Value})
	}
	s.From, s.To, _ = days(applies)
	if len(st.Agents) > 0 {
		s.Agent = st.Agents[0].Value
	}
	for i := range st.Granted {
		s.Grants = append(s.Grants, grant(&st.Granted[i]))
	}
}

// strip removes the notes on the scope.
func (s *Scope) strip(notes []string) []string {
	for _, of := range s.notes() {
		if len(notes) == 0 || notes[0] != of {
			break
		}
		notes = notes[1:]
	}
	return notEmpty(notes...)
}

// grant reads a rightsGranted. Unknown terms and dates become a restriction without end.
func grant(g *premis.Grant) Grant {
	out := Grant{Act: Act(g.Act.Text), Why: strings.Join(g.Notes, "; ")}
	if out.Act == "use" {
		out.Act = Show
	}
	for _, r := range g.Restrictions {
		zone, why := TermZones(nil).zone(r.Text)
		if out.Zone = stricter(out.Zone, zone); zone == model.Restricted && why != r.Text {
			out.Why = phrase(out.Why, why)
		}
	}
	term := g.TermOfGrant
	if len(g.Restrictions) > 0 && out.Zone != model.Open {
		term = g.TermOfRestriction
	}
	var ok bool
	if out.From, out.To, ok = days(term); !ok {
		out.From, out.To = "", ""
		if out.Act == Show {
			out.Zone = model.Restricted
		}
		out.Why = phrase(out.Why, "dates that Quire does not understand: "+term.Start+" to "+term.End)
	}
	return out
}

// days reads a period. Ok is false if it is not understood.
func days(d premis.Dates) (from, to Day, ok bool) {
	ok = true
	for _, c := range []struct {
		text string
		day  *Day
	}{{d.Start, &from}, {d.End, &to}} {
		if c.text != "" && !strings.EqualFold(c.text, open) {
			var understood bool
			*c.day, understood = ParseDay(c.text)
			ok = ok && understood
		}
	}
	return from, to, ok
}
