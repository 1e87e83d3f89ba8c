// Package versions compares versions of a package: its files, and the description in its METS as a
// person would ask for it.
package versions

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quire/holdings/facts"
	"quire/preserve/statements"
	"quire/repository/store"
)

// Diff is the difference between two versions of a package.
type Diff struct {
	ID    string             `json:"id"`
	Older int                `json:"older"`
	Newer int                `json:"newer"`
	Files []store.FileChange `json:"files"`
	// Description has the changes that the two METS documents describe, in their order there.
	Description []Change `json:"description"`
}

// Change is a changed part of the description. One of the two texts is "" if the part was added or
// removed.
type Change struct {
	Part string `json:"part"` // title, rights, description, harvest, event
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Compare compares two versions of a package.
func Compare(ctx context.Context, s *store.Store, id string, older, newer int) (*Diff, error) {
	files, err := s.Compare(ctx, id, older, newer)
	if err != nil {
		return nil, err
	}
	d := &Diff{ID: id, Older: older, Newer: newer, Files: files, Description: []Change{}}
	a, err := facts.Load(ctx, s, id, older)
	if err != nil {
		return nil, fmt.Errorf("version %d of %s: %w", older, id, err)
	}
	b, err := facts.Load(ctx, s, id, newer)
	if err != nil {
		return nil, fmt.Errorf("version %d of %s: %w", newer, id, err)
	}
	d.describe(a, b)
	return d, nil
}

// describe compares the facts of two METS documents.
func (d *Diff) describe(a, b *facts.Facts) {
	d.part("title", []string{a.Title}, []string{b.Title})
	d.part("rights", rightsOf(a), rightsOf(b))
	d.part("description", descriptionsOf(a), descriptionsOf(b))
	d.part("harvest", harvestsOf(a), harvestsOf(b))
	d.part("event", eventsOf(a), eventsOf(b))
}

// part adds the lines of one part that only one version has. A single line that changed is one
// change.
func (d *Diff) part(name string, older, newer []string) {
	gone := without(older, newer)
	added := without(newer, older)
	if len(gone) == 1 && len(added) == 1 {
		d.Description = append(d.Description, Change{name, gone[0], added[0]})
		return
	}
	for _, text := range gone {
		d.Description = append(d.Description, Change{Part: name, Old: text})
	}
	for _, text := range added {
		d.Description = append(d.Description, Change{Part: name, New: text})
	}
}

// without returns the lines of one list that the other does not have, as often as it has them more.
func without(list, other []string) (left []string) {
	there := map[string]int{}
	for _, text := range other {
		there[text]++
	}
	for _, text := range list {
		if there[text] > 0 {
			there[text]--
			continue
		}
		left = append(left, text)
	}
	return left
}

// rightsOf returns the statements, without their numbers in the METS.
func rightsOf(f *facts.Facts) (all []string) {
	for i := range f.Rights.Statements {
		all = append(all, sentence(&f.Rights.Statements[i]))
	}
	return all
}

// sentence describes a rights statement in one line.
func sentence(s *statements.Statement) string {
	parts := []string{string(s.Basis)}
	for _, text := range []string{s.Authority, s.Status, s.Terms, s.Agent} {
		if text != "" {
			parts = append(parts, text)
		}
	}
	if s.Scope.Harvest > 0 {
		parts = append(parts, fmt.Sprintf("harvest %d", s.Scope.Harvest))
	}
	if len(s.Scope.URLs) > 0 {
		parts = append(parts, "URLs "+strings.Join(s.Scope.URLs, " "))
	}
	if len(s.Scope.Except) > 0 {
		parts = append(parts, "except "+strings.Join(s.Scope.Except, " "))
	}
	parts = append(parts, period(s.From, s.To)...)
	for _, g := range s.Grants {
		text := string(g.Act)
		if g.Zone != "" {
			text += " " + string(g.Zone)
		}
		parts = append(parts, strings.Join(append([]string{text}, period(g.From, g.To)...), " "))
	}
	return strings.Join(append(parts, s.Notes...), ", ")
}

// period describes a period of validity.
func period(from, to statements.Day) (all []string) {
	if from != "" {
		all = append(all, "from "+string(from))
	}
	if to != "" {
		all = append(all, "until "+string(to))
	}
	return all
}

// descriptionsOf returns the texts of each description by curators.
func descriptionsOf(f *facts.Facts) (all []string) {
	for _, id := range slices.Sorted(maps.Keys(f.Descriptions)) {
		all = append(all, id+": "+textOf(f.Descriptions[id]))
	}
	return all
}

// textOf returns the texts of a document without its elements.
func textOf(document []byte) string {
	var texts []string
	d := xml.NewDecoder(bytes.NewReader(document))
	for {
		token, err := d.Token()
		if err != nil {
			return strings.Join(texts, "; ") // the end: facts wrote the document itself
		}
		if data, ok := token.(xml.CharData); ok && len(bytes.TrimSpace(data)) > 0 {
			texts = append(texts, strings.Join(strings.Fields(string(data)), " "))
		}
	}
}

func harvestsOf(f *facts.Facts) (all []string) {
	for i := range f.Harvests {
		all = append(all, strings.TrimSpace(f.Harvests[i].Label+" "+f.Harvests[i].ID))
	}
	return all
}

func eventsOf(f *facts.Facts) (all []string) {
	for i := range f.Events {
		e := &f.Events[i]
		all = append(all, fmt.Sprintf("%s %s %s: %s", e.Time.UTC().Format("2006-01-02T15:04:05Z"), e.Type, e.Outcome,
			e.Detail))
	}
	return all
}
