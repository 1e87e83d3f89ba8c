package pages

import (
	"fmt"
	"strings"
)

// The bounds of what is kept of one page. What is beyond is counted.
const (
	MaxValue     = 16 << 10  // bytes of one value, as it stands in the page
	MaxMeta      = 200       // meta elements with a name and a content
	MaxLanguages = 20        // statements of languages
	MaxValues    = 128 << 10 // bytes of all values together
	MaxLinks     = 50_000    // links that Options.Link is told of
	maxName      = 256       // bytes of the name of a meta element
)

// Declared is what a page says of itself.
type Declared struct {
	Charset Charset `json:"charset"`
	// of the first title element, white space as browsers show it; null where there is none
	Title     *Value     `json:"title"`
	Languages []Language `json:"languages"`
	Base      *Value     `json:"base"` // of the first base element with a href, as written
	Meta      []Meta     `json:"meta"` // with a content, in the order of the page
	Links     int64      `json:"links"`
	LeftOut   LeftOut    `json:"left_out"`
}

// Charset is the encoding of a page, and who says so.
type Charset struct {
	Name   string `json:"name"`   // by the Encoding Standard: iso-8859-1 is windows-1252; "" where nobody says so
	Source string `json:"source"` // byte order mark, HTTP header, meta, XML declaration
	Label  string `json:"label"`  // as it was called
}

// Language is a language of a page, or of those who it is for.
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
	// UTF-8, unless it could not be decoded: then it is as it stands in the page
	Text string `json:"text"`
	// bytes that it has in the page, where only the beginning is here; 0 where all is
	Length int64 `json:"length,omitempty"`
}

// LeftOut counts what is not here.
type LeftOut struct {
	Titles    int64 `json:"titles"` // after the first
	Languages int64 `json:"languages"`
	Meta      int64 `json:"meta"`
	Values    int64 `json:"values"` // of which only the beginning is here
	Links     int64 `json:"links"`  // that were not told
	Tags      int64 `json:"tags"`   // too long to be read, or not ended
}

// String says it in words; "" where nothing was left out.
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
