// Package finding has the catalogues that explain the codes of findings: an Entry for each code, a
// Catalogue for each kind of object that is checked.
package finding

import (
	"cmp"
	"slices"
	"strings"

	"quire/model"
)

// Entry explains one code. Its texts may contain Markdown code spans, which only [Catalogue.Marked]
// keeps.
type Entry struct {
	Code     string         `json:"code"`               // stable; scripts may rely on it
	Severity model.Severity `json:"severity,omitempty"` // "" if it depends on the case
	// the clause of the standard; if no standard has a rule, the usual practice
	Clause      string `json:"clause,omitempty"`
	Check       string `json:"check,omitempty"`       // the part of the validation that finds it
	Meaning     string `json:"meaning"`               // one sentence
	Explanation string `json:"explanation,omitempty"` // why it matters; software that writes such files
	Example     string `json:"example,omitempty"`     // in a line or a few words
	Advice      string `json:"advice"`                // next step

	// Breaks means that the file breaks a clause of its own standard, which strict checks treat as
	// an error.
	Breaks bool `json:"-"`
}

// Catalogue has the entries for one kind of object. It never changes.
type Catalogue struct {
	About   string // the kind, as in "about a package"; "" if the codes name it
	Clauses string // follows a clause or check in texts: ", of OAI-PMH 2.0"

	marked, plain []Entry
	places        map[string]int // by code
}

// New returns a catalogue of these entries, in order. It panics if two have the same code.
func New(about, clauses string, families ...[]Entry) *Catalogue {
	c := &Catalogue{About: about, Clauses: clauses, marked: slices.Concat(families...), places: map[string]int{}}
	for i, e := range c.marked {
		if _, twice := c.places[e.Code]; twice {
			panic("finding: two entries for " + e.Code)
		}
		c.places[e.Code] = i
		for _, text := range []*string{&e.Meaning, &e.Explanation, &e.Example, &e.Advice} {
			*text = strings.ReplaceAll(*text, "`", "")
		}
		c.plain = append(c.plain, e)
	}
	return c
}

// Sorted is New with the entries sorted by code.
func Sorted(about, clauses string, families ...[]Entry) *Catalogue {
	all := slices.Concat(families...)
	slices.SortFunc(all, func(a, b Entry) int { return cmp.Compare(a.Code, b.Code) })
	return New(about, clauses, all)
}

// Explain returns the entry of a code, or false if the code is unknown.
func (c *Catalogue) Explain(code string) (Entry, bool) {
	i, ok := c.places[code]
	if !ok {
		return Entry{}, false
	}
	return c.plain[i], true
}

// Severity returns the severity of a code. An unknown code is an error, so that a new check cannot
// be silent.
func (c *Catalogue) Severity(code string) model.Severity {
	if e, ok := c.Explain(code); ok {
		return e.Severity
	}
	return model.Error
}

// All returns the entries.
func (c *Catalogue) All() []Entry { return slices.Clone(c.plain) }

// Marked returns the entries with their Markdown, for documents.
func (c *Catalogue) Marked() []Entry { return slices.Clone(c.marked) }
