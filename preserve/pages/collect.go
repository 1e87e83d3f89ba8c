package pages

import (
	"bytes"
	"html"
	"strings"

	"quire/format/htmllink"
)

// collected is the data so far, as bytes of the page. It is decoded at the end of the page, when
// the charset is known.
type collected struct {
	charset Charset
	xml     bool
	title   *stored
	langs   []storedLanguage
	base    *stored
	meta    []storedMeta
	links   int64
	// links to files that the page loads
	embedded int64
	leftOut  LeftOut
	room     int // of MaxValues, used
}

// stored is a value as in the page.
type stored struct {
	raw    []byte
	length int64
}

type storedLanguage struct {
	stored
	source string
}

type storedMeta struct {
	attribute string
	name      stored
	scheme    stored
	lang      stored
	content   stored
}

// store keeps a value, or its beginning.
func (c *collected) store(raw []byte, length int64, most int) stored {
	n := max(0, min(len(raw), most, MaxValues-c.room))
	c.room += n
	if int64(n) < length {
		c.leftOut.Values++
	}
	return stored{bytes.Clone(raw[:n]), length}
}

// element records the declarations of an element.
func (c *collected) element(e *htmllink.Element) {
	switch e.Name {
	case "html":
		c.language(e, "lang")
		c.language(e, "xml:lang")
	case "title":
		if c.title != nil {
			c.leftOut.Titles++
			return
		}
		v := c.store(e.Text, e.TextLength, MaxValue)
		c.title = &v
	case "base":
		if raw, length, ok := e.Attribute("href"); ok && c.base == nil {
			v := c.store(raw, length, MaxValue)
			c.base = &v
		}
	case "meta":
		if c.charset.Source == "" {
			c.charset, _ = charsetByMeta(e)
		}
		c.metaElement(e)
	}
}

func (c *collected) language(e *htmllink.Element, attribute string) {
	if raw, length, ok := e.Attribute(attribute); ok {
		c.addLanguage(raw, length, "html "+attribute)
	}
}

func (c *collected) addLanguage(raw []byte, length int64, source string) {
	if len(c.langs) == MaxLanguages {
		c.leftOut.Languages++
		return
	}
	c.langs = append(c.langs, storedLanguage{c.store(raw, length, maxName), source})
}

// metaElement records a meta element, once for each attribute that names it.
func (c *collected) metaElement(e *htmllink.Element) {
	content, length, ok := e.Attribute("content")
	if !ok {
		return
	}
	for _, attribute := range []string{"name", "property", "itemprop", "http-equiv"} {
		name, nameLength, ok := e.Attribute(attribute)
		if !ok {
			continue
		}
		if attribute == "http-equiv" && strings.EqualFold(strings.TrimSpace(string(name)), "content-language") {
			c.addLanguage(content, length, "meta content-language")
		}
		if len(c.meta) == MaxMeta || c.room >= MaxValues {
			c.leftOut.Meta++
			continue
		}
		m := storedMeta{attribute: attribute, name: c.store(name, nameLength, maxName)}
		m.scheme, m.lang = c.optional(e, "scheme"), c.optional(e, "lang")
		m.content = c.store(content, length, MaxValue)
		c.meta = append(c.meta, m)
	}
}

func (c *collected) optional(e *htmllink.Element, attribute string) stored {
	if raw, length, ok := e.Attribute(attribute); ok {
		return c.store(raw, length, maxName)
	}
	return stored{}
}

// declared decodes the collected data.
func (c *collected) declared(o Options) *Declared {
	for _, l := range strings.Split(o.Language, ",") {
		if l = strings.TrimSpace(l); l != "" {
			c.addLanguage([]byte(l), int64(len(l)), "HTTP header")
		}
	}
	d := &Declared{Charset: c.charset, Languages: []Language{}, Meta: []Meta{}, Links: c.links, LeftOut: c.leftOut}
	if c.title != nil {
		d.Title = c.titleText()
	}
	if c.base != nil {
		v := c.attribute(*c.base)
		d.Base = &v
	}
	for _, l := range c.langs {
		d.Languages = append(d.Languages, languages(c.attribute(l.stored), l.source)...)
	}
	for _, m := range c.meta {
		d.Meta = append(d.Meta, Meta{
			Attribute: m.attribute, Name: strings.TrimSpace(c.attribute(m.name).Text),
			Scheme: c.attribute(m.scheme).Text, Lang: c.attribute(m.lang).Text, Content: c.attribute(m.content),
		})
	}
	return d
}

// languages parses a list of languages.
func languages(v Value, source string) (all []Language) {
	for _, l := range strings.Split(v.Text, ",") {
		if l = strings.TrimSpace(l); l != "" && len(all) < MaxLanguages {
			all = append(all, Language{Value{Text: l, Length: v.Length}, source})
		}
	}
	return all
}

// attribute decodes the value of an attribute.
func (c *collected) attribute(s stored) Value {
	return c.value(s, func(text string) string { return string(htmllink.Unescape([]byte(text))) })
}

// titleText decodes a title, with its white space stripped and collapsed (HTML, 3.1.5,
// document.title).
func (c *collected) titleText() *Value {
	v := c.value(*c.title, func(text string) string {
		if c.xml {
			text = characterData(text)
		} else {
			text = html.UnescapeString(text)
		}
		return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\f\r", r) }),
			" ")
	})
	return &v
}

// value decodes a value. A value that cannot be decoded stays unchanged.
func (c *collected) value(s stored, unescape func(string) string) Value {
	v := Value{}
	raw := s.raw
	if int64(len(raw)) < s.length {
		v.Length = s.length
		raw = c.whole(raw)
	}
	text, err := c.charset.decode(raw)
	if err != nil {
		v.Text = string(s.raw)
		return v
	}
	v.Text = unescape(text)
	return v
}

// whole removes an incomplete character or reference from the end of a truncated value.
func (c *collected) whole(raw []byte) []byte {
	if i := bytes.LastIndexByte(raw, '&'); i >= 0 && len(raw)-i < 40 && bytes.IndexByte(raw[i:], ';') < 0 {
		raw = raw[:i]
	}
	for n := range min(4, len(raw)) {
		if _, err := c.charset.decode(raw[:len(raw)-n]); err == nil {
			return raw[:len(raw)-n]
		}
	}
	return raw
}

// characterData returns the text of an element in XML: with references resolved, and CDATA sections
// unchanged.
func characterData(s string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "<![CDATA[")
		b.WriteString(html.UnescapeString(before))
		if !found {
			return b.String()
		}
		text, after, _ := strings.Cut(rest, "]]>")
		b.WriteString(text)
		s = after
	}
}
