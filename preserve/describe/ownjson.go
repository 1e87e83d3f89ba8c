package describe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"quire/metadata/oclc"
)

// OwnJSON is a description in JSON that another system wrote, by its own names.
type OwnJSON struct {
	Description
	// Unread lists the names whose values no element takes. The document has them.
	Unread []string
}

// IsOwnJSON reports whether a record of this media type may be a description in JSON.
func IsOwnJSON(mediaType string) bool {
	return mediaType == "application/json" || mediaType == "text/json" || mediaType == "application/ld+json"
}

// The limits of a description in JSON, so that a hostile document costs little.
const (
	maxOwnDepth  = 8
	maxOwnValues = 10_000
	maxUnread    = 100
)

// minElements is the number of different elements that make a JSON object a description. Fewer names
// occur in the JSON of many programs: "title" and "url" do in lists of pages.
const minElements = 3

var errTooMany = errors.New("it has more values than a description, or is nested more deeply")

// ReadOwnJSON reads a JSON document that is a description of a website: an object, several in a list,
// or one within another object. Its names are those of the elements of OCLC in any spelling ("Source
// of Description", "source_of_description", "sourceOfDescription"), or the names in the mapping. A
// value is a text, a number, a list of these, an object of texts by language ({"fr": …, "nl": …}), or
// an object with a value and its language.
//
// It returns nothing for JSON that is no description: one needs a title or a URL, three elements at
// least, and more names that are elements than others. The error is of a document that is no JSON.
//
// The project PROMISE of the Royal Library of Belgium stored the elements of OCLC as JSON in metadata
// records. No record of it is public, so the rules are wide rather than of one form.
func ReadOwnJSON(doc []byte, m *Mapping) ([]OwnJSON, error) {
	r := ownReader{m: m}
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	root, err := r.value(dec, 0)
	if err == nil {
		if _, end := dec.Token(); !errors.Is(end, io.EOF) {
			err = errors.New("there is data after the document")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reading JSON: %w", err)
	}
	r.find(root, 0)
	return r.found, nil
}

// member is a member of an object, in the order of the document.
type member struct {
	name  string
	value any // string, []any, or []member
}

type ownReader struct {
	m      *Mapping
	values int
	found  []OwnJSON
}

// value reads a value. Null is nil; a number or true is its text.
func (r *ownReader) value(dec *json.Decoder, depth int) (any, error) {
	token, err := dec.Token()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	if r.values++; r.values > maxOwnValues || depth > maxOwnDepth {
		return nil, errTooMany
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return r.object(dec, depth)
		}
		return r.list(dec, depth)
	case string:
		return t, nil
	case nil:
		return nil, nil
	default:
		return fmt.Sprint(t), nil
	}
}

func (r *ownReader) object(dec *json.Decoder, depth int) (any, error) {
	all := []member{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		v, err := r.value(dec, depth+1)
		if err != nil {
			return nil, err
		}
		all = append(all, member{fmt.Sprint(name), v})
	}
	_, err := dec.Token()
	return all, err
}

func (r *ownReader) list(dec *json.Decoder, depth int) (any, error) {
	all := []any{}
	for dec.More() {
		v, err := r.value(dec, depth+1)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	_, err := dec.Token()
	return all, err
}

// find adds the descriptions in a value.
func (r *ownReader) find(v any, depth int) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			r.find(one, depth+1)
		}
	case []member:
		if d, ok := r.description(v); ok {
			r.found = append(r.found, d)
			return
		}
		for _, m := range v {
			r.find(m.value, depth+1)
		}
	}
}

// description reads an object as a description, if it is one.
func (r *ownReader) description(object []member) (OwnJSON, bool) {
	d := OwnJSON{Description: Description{Level: Site}}
	elements, known, unknown := map[oclc.Element]bool{}, 0, 0
	for _, m := range object {
		c, ok := r.column(m.name)
		if !ok {
			unknown++
			d.leave(m.name)
			continue
		}
		known++
		switch c.Element {
		case columnIgnore:
		case columnID:
			d.ID, _ = m.value.(string)
		case columnLevel:
			s, _ := m.value.(string)
			if l := Level(strings.ToLower(s)); l == Collection || l == Page {
				d.Level = l
			}
		default:
			elements[oclc.Element(c.Element)] = true
			r.statements(&d, m.name, c, m.value)
		}
	}
	return d, len(elements) >= minElements && known > unknown && (elements[oclc.Title] || elements[oclc.URL])
}

func (d *OwnJSON) leave(name string) {
	if len(d.Unread) < maxUnread {
		d.Unread = append(d.Unread, name)
	}
}

// statements adds the values of a name.
func (r *ownReader) statements(d *OwnJSON, name string, c Column, v any) {
	switch v := v.(type) {
	case string:
		if v != "" {
			d.Record = append(d.Record, oclc.Statement{Element: oclc.Element(c.Element), Value: v, Lang: c.Lang,
				Kind: c.Kind})
		}
	case []any:
		for _, one := range v {
			r.statements(d, name, c, one)
		}
	case []member:
		r.qualified(d, name, c, v)
	}
}

// qualified adds the values of an object: by language, or a value with its qualifiers.
func (r *ownReader) qualified(d *OwnJSON, name string, c Column, object []member) {
	var value any
	for _, m := range object {
		text, _ := m.value.(string)
		switch key := canonical(m.name); {
		case key == "value" || key == "text":
			value = m.value
		case (key == "lang" || key == "language") && isQualifier(text):
			c.Lang = text
		case (key == "kind" || key == "type") && isQualifier(text):
			c.Kind = text
		case KnownLanguage(m.name) && isQualifier(m.name):
			in := c
			in.Lang = m.name
			r.statements(d, name, in, m.value)
		default:
			d.leave(name + "." + m.name)
		}
	}
	if value != nil {
		r.statements(d, name, c, value)
	}
}

// isQualifier reports whether a statement can have that language or kind.
func isQualifier(s string) bool {
	return oclc.Record{{Element: oclc.Note, Lang: s, Kind: s}}.Check() == nil
}

// column returns the meaning of a name: of the mapping, or the element with that name in any spelling.
func (r *ownReader) column(name string) (Column, bool) {
	if c, ok := r.m.column(name); ok {
		return c, true
	}
	plain := canonical(name)
	for _, e := range oclc.Elements {
		if plain == canonical(string(e)) || e == oclc.Genre && (plain == "genre" || plain == "form") {
			return Column{Element: string(e)}, true
		}
	}
	return Column{}, false
}

// canonical returns the letters of a name in lower case, so that spellings with blanks, hyphens,
// underscores or capitals are equal.
func canonical(name string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, name)
}
