// Package about describes a website for exports: one MODS description and the list of events, from
// all information of the package that is open to the reader.
package about

import (
	"strings"
	"time"

	"quire/access/export"
	"quire/holdings"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/preserve/statements"
)

// Website is the description of a package's website.
type Website struct {
	ID      string // of the package
	Title   string
	MODS    mods.Record    // by curators, completed from the package
	Events  []premis.Event // oldest first, without identifiers and objects
	Package *holdings.Package
}

// Of builds the description from an export's source.
func Of(s *export.Source) *Website {
	w := &Website{ID: s.ID(), Title: s.Title(), Package: s.Package}
	w.describe()
	events := s.Events()
	for i := range events {
		w.Events = append(w.Events, event(&events[i]))
	}
	return w
}

// describe joins all descriptions into one record: the curators' comes first, and duplicates are
// omitted.
func (w *Website) describe() {
	c := &w.MODS.Content
	for i := range w.Package.Descriptions {
		if d := &w.Package.Descriptions[i]; d.Harvest == 0 {
			join(c, &d.Record.Content)
		}
	}
	if len(c.Titles) == 0 {
		c.Titles = []mods.Title{{Title: w.Title}}
	}
	if len(c.Genres) == 0 {
		c.Genres = []mods.Term{mods.Text("web archives")}
	}
	if !captured(c) && !w.Package.First.IsZero() {
		c.Origins = append(c.Origins, mods.Captured(w.Package.First, w.Package.Last))
	}
	c.Identifiers = append(c.Identifiers, mods.Identifier{Type: "local", Text: w.ID})
	for _, m := range w.Package.Collections {
		host := mods.RelatedItem{Type: "host"}
		host.Titles = []mods.Title{{Title: firstOf(m.Title, m.ID)}}
		c.Related = append(c.Related, host)
	}
	for i := range w.Package.Rights {
		if text := statement(&w.Package.Rights[i]); text != "" {
			c.Access = append(c.Access, mods.Note{Type: "use and reproduction", Text: text})
		}
	}
	c.RecordInfo = append(c.RecordInfo,
		mods.RecordInfo{Origins: []string{"joined by Quire from what is said in package " + w.ID + ", for an export"}})
}

// captured reports whether a description states when the website was captured.
func captured(c *mods.Content) bool {
	for _, o := range c.Origins {
		for _, d := range o.Dates {
			if d.Kind == "dateCaptured" {
				return true
			}
		}
	}
	return false
}

// join adds one description to another.
func join(to, from *mods.Content) {
	to.Titles = append(to.Titles, from.Titles...)
	to.Names = append(to.Names, from.Names...)
	to.Types = append(to.Types, from.Types...)
	to.Genres = append(to.Genres, from.Genres...)
	to.Origins = append(to.Origins, from.Origins...)
	to.Languages = append(to.Languages, from.Languages...)
	to.Physical = append(to.Physical, from.Physical...)
	to.Abstracts = append(to.Abstracts, from.Abstracts...)
	to.TableOfContents = append(to.TableOfContents, from.TableOfContents...)
	to.Notes = append(to.Notes, from.Notes...)
	to.Subjects = append(to.Subjects, from.Subjects...)
	to.Related = append(to.Related, from.Related...)
	to.Identifiers = append(to.Identifiers, from.Identifiers...)
	to.Locations = append(to.Locations, from.Locations...)
	to.Access = append(to.Access, from.Access...)
	to.RecordInfo = append(to.RecordInfo, from.RecordInfo...)
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// statement returns a rights statement as one line for readers.
func statement(r *holdings.Right) string {
	var parts []string
	for _, s := range append([]string{basis(r.Basis), r.Authority, r.Status, r.Agent}, r.Notes...) {
		if s = strings.TrimSpace(s); s != "" {
			parts = append(parts, s)
		}
	}
	for _, d := range r.Documents {
		parts = append(parts, d.Value)
	}
	if span := span(r.From, r.To); span != "" {
		parts = append(parts, span)
	}
	if len(parts) == 0 || len(parts) == 1 && parts[0] == string(r.Basis) { // the basis alone is no information
		return ""
	}
	return strings.Join(parts, "; ")
}

func span(from, to statements.Day) string {
	switch {
	case from == "" && to == "":
		return ""
	case to == "":
		return "from " + string(from)
	case from == "":
		return "until " + string(to)
	}
	return "from " + string(from) + " until " + string(to)
}

// event converts an event to PREMIS.
func event(e *holdings.Event) premis.Event {
	made := premis.Event{Type: premis.EventType(e.Type), DateTime: when(e.Time, e.End)}
	if e.Detail != "" {
		made.Details = []string{e.Detail}
	}
	notes := e.Notes
	for _, a := range e.Agents {
		notes = append(notes[:len(notes):len(notes)], "agent: "+a)
	}
	if e.Outcome != "" || len(notes) > 0 {
		made.Outcomes = []premis.Outcome{{Outcome: premis.EventOutcome(e.Outcome), Notes: notes}}
	}
	return made
}

func when(start, end time.Time) string {
	if start.IsZero() {
		return "unknown"
	}
	return premis.Span(start, end)
}

// basis returns the kind of right as text; "" if it adds no information.
func basis(b statements.Basis) string {
	if b == statements.Other {
		return ""
	}
	return string(b)
}
