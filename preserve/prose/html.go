package prose

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Thresholds for main text.
const (
	mainChars = 250 // characters in main or article above which only they count
	longWords = 10  // words of a block that is main text by itself
)

// Elements that start a new line in browsers, if they contain text.
var blocks = atoms(atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Br, atom.Caption,
	atom.Center, atom.Dd, atom.Details,
	atom.Dialog, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form,
	atom.H1, atom.H2, atom.H3, atom.H4,
	atom.H5, atom.H6, atom.Header, atom.Hr, atom.Legend, atom.Li, atom.Main, atom.Nav, atom.Ol, atom.Option, atom.P,
	atom.Pre, atom.Section,
	atom.Summary, atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Title, atom.Tr, atom.Ul)

var (
	headings = atoms(atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6)
	leftOut  = atoms(atom.Script, atom.Style, atom.Template, atom.Svg, atom.Math, atom.Select, atom.Button,
		atom.Textarea, atom.Nav, atom.Aside,
		atom.Iframe, atom.Object, atom.Noembed, atom.Noframes, atom.Noscript, atom.Title)
	framing = atoms(atom.Header, atom.Footer) // omitted, except in:
	main    = atoms(atom.Main, atom.Article)
)

func atoms(all ...atom.Atom) map[atom.Atom]bool {
	m := map[atom.Atom]bool{}
	for _, a := range all {
		m[a] = true
	}
	return m
}

// block is a stretch of text.
type block struct {
	text    string
	words   int
	linked  int // words in links
	heading bool
	main    bool // it is in main or article
	pre     bool // it is preformatted: a listing, if there is other text
	good    bool // it is main text
}

// reader splits a page into blocks.
type reader struct {
	text   Text
	blocks []block
	open   map[atom.Atom]int // number of open elements, for the relevant elements
	out    int               // number of omitted elements among them
	inMain int
	now    []byte // text of the block
	linked int    // its words in links
	title  strings.Builder
	titled bool // the title is known: later titles belong to feeds in the page, or to no page
	size   int
}

func readHTML(page []byte) *Text {
	r := &reader{open: map[atom.Atom]int{}}
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		kind := z.Next()
		switch kind {
		case html.ErrorToken:
			r.endBlock(false)
			r.choose()
			r.text.Title = collapse(r.title.String())
			return &r.text
		case html.TextToken:
			r.characters(z.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			name, attributes := z.TagName()
			if a := atom.Lookup(name); kind == html.StartTagToken || a != atom.Svg && a != atom.Math {
				r.start(a, z, attributes)
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			r.end(atom.Lookup(name))
		}
	}
}

func (r *reader) start(a atom.Atom, z *html.Tokenizer, attributes bool) {
	if blocks[a] {
		r.endBlock(false)
	}
	switch {
	case a == atom.Html && attributes && r.text.Language == "":
		r.language(z)
	case a == atom.Meta && attributes && r.text.Description == "":
		r.description(z)
	case leftOut[a], framing[a] && r.inMain == 0:
		r.out++
		r.open[a]++
	case main[a]:
		r.inMain++
		r.open[a]++
	case a == atom.A, a == atom.Pre:
		r.open[a] = 1
	}
}

func (r *reader) end(a atom.Atom) {
	if blocks[a] { // while it is open
		r.endBlock(headings[a])
	}
	if r.open[a] == 0 {
		return
	}
	r.open[a]--
	r.titled = r.titled || a == atom.Title && strings.TrimSpace(r.title.String()) != ""
	switch {
	case main[a]:
		r.inMain--
	case a != atom.A && a != atom.Pre:
		r.out--
	}
}

// language reads the language of the page.
func (r *reader) language(z *html.Tokenizer) {
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		if name := string(key); name != "lang" && name != "xml:lang" {
			continue
		}
		language, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(string(value))), "-")
		language, _, _ = strings.Cut(language, "_")
		if len(language) < 2 || len(language) > 3 || strings.Trim(language, "abcdefghijklmnopqrstuvwxyz") != "" {
			continue
		}
		r.text.Language, r.text.LanguageFrom = language, "html lang"
		return
	}
}

// description reads the description in a meta element.
func (r *reader) description(z *html.Tokenizer) {
	const most = 2000
	name, content := "", ""
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "name", "property":
			name = strings.ToLower(string(value))
		case "content":
			content = string(value[:min(len(value), most)])
		}
	}
	if name == "description" || name == "og:description" || name == "dc.description" {
		r.text.Description = collapse(strings.ToValidUTF8(content, "\uFFFD"))
	}
}

func (r *reader) characters(b []byte) {
	if r.open[atom.Title] > 0 && r.open[atom.Svg] == 0 && !r.titled && r.title.Len() < 1000 {
		r.title.Write(b[:min(len(b), 1000)])
	}
	if r.out > 0 {
		return
	}
	if r.size += len(b); r.size > MaxText {
		r.text.Cut = true
		return
	}
	r.now = append(r.now, b...)
	if r.open[atom.A] > 0 {
		r.linked += wordCount(b)
	}
}

func (r *reader) endBlock(heading bool) {
	if len(r.now) == 0 {
		return
	}
	text, words := collapseWords(r.now)
	if text != "" {
		r.blocks = append(r.blocks, block{
			text: text, words: words, linked: r.linked, heading: heading, main: r.inMain > 0,
			pre: r.open[atom.Pre] > 0,
		})
	}
	r.now, r.linked = r.now[:0], 0
}

// choose selects the blocks of main text.
func (r *reader) choose() {
	all := r.blocks
	if inMain := only(all, func(b *block) bool { return b.main }); characters(inMain) >= mainChars {
		all = inMain
	}
	for i := range all {
		b := &all[i]
		b.good = !b.pre && b.linked*3 < b.words &&
			(b.words >= longWords || spaceless(b.text) && len(b.text) > 3*longWords)
	}
	after := false // the next block is main text
	before := len(all)
	for i := range all {
		if all[i].good {
			before = i
			break
		}
	}
	kept := make([]bool, len(all))
	for i := len(all) - 1; i >= 0; i-- {
		b := &all[i]
		short := !b.pre && b.linked*3 < b.words && after && (b.heading || i > before)
		kept[i] = b.good || short
		after = kept[i]
	}
	for i := range all {
		all[i].good = kept[i]
	}
	chosen := only(all, func(b *block) bool { return b.good })
	if len(chosen) == 0 {
		chosen = only(all, func(b *block) bool { return b.linked*2 <= b.words })
	}
	if len(chosen) == 0 {
		chosen = all
	}
	for _, b := range chosen {
		r.text.Paragraphs = append(r.text.Paragraphs, b.text)
	}
}

func only(all []block, is func(*block) bool) (some []block) {
	for i := range all {
		if is(&all[i]) {
			some = append(some, all[i])
		}
	}
	return some
}

func characters(all []block) (n int) {
	for i := range all {
		n += len(all[i].text)
	}
	return n
}
