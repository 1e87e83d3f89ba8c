package oclc

import (
	"fmt"
	"slices"
)

// Element is one of the elements of the report, or the note.
type Element string

// The fourteen elements in the order of the report's list, which is alphabetical, and the note.
const (
	Collector           Element = "collector"
	Contributor         Element = "contributor"
	Creator             Element = "creator"
	Date                Element = "date"
	Description         Element = "description"
	Extent              Element = "extent"
	Genre               Element = "genre-form"
	Language            Element = "language"
	Relation            Element = "relation"
	Rights              Element = "rights"
	SourceOfDescription Element = "source-of-description"
	Subject             Element = "subject"
	Title               Element = "title"
	URL                 Element = "url"
	Note                Element = "note"
)

// Elements lists all elements, in that order.
var Elements = []Element{Collector, Contributor, Creator, Date, Description, Extent, Genre, Language, Relation, Rights,
	SourceOfDescription, Subject, Title, URL, Note}

// Label returns the report's name of the element.
func (e Element) Label() string {
	switch e {
	case Genre:
		return "Genre/Form"
	case SourceOfDescription:
		return "Source of Description"
	case URL:
		return "URL"
	}
	if e == "" {
		return ""
	}
	return string(e[0]-'a'+'A') + string(e[1:])
}

// Statement is one element with one value.
type Statement struct {
	Element Element
	Value   string // any bytes
	Lang    string // of the value, in BCP 47; "" if not stated
	Kind    string // label by the report: "seed" or "access" of a URL, the event of a date; "" if not stated
}

// Record is a description: any number of statements of each element, in display order.
type Record []Statement

// Values returns the values of one element, in order.
func (r Record) Values(e Element) []string {
	var out []string
	for _, s := range r {
		if s.Element == e {
			out = append(out, s.Value)
		}
	}
	return out
}

// Check returns an error if no serialization can carry the record.
func (r Record) Check() error {
	for i, s := range r {
		switch {
		case !slices.Contains(Elements, s.Element):
			return fmt.Errorf("oclc: statement %d: %.40q is not one of the elements", i+1, s.Element)
		case !isToken(s.Lang):
			return fmt.Errorf("oclc: statement %d: %.40q is not a language tag: want letters, digits and -", i+1, s.Lang)
		case !isToken(s.Kind):
			return fmt.Errorf("oclc: statement %d: %.40q is not a kind: want letters, digits and -", i+1, s.Kind)
		}
	}
	return nil
}

// isToken reports whether every serialization can carry a qualifier unchanged.
func isToken(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return len(s) <= 100
}
