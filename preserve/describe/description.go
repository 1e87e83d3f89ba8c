package describe

import (
	"quire/metadata/oclc"
)

// Level is the kind of thing that a description is about.
type Level string

// The levels. A sheet without levels describes websites.
const (
	Collection Level = "collection"
	Site       Level = "site"
	Page       Level = "page"
)

// Description is a curator's description of one thing.
type Description struct {
	ID     string // unique in its sheet
	Level  Level
	Record oclc.Record
	Row    int // of the sheet, from 1
}

// title returns the main title. If there is no title, it returns the address in square brackets.
// Cataloguers mark supplied titles in this way.
func (d *Description) title() (oclc.Statement, bool) {
	for _, s := range d.Record {
		if s.Element == oclc.Title {
			return s, true
		}
	}
	for _, s := range d.Record {
		if s.Element == oclc.URL {
			return oclc.Statement{Element: oclc.Title, Value: "[" + s.Value + "]"}, false
		}
	}
	return oclc.Statement{Element: oclc.Title, Value: "[" + d.ID + "]"}, false
}

// Loss is a value that a target cannot hold, or cannot hold in the proper place.
type Loss struct {
	Row     int          `json:"row,omitempty"`
	ID      string       `json:"id"`
	Target  string       `json:"target"`
	Element oclc.Element `json:"element,omitempty"`
	Value   string       `json:"value"`
	Lang    string       `json:"lang,omitempty"`
	Kind    string       `json:"kind,omitempty"`
	Why     string       `json:"why"`
}

// rule maps the statements of one element to a target.
type rule[T any] struct {
	element oclc.Element
	where   string // for docs/reference/335_crosswalks.md
	put     func(c *crossing[T], s oclc.Statement)
}

// crossing is the mapping of one description to a target.
type crossing[T any] struct {
	*Description
	target string
	out    T
	losses []Loss
}

func (c *crossing[T]) lose(s oclc.Statement, why string) {
	c.losses = append(c.losses, Loss{c.Row, c.ID, c.target, s.Element, s.Value, s.Lang, s.Kind, why})
}

// loseLang reports that a target cannot hold the language of a value.
func (c *crossing[T]) loseLang(s oclc.Statement) {
	if s.Lang != "" {
		c.lose(s, "there is no place for the language of the value")
	}
}

// loseKind reports that a target cannot hold the kind of a value.
func (c *crossing[T]) loseKind(s oclc.Statement) {
	if s.Kind != "" {
		c.lose(s, "there is no place for the kind of the value")
	}
}

// cross maps a description to a target.
func cross[T any](d *Description, target string, rules []rule[T]) *crossing[T] {
	c := &crossing[T]{Description: d, target: target}
	c.take(rules)
	return c
}

// take applies the rule of each statement. Every element has a rule in every target; TestRules
// checks this.
func (c *crossing[T]) take(rules []rule[T]) {
	for _, s := range c.Record {
		for _, r := range rules {
			if r.element == s.Element {
				r.put(c, s)
			}
		}
	}
}
