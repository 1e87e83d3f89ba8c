// Package prose finds what is written for people in a web page or a plain text: paragraphs,
// sentences, words, and the language.
//
// # What the main text of a page is
//
// A page is cut into blocks where elements begin or end that a browser starts a line with. What
// stands in script, style, template, svg, in forms' controls, and in nav, aside, header and footer
// (unless these two are in main or article) is left out. Where main or article hold at least 250
// characters, the rest is left out, too. Of the blocks those are main text that have at least ten
// words, of which less than a third are in links, and that are not preformatted; and headings and
// shorter blocks of which the same is true, and that stand before or between two of them. Where no
// block is main text, all are, but those that are links for more than half; and where there is
// still none, everything that is written.
//
// The language is that of the html element; else the one whose stop words are there most often,
// where that is told clearly.
package prose

import (
	"strings"
	"unicode/utf8"

	"quire/format/charset"
)

// MaxText is how much text is kept of one document, in bytes.
const MaxText = 1 << 20

// Text is what is written in a document.
type Text struct {
	Title        string   // of a page, white space collapsed
	Description  string   // of a page, as its meta element gives it, white space collapsed
	Paragraphs   []string // white space collapsed
	Language     string   // two letters mostly, lower case; "" where it is not known
	LanguageFrom string   // "html lang", or "stop words"
	Cut          bool     // it is longer than MaxText, and this is the beginning
}

// FromHTML gives the main text of a page.
func FromHTML(page []byte, contentType string) *Text {
	found, err := charset.Sniff(page, contentType, strings.Contains(contentType, "xml"))
	if err != nil {
		found.Name = guess(page)
	}
	t := readHTML(charset.DecodeLossy(page, found.Name))
	t.tellLanguage()
	return t
}

// FromPlain gives the paragraphs of a plain text, which end at empty lines. Its charset is told by
// a mark, else by who sent it; without either it is UTF-8 if it can be, and otherwise windows-1252.
func FromPlain(b []byte, contentType string) *Text {
	name := charset.Mark(b)
	if name == "" {
		name = charset.Resolve(charset.OfContentType(contentType))
	}
	if name == "" {
		name = guess(b)
	}
	t := &Text{}
	s := strings.ReplaceAll(string(charset.DecodeLossy(b, name)), "\r\n", "\n")
	if t.Cut = len(s) > MaxText; t.Cut {
		s = whole(s[:MaxText])
	}
	var lines []string
	end := func() {
		if p := collapse(strings.Join(lines, " ")); p != "" {
			t.Paragraphs = append(t.Paragraphs, p)
		}
		lines = lines[:0]
	}
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) == "" {
			end()
			continue
		}
		lines = append(lines, line)
	}
	end()
	t.tellLanguage()
	return t
}

// guess is the encoding of what declares none. What is long may have been cut in the midst of a
// character.
func guess(b []byte) string {
	if utf8.Valid(b) || len(b) > MaxText && utf8.ValidString(whole(string(b))) {
		return "utf-8"
	}
	return "windows-1252"
}

// whole takes the beginning of a character off the end of a text that was cut.
func whole(s string) string {
	for n := 1; n <= min(utf8.UTFMax-1, len(s)); n++ {
		if c := s[len(s)-n]; utf8.RuneStart(c) {
			if !utf8.FullRuneInString(s[len(s)-n:]) {
				return s[:len(s)-n]
			}
			return s
		}
	}
	return s
}

// collapse makes white space single spaces. Soft hyphens and marks of direction are no part of
// words.
func collapse(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return invisible.Replace(s)
}

var invisible = strings.NewReplacer("\u00ad", "", "\u200b", "", "\u200c", "", "\u200d", "", "\u200e", "", "\u200f", "",
	"\ufeff", "")
