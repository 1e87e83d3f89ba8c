package statements

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"quire/internal/yamlfile"
	"quire/model"
)

// File is an institution's statement on the rights in a package (docs/reference/325_rights.md).
type File struct {
	Words TermZones // meaning of the curators' system's terms
	parts []part
}

// part is one statement of a File, with its harvest as written in the file.
type part struct {
	Statement
	harvest string
	node    *yamlfile.Node
}

// policy is the authority of an institution's own statements.
const policy = "policy of the institution"

// ReadFile reads the file. The name is recorded as the source of the statements. The error lists
// all faults, with their lines.
func ReadFile(in io.Reader, name string) (*File, error) {
	doc, err := yamlfile.Read(in, name)
	if err != nil {
		return nil, err
	}
	f := &File{Words: TermZones{}}
	r := &ruleReader{file: f, name: name}
	fields := r.fields()
	fields["rules"] = func(n *yamlfile.Node) { n.Items(f.rule(name)) }
	fields["words"] = func(n *yamlfile.Node) {
		n.Each(func(words string, n *yamlfile.Node) { f.Words[normalizeTerm(words)] = zoneAt(n) })
	}
	doc.Fields(fields)
	r.finish(doc)
	if err := doc.Err(); err != nil {
		return nil, err
	}
	if len(f.parts) == 0 && len(f.Words) == 0 {
		return nil, fmt.Errorf("reading %s: no statement: set access, embargo, copyright, permissions or "+
			"rules",
			name)
	}
	return f, nil
}

// patterns reads URL patterns, and refuses ambiguous and meaningless patterns. If a rule matched no
// URL, content that it should close would stay open without notice.
func patterns(n *yamlfile.Node) []string {
	all := n.Texts()
	for _, p := range all {
		if wrong := CheckPattern(p); wrong != "" {
			n.Fail("%s", wrong)
		}
	}
	return all
}

// CheckPattern returns the error in a user's pattern, which may be ambiguous or meaningless. It
// returns "" for a valid pattern.
func CheckPattern(p string) string {
	switch {
	case p != "*" && strings.Contains(p, "*") && !strings.ContainsAny(p, "/:"):
		return fmt.Sprintf("%q can mean hosts or paths: write http://%[1]s/ for hosts, */%[1]s for the "+
			"ends of URLs", p)
	case p == "" || strings.HasPrefix(p, "/"):
		return fmt.Sprintf("%q has no host: write http://a.example%[1]s, or *%[1]s* for every host", p)
	}
	return ""
}

// rule reads the statements on a part of the package.
func (f *File) rule(name string) func(*yamlfile.Node) {
	return func(n *yamlfile.Node) {
		r := &ruleReader{file: f, name: name}
		fields := r.fields()
		fields["urls"] = func(n *yamlfile.Node) { r.scope.URLs = patterns(n) }
		fields["except"] = func(n *yamlfile.Node) { r.scope.Except = patterns(n) }
		fields["harvest"] = func(n *yamlfile.Node) { r.harvest = n.Text() }
		before := len(f.parts)
		n.Fields(fields)
		r.finish(n)
		if !r.scope.parts() && r.harvest == "" {
			n.Fail("the rule has no scope: set urls, except or harvest, or move it out of rules")
		}
		if len(f.parts) == before {
			n.Fail("the rule has no statement: set access, embargo, copyright or permissions")
		}
		for i := before; i < len(f.parts); i++ {
			f.parts[i].Scope, f.parts[i].harvest, f.parts[i].node = r.scope, r.harvest, n
		}
	}
}

// ruleReader reads the keys common to the whole and its parts.
type ruleReader struct {
	file    *File
	name    string
	access  *yamlfile.Node
	zone    model.Zone
	embargo *embargo
	note    string
	scope   Scope
	harvest string
}

type embargo struct {
	node   *yamlfile.Node
	until  Day
	zone   model.Zone
	reason string
}

func (r *ruleReader) fields() map[string]func(*yamlfile.Node) {
	return map[string]func(*yamlfile.Node){
		"access":      func(n *yamlfile.Node) { r.access, r.zone = n, zoneAt(n) },
		"embargo":     r.readEmbargo,
		"copyright":   r.copyright,
		"permissions": func(n *yamlfile.Node) { n.Items(r.permission) },
		"note":        func(n *yamlfile.Node) { r.note = n.Text() },
	}
}

// zoneAt reads a zone.
func zoneAt(n *yamlfile.Node) model.Zone {
	return model.Zone(n.OneOf(string(model.Open), string(model.Onsite), string(model.Restricted)))
}

func (r *ruleReader) readEmbargo(n *yamlfile.Node) {
	e := &embargo{node: n, zone: model.Restricted}
	n.Fields(map[string]func(*yamlfile.Node){
		"until":  func(n *yamlfile.Node) { e.until = Day(n.Date()) },
		"access": func(n *yamlfile.Node) { e.zone = zoneAt(n) },
		"reason": func(n *yamlfile.Node) { e.reason = n.Text() },
	})
	if e.until == "" {
		n.Fail("until is missing: set the last day of the embargo")
	}
	r.embargo = e
}

// add adds a statement with its position.
func (r *ruleReader) add(n *yamlfile.Node, s Statement) {
	s.Source = fmt.Sprintf("%s, line %d", r.name, n.Line())
	r.file.parts = append(r.file.parts, part{Statement: s, node: n})
}

// finish determines the access after access, embargo and note are read.
func (r *ruleReader) finish(n *yamlfile.Node) {
	at := r.access
	s := Statement{Basis: Other, Authority: policy, Notes: notEmpty(r.note)}
	if e := r.embargo; e != nil {
		if at == nil {
			at = e.node
		} else if strictness(e.zone) <= strictness(r.zone) {
			e.node.Fail("the embargo is no stricter than access: until its end it is %s, and then %s", e.zone, r.zone)
		}
		s.Grants = append(s.Grants, Grant{Act: Show, Zone: e.zone, To: e.until,
			Why: phrase("embargo until "+string(e.until), e.reason)})
	}
	if r.access != nil {
		g := Grant{Act: Show, Zone: r.zone}
		if r.embargo != nil {
			g.From = r.embargo.until.add(1)
			g.Why = "behind the embargo"
		}
		s.Grants = append(s.Grants, g)
	}
	if at == nil && r.note != "" {
		at = n
	}
	if at != nil {
		r.add(at, s)
	}
}

func (r *ruleReader) copyright(n *yamlfile.Node) {
	s := Statement{Basis: Copyright, Status: "unknown", Jurisdiction: "unknown"}
	n.Fields(map[string]func(*yamlfile.Node){
		"status":       func(n *yamlfile.Node) { s.Status = n.OneOf("copyrighted", "public domain", "unknown") },
		"jurisdiction": func(n *yamlfile.Node) { s.Jurisdiction = n.Text() },
		"statement":    func(n *yamlfile.Node) { s.Notes = append(s.Notes, n.Text()) },
		"url":          func(n *yamlfile.Node) { s.Documents = append(s.Documents, Document{"URL", n.Text()}) },
		"holder":       func(n *yamlfile.Node) { s.Agent = n.Text() },
		"from":         func(n *yamlfile.Node) { s.From = Day(n.Date()) },
		"to":           func(n *yamlfile.Node) { s.To = Day(n.Date()) },
	})
	ordered(n, s.From, s.To)
	r.add(n, s)
}

// permission reads a grant of permission, or a law.
func (r *ruleReader) permission(n *yamlfile.Node) {
	s := Statement{Basis: License}
	acts := []Act{Harvest, Keep, Show}
	kind := ""
	n.Fields(map[string]func(*yamlfile.Node){
		"basis": func(n *yamlfile.Node) {
			kind = n.OneOf(string(License), string(Statute), string(Other))
			s.Basis = Basis(kind)
		},
		"citation":     func(n *yamlfile.Node) { s.Authority = n.Text() },
		"jurisdiction": func(n *yamlfile.Node) { s.Jurisdiction = n.Text() },
		"granted-by":   func(n *yamlfile.Node) { s.Agent = n.Text() },
		"from":         func(n *yamlfile.Node) { s.From = Day(n.Date()) },
		"to":           func(n *yamlfile.Node) { s.To = Day(n.Date()) },
		"allows":       func(n *yamlfile.Node) { acts = actsAt(n) },
		"terms":        func(n *yamlfile.Node) { s.Terms = n.Text() },
		"document":     func(n *yamlfile.Node) { s.Documents = append(s.Documents, documentOf(n.Text())) },
		"note":         func(n *yamlfile.Node) { s.Notes = append(s.Notes, n.Text()) },
	})
	ordered(n, s.From, s.To)
	switch {
	case kind == "":
		n.Fail("basis is missing: set license, statute or other")
	case s.Basis == Statute && (s.Jurisdiction == "" || s.Authority == ""):
		n.Fail("a statute needs its citation and its jurisdiction, a country code")
	case s.Basis != Statute && s.Jurisdiction != "":
		n.Fail("jurisdiction applies only to a statute or copyright")
	case s.Basis == Other && s.Authority == "":
		n.Fail("citation is missing: set the source of the right")
	case s.Basis != License && s.Terms != "":
		n.Fail("terms apply only to a license: use a note")
	case s.Basis == License && s.Authority+s.Terms+s.Agent == "" && len(s.Documents)+len(s.Notes) == 0:
		n.Fail("the license has no details: set granted-by, citation, terms, document or note")
	}
	for _, a := range acts {
		s.Grants = append(s.Grants, Grant{Act: a, From: s.From, To: s.To})
	}
	r.add(n, s)
}

// actsAt reads the acts that a permission allows.
func actsAt(n *yamlfile.Node) []Act {
	words := map[string]Act{"harvest": Harvest, "keep": Keep, "show": Show}
	var acts []Act
	for _, w := range n.Texts() {
		a, ok := words[w]
		switch {
		case !ok:
			n.Fail("%.80q is not harvest, keep or show", w)
		case slices.Contains(acts, a):
			n.Fail("duplicate %s", w)
		}
		acts = append(acts, a)
	}
	return acts
}

func documentOf(s string) Document {
	if strings.Contains(s, "://") {
		return Document{"URL", s}
	}
	return Document{"file reference", s}
}

func ordered(n *yamlfile.Node, from, to Day) {
	if from != "" && to != "" && to < from {
		n.Fail("the end (%s) is before the beginning (%s)", to, from)
	}
}

func notEmpty(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// phrase joins the non-empty parts.
func phrase(parts ...string) string { return strings.Join(notEmpty(parts...), ": ") }

// Statements returns the file's statements on a package with these harvests. Each harvest has a
// number, from 1, or the identifier from its system.
func (f *File) Statements(harvests []string) ([]Statement, error) {
	var all []Statement
	for _, p := range f.parts {
		if p.harvest != "" {
			n, err := numberOf(p.harvest, harvests)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Source, err)
			}
			p.Scope.Harvest = n
		}
		all = append(all, p.Statement)
	}
	return all, nil
}

func numberOf(name string, harvests []string) (int, error) {
	found := 0
	for i, id := range harvests {
		switch {
		case id != name:
		case found > 0:
			return 0,
				fmt.Errorf("several harvests have the name %q: use the number, which quire "+
					"identify-source shows",
					name)
		default:
			found = i + 1
		}
	}
	if found > 0 {
		return found, nil
	}
	for i := range harvests {
		if fmt.Sprint(i+1) == name {
			return i + 1, nil
		}
	}
	return 0, fmt.Errorf("the package has no harvest %q, but %s", name, strings.Join(harvests, ", "))
}
