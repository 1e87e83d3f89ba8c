package oclc

import (
	"fmt"
	"slices"
)

// Element is one of the elements of the report, or the note.
type Element string

// The fourteen elements in the order of the report's list, which is that of the alphabet, and the
// note beside them.
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

// Elements lists all of them, in that order.
var Elements = []Element{Collector, Contributor, Creator, Date, Description, Extent, Genre, Language, Relation, Rights,
	SourceOfDescription, Subject, Title, URL, Note}

// Label is what the report calls the element.
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
	Lang    string // of the value, as BCP 47 writes it; "" is not said
	Kind    string // what the report asks to label: of a URL "seed" or "access", of a date the event; "" is not said
}

// Record is a description: any number of statements of each element, in the order they are to be
// shown.
type Record []Statement

// Values gives the values of one element, in order.
func (r Record) Values(e Element) []string {
	var out []string
	for _, s := range r {
		if s.Element == e {
			out = append(out, s.Value)
		}
	}
	return out
}

// Check says what of a record no serialization would carry.
func (r Record) Check() error {
	for i, s := range r {
		switch {
		case !slices.Contains(Elements, s.Element):
			return fmt.Errorf("oclc: statement %d: %.40q is not one of the elements", i+1, s.Element)
		case !isToken(s.Lang):
			return fmt.Errorf("oclc: statement %d: %.40q is no language tag: want letters, digits and -", i+1, s.Lang)
		case !isToken(s.Kind):
			return fmt.Errorf("oclc: statement %d: %.40q is no kind: want letters, digits and -", i+1, s.Kind)
		}
	}
	return nil
}

// isToken says whether a qualifier can stand in every serialization as it is.
func isToken(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return len(s) <= 100
}
