package prose

import (
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

// Thresholds for main text.
const (
	mainChars = 250 // characters in main or article above which only they count
	longWords = 10  // words of a block that is main text by itself
)

// block is a stretch of text.
type block struct {
	begin   int // of the text, in the collapsed text of the page
	end     int
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
	open   [elements]int // number of open elements, for the relevant elements
	out    int           // number of omitted elements among them
	inMain int
	now    []byte // text of the block
	linked int    // its words in links
	title  strings.Builder
	titled bool // the title is known: later titles belong to feeds in the page, or to no page
	size   int
	most   int    // of its text
	buffer []byte // for a text
	all    []byte // the collapsed text of all blocks
}

// readers are reused: the buffers of a page serve for the next.
var readers = sync.Pool{New: func() any { return &reader{} }}

// begin prepares for another page.
func (r *reader) begin() {
	*r = reader{blocks: r.blocks[:0], now: r.now[:0], all: r.all[:0], buffer: r.buffer}
}

// readHTML reads a page. Beyond most bytes of text it is cut; with less than MaxText its reading ends there.
func readHTML(page []byte, most int) *Text {
	r, _ := readers.Get().(*reader)
	r.begin()
	defer readers.Put(r)
	r.most = most
	m := &markup{page: page}
	for {
		next := m.next()
		if r.text.Cut && most < MaxText {
			next = endOfPage
		}
		switch next {
		case endOfPage:
			r.endBlock(false)
			r.choose()
			r.text.Title = collapse(r.title.String())
			text := r.text
			return &text
		case someText:
			r.characters(m)
		case startTag:
			r.start(m)
		case endTag:
			r.end(m.name)
		}
	}
}

func (r *reader) start(m *markup) {
	name := m.name
	of := features[name]
	if of&isBlock != 0 {
		r.endBlock(false)
	}
	switch {
	case name == htmlElement && r.text.Language == "":
		if z, _, attributes := m.again(); attributes {
			r.language(z)
		}
	case name == meta && r.most == MaxText && r.text.Description == "" && m.mentions("description"):
		if z, _, attributes := m.again(); attributes {
			r.description(z)
		}
	case of&isLeftOut != 0, of&isFraming != 0 && r.inMain == 0:
		if name == svg || name == math {
			if _, alone, _ := m.again(); alone {
				return
			}
		}
		r.out++
		r.open[name]++
	case of&isMain != 0:
		r.inMain++
		r.open[name]++
	case name == anchor, name == pre:
		r.open[name] = 1
	}
}

func (r *reader) end(name element) {
	of := features[name]
	if of&isBlock != 0 { // while it is open
		r.endBlock(of&isHeading != 0)
	}
	if r.open[name] == 0 {
		return
	}
	r.open[name]--
	r.titled = r.titled || name == title && strings.TrimSpace(r.title.String()) != ""
	switch {
	case of&isMain != 0:
		r.inMain--
	case name != anchor && name != pre:
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

func (r *reader) characters(m *markup) {
	titled := r.open[title] > 0 && r.open[svg] == 0 && !r.titled && r.title.Len() < 1000
	if !titled && r.out > 0 {
		return
	}
	var b []byte
	b, r.buffer = m.text(r.buffer)
	if titled {
		r.title.Write(b[:min(len(b), 1000)])
	}
	if r.out > 0 {
		return
	}
	if r.size += len(b); r.size > r.most {
		r.text.Cut = true
		return
	}
	r.now = append(r.now, b...)
	if r.open[anchor] > 0 {
		r.linked += wordCount(b)
	}
}

func (r *reader) endBlock(heading bool) {
	if len(r.now) == 0 {
		return
	}
	begin := len(r.all)
	all, words := appendCollapsed(r.all, r.now)
	if r.all = all; len(all) > begin {
		r.blocks = append(r.blocks, block{
			begin: begin, end: len(all), words: words, linked: r.linked, heading: heading, main: r.inMain > 0,
			pre: r.open[pre] > 0,
		})
	}
	r.now, r.linked = r.now[:0], 0
}

// choose selects the blocks of main text.
func (r *reader) choose() {
	page := string(r.all)
	all := r.blocks
	if charactersInMain(all) >= mainChars {
		all = slices.DeleteFunc(all, func(b block) bool { return !b.main })
	}
	for i := range all {
		b := &all[i]
		b.good = !b.pre && b.linked*3 < b.words &&
			(b.words >= longWords || b.end-b.begin > 3*longWords && spaceless(page[b.begin:b.end]))
	}
	keepShort(all)
	r.paragraphs(page, all, func(b *block) bool { return b.good })
	if len(r.text.Paragraphs) == 0 {
		r.paragraphs(page, all, func(b *block) bool { return b.linked*2 <= b.words })
	}
	if len(r.text.Paragraphs) == 0 {
		r.paragraphs(page, all, func(*block) bool { return true })
	}
}

// keepShort makes short blocks main text if they precede such a block.
func keepShort(all []block) {
	before := slices.IndexFunc(all, func(b block) bool { return b.good })
	if before < 0 {
		return
	}
	after := false // the next block is main text
	for i, b := range slices.Backward(all) {
		after = b.good || !b.pre && b.linked*3 < b.words && after && (b.heading || i > before)
		all[i].good = after
	}
}

// paragraphs returns the texts of some blocks.
func (r *reader) paragraphs(page string, all []block, is func(*block) bool) {
	n := 0
	for i := range all {
		if is(&all[i]) {
			n++
		}
	}
	if n == 0 {
		return
	}
	r.text.Paragraphs = make([]string, 0, n)
	for i := range all {
		if is(&all[i]) {
			r.text.Paragraphs = append(r.text.Paragraphs, page[all[i].begin:all[i].end])
		}
	}
}

// charactersInMain returns the length of the text in main or article, in bytes.
func charactersInMain(all []block) (n int) {
	for i := range all {
		if all[i].main {
			n += all[i].end - all[i].begin
		}
	}
	return n
}
