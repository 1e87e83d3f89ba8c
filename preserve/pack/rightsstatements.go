package pack

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/convert"
	"quire/preserve/statements"
)

// personal is the reason for restricting sections with the names and addresses of people.
const personal = "names and addresses of people, as a curators' system has them"

// takeRights collects the rights statements of curators' systems and of the institution's file
// (docs/reference/325_rights.md).
func (b *builder) takeRights(p *convert.Plan) error {
	file := &statements.File{}
	if b.o.Rights != "" {
		in, err := os.Open(b.o.Rights)
		if err != nil {
			return fmt.Errorf("the file of rights: %w", err)
		}
		defer in.Close() //nolint:errcheck // it was only read
		if file, err = statements.ReadFile(in, filepath.Base(b.o.Rights)); err != nil {
			return err
		}
		b.o.Documents = append(slices.Clone(b.o.Documents), b.o.Rights)
	}
	ids := make([]string, len(p.Harvests))
	for i, h := range p.Harvests {
		ids[i] = h.About().ID
	}
	given, err := file.Statements(ids)
	if err != nil {
		return err
	}
	b.rights = given
	for i, h := range p.Harvests {
		b.rights = append(b.rights, statements.OfHarvest(h.About(), i+1, file.Words)...)
	}
	for i := range b.rights {
		s := &b.rights[i]
		s.ID = aip.RightsID(i + 1)
		if s.Personal {
			b.secret(personal)
		}
		if s.Agent != "" && !slices.Contains(b.grantors, s.Agent) {
			b.grantors = append(b.grantors, s.Agent)
		}
	}
	for _, h := range p.Harvests {
		if d := &h.About().Description; len(d.Annotations)+len(d.Versions)+len(d.States) > 0 {
			b.secret(personal)
		}
	}
	b.result.Rights = int64(len(b.rights))
	return nil
}

// statements writes a section for each statement (2.4).
func (b *builder) statements(w *mets.Writer) {
	for i := range b.rights {
		s := &b.rights[i]
		var agent *premis.Link
		if s.Agent != "" {
			link := b.link(grantorID(slices.Index(b.grantors, s.Agent)+1), "grantor", premis.Text)
			agent = &link
		}
		var marks []string
		if s.Personal {
			marks = []string{b.restriction(personal)}
		}
		b.rightsSection(w, s.ID, s.Premis(b.identify(s.ID), agent), marks...)
	}
}

func grantorID(n int) string { return aip.AgentIDPrefix + "grantor-" + strconv.Itoa(n) }

// grantorAgents returns the grantors of rights. No system states whether they are persons or
// organizations.
func (b *builder) grantorAgents() []agent {
	var list []agent
	for i, name := range b.grantors {
		id := grantorID(i + 1)
		list = append(list, agent{id: id,
			agent: premis.Agent{Identifiers: []premis.Identifier{b.identify(id)},
				Names: []premis.Term{premis.Text(name)}}})
	}
	return list
}

// rightsOf returns the statements about a harvest, from 1; 0 means those about the whole package.
func (b *builder) rightsOf(harvest int) []string {
	var ids []string
	for i := range b.rights {
		if b.rights[i].Scope.Harvest == harvest {
			ids = append(ids, b.rights[i].ID)
		}
	}
	return ids
}

// rightsOfURL returns the statements about certain URLs that include this one, captured in that
// harvest.
func (b *builder) rightsOfURL(address string, harvest int) []string {
	var ids []string
	for i := range b.rights {
		s := &b.rights[i]
		of := s.Scope.Harvest
		if (of == 0 || of == harvest) && ofURLs(s) && s.Scope.Holds(address) {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// ofURLs reports whether a statement is about certain URLs only.
func ofURLs(s *statements.Statement) bool { return len(s.Scope.URLs)+len(s.Scope.Except) > 0 }

// access returns the current access to the package as a whole, for the report.
func (b *builder) access() model.Zone {
	set := statements.Set{Statements: b.rights}
	return set.Decide(statements.Query{At: statements.DayOf(b.started)}).Zone
}
