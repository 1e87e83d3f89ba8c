// Package prose extracts the text written for people from a web page or plain text: paragraphs,
// sentences, words, and the language.
//
// # The main text of a page
//
// A page is split into blocks at elements that start a new line in browsers. Text in script, style,
// template, svg, form controls, nav, aside, header and footer is omitted. Text in header and footer
// is kept if they are inside main or article. If main or article contain at least 250 characters,
// the text outside them is omitted, too.
//
// A block is main text if it has at least ten words, less than a third of them in links, and is not
// preformatted. Headings and shorter blocks that meet the other conditions are main text if they
// precede such a block or are between two of them. If no block is main text, the package uses all
// blocks, except blocks with more than half of their words in links. If no block remains, the
// package uses all text.
//
// The language is the language stated in the html element. Without this statement, it is the
// language with the most stop words, if the difference is clear.
package prose

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"quire/format/charset"
)

// MaxText limits the text kept of one document, in bytes.
const MaxText = 1 << 20

// Text is the text of a document.
type Text struct {
	Title        string   // of a page, with collapsed white space
	Description  string   // of a page, from its meta element, with collapsed white space
	Paragraphs   []string // with collapsed white space
	Language     string   // usually two letters, lower case; "" if unknown
	LanguageFrom string   // "html lang", or "stop words"
	Cut          bool     // truncated to MaxText
}

// FromHTML returns the main text of a page.
func FromHTML(page []byte, contentType string) *Text {
	t := Untold(page, contentType)
	t.tellLanguage()
	return t
}

// Untold is FromHTML for callers that need no language: it reads only the language that the page
// declares.
func Untold(page []byte, contentType string) *Text { return untold(page, contentType, MaxText) }

func untold(page []byte, contentType string, most int) *Text {
	found, err := charset.Sniff(page, contentType, strings.Contains(contentType, "xml"))
	if err != nil {
		found.Name = guess(page)
	}
	return readHTML(charset.DecodeLossy(page, found.Name), most)
}

// FromPlain returns the paragraphs of a plain text, separated by empty lines. A byte order mark
// determines its charset, otherwise the declared charset; without either it is UTF-8 if valid, and
// otherwise windows-1252.
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

// guess returns the encoding of undeclared text. Long text may be truncated inside a character.
func guess(b []byte) string {
	if utf8.Valid(b) || len(b) > MaxText && utf8.ValidString(whole(string(b))) {
		return "utf-8"
	}
	return "windows-1252"
}

// whole removes an incomplete character at the end of truncated text.
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

// collapse replaces white space by single spaces. It removes soft hyphens and direction marks,
// because they are not part of words.
func collapse(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return invisible.Replace(s)
}

// wordCount returns the number of words between white space, as strings.Fields finds them.
func wordCount(b []byte) (n int) {
	inWord := false
	for i, c := range b {
		if c >= utf8.RuneSelf {
			if !inWord {
				return n + len(bytes.Fields(b[i:]))
			}
			return n + len(bytes.Fields(b[i:])) - joined(b[i:])
		}
		space := c == ' ' || '\t' <= c && c <= '\r'
		if !space && !inWord {
			n++
		}
		inWord = !space
	}
	return n
}

// joined returns 1 if b begins with a word, and 0 if it begins with white space.
func joined(b []byte) int {
	if r, _ := utf8.DecodeRune(b); unicode.IsSpace(r) {
		return 0
	}
	return 1
}

var invisible = strings.NewReplacer("\u00ad", "", "\u200b", "", "\u200e", "", "\u200f", "", "\ufeff", "")
