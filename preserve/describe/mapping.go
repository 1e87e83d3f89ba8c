package describe

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"quire/metadata/oclc"
)

// Meanings of a column other than an element.
const (
	columnID     = "id"
	columnLevel  = "level"
	columnIgnore = "ignore"
)

// Column is the meaning of a column's values.
type Column struct {
	Element string `yaml:"element"` // of OCLC; or id, level, ignore
	Lang    string `yaml:"lang"`    // of the values
	Kind    string `yaml:"kind"`
}

// Mapping defines the meaning of a sheet's columns by their names, in any language.
type Mapping struct {
	Separator string            `yaml:"separator"` // of several values in a cell
	Columns   map[string]Column `yaml:"columns"`
}

const maxMapping = 1 << 20

// ReadMapping reads a mapping in YAML.
func ReadMapping(in io.Reader) (m *Mapping, err error) {
	defer func() {
		if p := recover(); p != nil { // the library panics on some invalid documents
			m, err = nil, fmt.Errorf("reading the mapping: %v", p)
		}
	}()
	doc, err := io.ReadAll(io.LimitReader(in, maxMapping+1))
	if err != nil {
		return nil, err
	}
	if len(doc) > maxMapping {
		return nil, errors.New("reading the mapping: it is longer than 1 MiB")
	}
	dec := yaml.NewDecoder(strings.NewReader(string(doc)))
	dec.KnownFields(true)
	m = &Mapping{}
	if err := dec.Decode(m); err != nil {
		return nil, fmt.Errorf("reading the mapping: %w", err)
	}
	byName := map[string]Column{}
	for name, c := range m.Columns {
		if !slices.Contains([]string{columnID, columnLevel, columnIgnore}, c.Element) {
			probe := oclc.Record{{Element: oclc.Element(c.Element), Lang: c.Lang, Kind: c.Kind}}
			if err := probe.Check(); err != nil {
				return nil, fmt.Errorf("the mapping of the column %q: %w", name, err)
			}
		}
		byName[plainName(name)] = c
	}
	m.Columns = byName
	return m, nil
}

// plainName normalizes a column name for comparison: it ignores case, and blanks around or between
// words.
func plainName(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// column returns the meaning of a column, from the mapping, or else from the name of an element.
// The name may be followed by the language of the values in square brackets, and by their kind in
// round ones: "Title [fr]", "URL (seed)".
func (m *Mapping) column(name string) (Column, bool) {
	if m != nil {
		if c, ok := m.Columns[plainName(name)]; ok {
			return c, true
		}
	}
	var c Column
	rest := plainName(name)
	rest, c.Lang = cutEnd(rest, "[", "]")
	rest, c.Kind = cutEnd(rest, "(", ")")
	if rest == columnID || rest == columnLevel {
		c.Element = rest
		return c, c.Lang+c.Kind == ""
	}
	for _, e := range oclc.Elements {
		if rest == string(e) || rest == strings.ToLower(e.Label()) {
			c.Element = string(e)
			return c, oclc.Record{{Element: e, Lang: c.Lang, Kind: c.Kind}}.Check() == nil
		}
	}
	return c, false
}

func cutEnd(s, open, end string) (rest, inside string) {
	if s, ok := strings.CutSuffix(s, end); ok {
		if i := strings.LastIndex(s, open); i >= 0 {
			return strings.TrimSpace(s[:i]), s[i+len(open):]
		}
	}
	return s, ""
}
