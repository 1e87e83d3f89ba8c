// Package rtf reads what is written in documents in the Rich Text Format (version 1.9.1), and what
// they say of themselves.
//
// Nothing is laid out. Documents are hostile: groups nest as deep as they like, and time and memory
// stay within the size of what is read.
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

// Document is what a document says.
type Document struct {
	Paragraphs []string
	Cut        bool // there is more than was asked for

	Title, Subject, Author, Keywords, Description string // "" where it does not say
	Created                                       string // yyyy-mm-dd
}

// Is says whether bytes begin as RTF.
func Is(b []byte) bool { return bytes.HasPrefix(b, []byte(`{\rtf`)) }

// state is what holds in a group, and again when those within it end.
type state struct {
	to      destination
	font    int
	skipped int // characters that stand for one of \u, where that is not understood
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

// destinations are those groups whose text is no paragraph. All others that begin with \* are
// nothing, too.
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

// told are the destinations whose text is kept though they begin with \*.
var told = map[string]bool{"footnote": true, "shptxt": true, "annotation": true, "shpinst": true, "ud": true}

// signs are control words that stand for characters.
var signs = map[string]string{
	"tab": " ", "line": " ", "emdash": "—", "endash": "–", "emspace": " ", "enspace": " ", "qmspace": " ",
	"bullet": "•", "lquote": "‘", "rquote": "’",
	"ldblquote": "“", "rdblquote": "”", "cell": " ", "nestcell": " ",
}

// ends are those that end a paragraph.
var ends = map[string]bool{"par": true, "page": true, "sect": true, "row": true, "nestrow": true, "column": true}

// reader goes through a document.
type reader struct {
	d     *Document
	room  int
	now   state
	outer []state // of the groups that are open
	deep  int     // groups beyond those that are remembered

	raw     []byte // of one code page, not decoded yet
	units   []uint16
	text    strings.Builder
	kept    [toCreated + 1]strings.Builder
	page    encoding.Encoding // of the document
	fonts   map[int]encoding.Encoding
	inFonts int // the font that is being described
	leave   int // characters that are left out: they stand for one that was understood
	starred bool
	time    [3]int // of \creatim
}

// maxDeep is how many groups are remembered that are open.
const maxDeep = 1000

// maxKept is how many bytes are kept of a title and the like.
const maxKept = 4 << 10

// Read reads a document, and most bytes of its text at most.
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

// step reads one thing, and gives what is left.
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

// char takes a byte of text.
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

// control reads a control word or sign, behind its backslash.
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
	if word == "bin" { // so many bytes that are nothing of RTF
		r.flush()
		return b[min(len(b), max(value, 0)):]
	}
	r.word(word, value, err == nil)
	return b
}

// sign reads a control sign.
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

// word does what a control word says.
func (r *reader) word(word string, value int, has bool) {
	starred := r.starred
	r.starred = false
	if to, ok := destinations[word]; ok {
		r.flush()
		if r.now.to == toText || r.now.to == toNothing && to > toFonts {
			r.now.to = to
			r.kept[to].Reset() // of two, the later one has the characters that the first could not have (\upr, \ud)
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

// unit takes a character of UTF-16. Behind it stands what those show who do not understand it.
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

// flush decodes what waits.
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

// write adds to what is being read.
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

// charsets are the code pages of the character sets that fonts have.
var charsets = map[int]int{0: 1252, 77: 10000, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950, 161: 1253, 162: 1254,
	163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250}

// codePage is that of a number; nil of one that is not known.
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
