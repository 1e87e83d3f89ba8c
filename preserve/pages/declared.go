package pages

import (
	"fmt"
	"strings"
)

// The limits of the data kept of one page. Data beyond them is counted.
const (
	MaxValue     = 16 << 10  // length of one value in bytes, as in the page
	MaxMeta      = 200       // meta elements with a name and a content
	MaxLanguages = 20        // language declarations
	MaxValues    = 128 << 10 // bytes of all values together
	MaxLinks     = 50_000    // links passed to Options.Link
	maxName      = 256       // length of a meta element's name in bytes
)

// Declared is the metadata that a page declares.
type Declared struct {
	Charset Charset `json:"charset"`
	// Title is from the first title element, with white space as in browsers. It is null without a
	// title element.
	Title     *Value     `json:"title"`
	Languages []Language `json:"languages"`
	Base      *Value     `json:"base"` // of the first base element with a href, as written
	Meta      []Meta     `json:"meta"` // with content, in the order of the page
	Links     int64      `json:"links"`
	LeftOut   LeftOut    `json:"left_out"`
}

// Charset is the encoding of a page, and its source.
type Charset struct {
	Name   string `json:"name"`   // by the Encoding Standard: iso-8859-1 is windows-1252; "" if not declared
	Source string `json:"source"` // byte order mark, HTTP header, meta, XML declaration
	Label  string `json:"label"`  // as declared
}

// Language is the language of a page, or of its audience.
type Language struct {
	Value  Value  `json:"value"`
	Source string `json:"source"` // html lang, html xml:lang, meta content-language, HTTP header
}

// Meta is one meta element.
type Meta struct {
	Attribute string `json:"attribute"` // that names it: name, property, itemprop or http-equiv
	Name      string `json:"name"`
	Scheme    string `json:"scheme,omitempty"`
	Lang      string `json:"lang,omitempty"`
	Content   Value  `json:"content"`
}

// Value is a text of a page.
type Value struct {
	// UTF-8; if it could not be decoded, as in the page
	Text string `json:"text"`
	// its length in the page in bytes, if Text is only the beginning; otherwise 0
	Length int64 `json:"length,omitempty"`
}

// LeftOut counts omitted data.
type LeftOut struct {
	Titles    int64 `json:"titles"` // after the first
	Languages int64 `json:"languages"`
	Meta      int64 `json:"meta"`
	Values    int64 `json:"values"` // truncated values
	Links     int64 `json:"links"`  // links beyond the limit
	Tags      int64 `json:"tags"`   // too long, or without an end
}

// String describes the omissions in words. It returns "" if nothing was omitted.
func (l LeftOut) String() string {
	var all []string
	for _, p := range []struct {
		n    int64
		what string
	}{
		{l.Titles, "titles after the first"}, {l.Languages, "statements of languages"}, {l.Meta, "meta elements"},
		{l.Values, "ends of long values"},
		{l.Links, "links"}, {l.Tags, "tags that are too long or do not end"},
	} {
		if p.n > 0 {
			all = append(all, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return strings.Join(all, ", ")
}
