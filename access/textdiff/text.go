package textdiff

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"quire/format/charset"
)

// MaxBytes is the maximum number of bytes of a page to give to Read.
const MaxBytes = 2 << 20

// Limits of the compared text.
const (
	maxLines = 4000 // of its text
	maxLine  = 2000 // characters of a line
)

// Text is the visible text of a capture.
type Text struct {
	Title string
	Lines []string
	More  bool // lines were left out
}

// Elements that do not start a new line in browsers; all others do.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.Acronym: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Big: true,
	atom.Cite: true, atom.Code: true,
	atom.Data: true, atom.Del: true, atom.Dfn: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Img: true,
	atom.Input: true, atom.Ins: true,
	atom.Kbd: true, atom.Label: true, atom.Mark: true, atom.Nobr: true, atom.Q: true, atom.S: true, atom.Samp: true,
	atom.Small: true, atom.Span: true,
	atom.Strike: true, atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Time: true, atom.Tt: true, atom.U: true,
	atom.Var: true, atom.Wbr: true,
}

// Elements without visible text.
var silent = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Template: true, atom.Noscript: true, atom.Svg: true, atom.Iframe: true,
	atom.Noembed: true, atom.Noframes: true,
}

// Read returns the visible text of a page or plain text, line by line. contentType is in small
// letters. The result contains no markup, but its text is still untrusted.
func Read(body []byte, contentType string) Text {
	t := read(body, contentType)
	t.More = t.More || len(body) >= MaxBytes
	return t
}

func read(body []byte, contentType string) (t Text) {
	isHTML := strings.Contains(contentType, "html")
	name := "windows-1252" // the default of browsers
	if utf8.Valid(body) {
		name = "utf-8"
	}
	if found, err := charset.Sniff(body, contentType, strings.Contains(contentType, "xhtml")); err == nil {
		name = found.Name
	}
	decoded := charset.DecodeLossy(body, name)
	if !isHTML {
		for line := range strings.Lines(string(decoded)) {
			if t.Lines, t.More = appendLine(t.Lines, line); t.More {
				break
			}
		}
		return t
	}
	return textOfHTML(decoded)
}

func textOfHTML(page []byte) (t Text) {
	z := html.NewTokenizer(bytes.NewReader(page))
	z.SetMaxBuf(1 << 20)
	var line strings.Builder
	var inTitle bool
	deep := 0 // depth in silent elements
	end := func() {
		if !t.More {
			t.Lines, t.More = appendLine(t.Lines, line.String())
		}
		line.Reset()
	}
	for !t.More {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			end()
			return t
		case html.TextToken:
			if inTitle && t.Title == "" {
				t.Title = collapse(string(z.Text()))
			} else if deep == 0 && !inTitle {
				line.Write(z.Text())
			}
		case html.StartTagToken, html.EndTagToken:
			tag, _ := z.TagName()
			a := atom.Lookup(tag)
			switch {
			case a == atom.Title && deep == 0: // svg has titles, too
				inTitle = kind == html.StartTagToken
			case silent[a] && kind == html.StartTagToken:
				deep++
			case silent[a]:
				deep = max(0, deep-1)
			}
			if !inline[a] {
				end()
			}
		case html.SelfClosingTagToken:
			if tag, _ := z.TagName(); !inline[atom.Lookup(tag)] {
				end()
			}
		}
	}
	return t
}

func appendLine(lines []string, line string) ([]string, bool) {
	line = collapse(line)
	if line == "" {
		return lines, false
	}
	if len(lines) == maxLines {
		return lines, true
	}
	return append(lines, line), false
}

// collapse replaces white space by single spaces, drops invisible characters, and truncates long
// text.
func collapse(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) && r != '\u200c' && r != '\u200d' {
			return -1
		}
		return r
	}, s)
	n := 0
	for i := range s {
		if n++; n > maxLine {
			return s[:i] + "…"
		}
	}
	return s
}
