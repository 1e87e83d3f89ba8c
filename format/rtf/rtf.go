// Package rtf reads the text and metadata of documents in the Rich Text Format (version 1.9.1).
//
// It lays out nothing. It treats documents as hostile: groups may nest without limit, but time and
// memory stay within the size of the input.
package rtf

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// Document is the text and metadata of a document.
type Document struct {
	Paragraphs []string
	Cut        bool // the text is longer than requested

	Title, Subject, Author, Keywords, Description string // "" if missing
	Created                                       string // yyyy-mm-dd
}

// Is reports whether the bytes begin like RTF.
func Is(b []byte) bool { return bytes.HasPrefix(b, []byte(`{\rtf`)) }

// state is the formatting of a group, restored when an inner group ends.
type state struct {
	to      destination
	font    int
	skipped int // fallback characters after each \u
}

type destination uint8

const (
	toText destination = iota
	toNothing
	toFonts
	toTitle
	toSubject
	toAuthor
	toKeywords
	toDescription
	toCreated
)

// destinations are the groups with text that is not a paragraph. All others that begin with \* are
// ignored.
var destinations = map[string]destination{
	"fonttbl": toFonts, "title": toTitle, "subject": toSubject, "author": toAuthor, "keywords": toKeywords,
	"doccomm": toDescription, "creatim": toCreated,
	"colortbl": toNothing, "stylesheet": toNothing, "pict": toNothing, "object": toNothing, "info": toNothing,
	"fldinst": toNothing, "listtable": toNothing,
	"listoverridetable": toNothing, "revtbl": toNothing, "rsidtbl": toNothing, "themedata": toNothing,
	"colorschememapping": toNothing, "datastore": toNothing,
	"latentstyles": toNothing, "xmlnstbl": toNothing, "filetbl": toNothing, "bkmkstart": toNothing,
	"bkmkend": toNothing, "generator": toNothing,
	"operator": toNothing, "company": toNothing, "manager": toNothing, "category": toNothing, "listtext": toText,
	"footnote": toText, "nonshppict": toNothing,
	"sn": toNothing, "sv": toNothing, // names and values of shapes
}

// told are the destinations whose text is kept although they begin with \*.
var told = map[string]bool{"footnote": true, "shptxt": true, "annotation": true, "shpinst": true, "ud": true}

// signs are control words for characters.
var signs = map[string]string{
	"tab": " ", "line": " ", "emdash": "—", "endash": "–", "emspace": " ", "enspace": " ", "qmspace": " ",
	"bullet": "•", "lquote": "‘", "rquote": "’",
	"ldblquote": "“", "rdblquote": "”", "cell": " ", "nestcell": " ",
}

// ends are the control words that end a paragraph.
var ends = map[string]bool{"par": true, "page": true, "sect": true, "row": true, "nestrow": true, "column": true}

// reader parses a document.
type reader struct {
	d     *Document
	room  int
	now   state
	outer []state // of the open groups
	deep  int     // groups deeper than remembered

	raw     []byte // of one code page, not yet decoded
	units   []uint16
	text    strings.Builder
	kept    [toCreated + 1]strings.Builder
	page    encoding.Encoding // of the document
	fonts   map[int]encoding.Encoding
	inFonts int // the font that is being described
	leave   int // fallback characters to skip
	starred bool
	time    [3]int // of \creatim
}

// maxDeep is the number of open groups that are remembered.
const maxDeep = 1000

// maxKept is the number of bytes kept of a title or similar field.
const maxKept = 4 << 10

// Read parses a document and returns up to most bytes of its text.
func Read(b []byte, most int) *Document {
	r := &reader{d: &Document{}, room: most, page: charmap.Windows1252, fonts: map[int]encoding.Encoding{},
		now: state{skipped: 1}}
	for len(b) > 0 && r.room > 0 && r.text.Len() <= r.room {
		b = r.step(b)
	}
	r.paragraph()
	for to, into := range map[destination]*string{toTitle: &r.d.Title, toSubject: &r.d.Subject, toAuthor: &r.d.Author,
		toKeywords: &r.d.Keywords, toDescription: &r.d.Description} {
		*into = strings.Join(strings.Fields(r.kept[to].String()), " ")
	}
	if r.time[0] > 0 {
		r.d.Created = date(r.time)
	}
	return r.d
}

func date(t [3]int) string {
	two := func(n int) string { return strconv.Itoa(100 + max(1, min(n, 31)))[1:] }
	return strconv.Itoa(t[0]) + "-" + two(t[1]) + "-" + two(t[2])
}

// step parses one token and returns the rest.
func (r *reader) step(b []byte) []byte {
	switch c := b[0]; c {
	case '{':
		r.flush()
		if r.starred = false; len(r.outer) < maxDeep {
			r.outer = append(r.outer, r.now)
		} else {
			r.deep++
		}
		r.leave = 0
	case '}':
		r.flush()
		switch {
		case r.deep > 0:
			r.deep--
		case len(r.outer) > 0:
			r.now = r.outer[len(r.outer)-1]
			r.outer = r.outer[:len(r.outer)-1]
		}
		r.leave = 0
	case '\\':
		return r.control(b[1:])
	case '\r', '\n':
	default:
		r.char(c)
	}
	return b[1:]
}

// char adds a byte of text.
func (r *reader) char(c byte) {
	if r.leave > 0 {
		r.leave--
		return
	}
	if r.now.to == toNothing || r.now.to == toFonts || r.kept[r.now.to].Len() >= maxKept {
		return
	}
	if len(r.units) > 0 {
		r.flush()
	}
	r.raw = append(r.raw, c)
}

// control parses a control word or symbol, after its backslash.
func (r *reader) control(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	if !isLetter(b[0]) {
		return r.sign(b)
	}
	n := 1
	for n < len(b) && n < 32 && isLetter(b[n]) {
		n++
	}
	word := string(b[:n])
	b = b[n:]
	n = 0
	if n < len(b) && b[n] == '-' {
		n++
	}
	for n < len(b) && n < 11 && b[n] >= '0' && b[n] <= '9' {
		n++
	}
	value, err := strconv.Atoi(string(b[:n]))
	if b = b[n:]; len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	if word == "bin" { // that many bytes of binary data
		r.flush()
		return b[min(len(b), max(value, 0)):]
	}
	r.word(word, value, err == nil)
	return b
}

// sign parses a control symbol.
func (r *reader) sign(b []byte) []byte {
	switch b[0] {
	case '\'':
		if len(b) < 3 {
			return nil
		}
		if n, err := strconv.ParseUint(string(b[1:3]), 16, 8); err == nil {
			r.char(byte(n))
		}
		return b[3:]
	case '*':
		r.starred = true
	case '~':
		r.char(' ')
	case '_':
		r.char('-')
	case '\\', '{', '}':
		r.char(b[0])
	case '\r', '\n':
		r.paragraph()
	}
	return b[1:]
}

// word executes a control word.
func (r *reader) word(word string, value int, has bool) {
	starred := r.starred
	r.starred = false
	if to, ok := destinations[word]; ok {
		r.flush()
		if r.now.to == toText || r.now.to == toNothing && to > toFonts {
			r.now.to = to
			r.kept[to].Reset() // of two, the later has characters that the first lacks (\upr, \ud)
		}
		return
	}
	switch {
	case starred && !told[word]:
		r.flush()
		r.now.to = toNothing
	case word == "u" && has:
		r.unit(uint16(value)) //nolint:gosec // negative ones stand for those above 32767
	case word == "uc" && has:
		r.now.skipped = max(0, min(value, 100))
	case word == "ansicpg" && has:
		r.flush()
		if e := codePage(value); e != nil {
			r.page = e
		}
	case word == "mac":
		r.page = charmap.Macintosh
	case word == "f" && has:
		r.flush()
		r.now.font, r.inFonts = value, value
	case word == "fcharset" && has && r.now.to == toFonts:
		const most = 10_000
		if e := codePage(charsets[value]); e != nil && len(r.fonts) < most {
			r.fonts[r.inFonts] = e
		}
	case ends[word]:
		r.paragraph()
	case signs[word] != "":
		r.flush()
		r.write(signs[word])
	case r.now.to == toCreated:
		if i := map[string]int{"yr": 1, "mo": 2, "dy": 3}[word]; i > 0 {
			r.time[i-1] = value
		}
	}
}

// unit adds a character of UTF-16. Its fallback for old readers follows it.
func (r *reader) unit(u uint16) {
	r.leave = r.now.skipped
	if r.now.to == toNothing || r.now.to == toFonts || r.kept[r.now.to].Len() >= maxKept {
		return
	}
	if len(r.raw) > 0 {
		r.flush()
	}
	r.units = append(r.units, u)
}

// flush decodes the raw bytes.
func (r *reader) flush() {
	if len(r.units) > 0 {
		r.write(string(utf16.Decode(r.units)))
		r.units = r.units[:0]
	}
	if len(r.raw) == 0 {
		return
	}
	page := r.fonts[r.now.font]
	if page == nil {
		page = r.page
	}
	s, err := page.NewDecoder().Bytes(r.raw)
	if err == nil {
		r.write(string(s))
	}
	r.raw = r.raw[:0]
}

// write appends to the current destination.
func (r *reader) write(s string) {
	switch to := r.now.to; {
	case to == toText:
		if r.text.Len() <= r.room {
			r.text.WriteString(s)
		}
	case to > toFonts && r.kept[to].Len() < maxKept:
		r.kept[to].WriteString(s)
	}
}

// paragraph ends a paragraph.
func (r *reader) paragraph() {
	r.flush()
	if r.now.to != toText && r.text.Len() == 0 {
		return
	}
	s := strings.Join(strings.Fields(strings.ToValidUTF8(r.text.String(), "\uFFFD")), " ")
	r.text.Reset()
	if len(s) > r.room {
		r.d.Cut = true
		s = strings.ToValidUTF8(s[:r.room], "")
	}
	if r.room -= len(s); s != "" {
		r.d.Paragraphs = append(r.d.Paragraphs, s)
	}
	if r.room == 0 {
		r.d.Cut = true
	}
}

// charsets are the code pages of the fonts' character sets.
var charsets = map[int]int{0: 1252, 77: 10000, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253, 162: 1254,
	163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250}

// codePage returns the encoding of a code page, or nil if it is unknown.
func codePage(n int) encoding.Encoding {
	switch n {
	case 437:
		return charmap.CodePage437
	case 850:
		return charmap.CodePage850
	case 852:
		return charmap.CodePage852
	}
	name := map[int]string{932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5", 874: "windows-874",
		10000: "macintosh", 65001: "utf-8"}[n]
	if n >= 1250 && n <= 1258 {
		name = "windows-" + strconv.Itoa(n)
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil
	}
	return e
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
