package prose

import (
	"bytes"

	"golang.org/x/net/html"
)

// markup splits a page into texts and tags, as the tokenizer of golang.org/x/net/html does, but
// several times as fast: it copies nothing, and reads attributes only when asked. The tests compare
// the two.
type markup struct {
	page []byte
	at   int
	raw  string // the open element without markup in it, such as "script"; "" if there is none

	kind  kind
	token []byte // the whole tag, or the text as written
	name  element
	plain bool // the text has no character references
	nul   bool // NULs in the text become U+FFFD
}

type kind int

const (
	endOfPage kind = iota
	someText
	startTag
	endTag
)

// next reads the next text or tag. Comments and declarations are skipped.
func (m *markup) next() kind {
	m.kind = m.step()
	return m.kind
}

func (m *markup) step() kind {
	if m.raw != "" {
		if begin := m.at; m.skipRaw() > begin {
			m.token, m.nul = m.page[begin:m.at], true
			return someText
		}
	}
	m.plain, m.nul = false, false
	for begin := m.at; ; {
		open := m.markupAt(m.at)
		if open < 0 {
			m.at = len(m.page)
			return m.written(begin)
		}
		if m.at = open; open > begin {
			return m.written(begin)
		}
		switch c := m.page[open+1]; {
		case c == '!':
			m.declaration()
		case c == '?':
			m.passByte('>')
		case c != '/':
			return m.tag(startTag, open+1)
		case open+2 == len(m.page): // an end tag of which nothing is there is text
			m.at = len(m.page)
			return m.written(open)
		case isLatin(m.page[open+2]):
			return m.tag(endTag, open+2)
		default:
			m.passByte('>')
		}
		begin = m.at
	}
}

// markupAt returns the place of the next "<" that begins markup, or -1.
func (m *markup) markupAt(at int) int {
	for {
		n := bytes.IndexByte(m.page[at:], '<')
		if n < 0 || at+n+1 == len(m.page) {
			return -1
		}
		if at += n; isLatin(m.page[at+1]) || m.page[at+1] == '/' || m.page[at+1] == '!' || m.page[at+1] == '?' {
			return at
		}
		at++
	}
}

func (m *markup) written(begin int) kind {
	if m.token = m.page[begin:m.at]; len(m.token) == 0 {
		return endOfPage
	}
	return someText
}

// passByte moves behind the next such byte.
func (m *markup) passByte(c byte) {
	n := bytes.IndexByte(m.page[m.at:], c)
	if n < 0 {
		m.at = len(m.page)
		return
	}
	m.at += n + 1
}

// declaration skips a comment or another construct that begins with "<!".
func (m *markup) declaration() {
	if !bytes.HasPrefix(m.page[m.at:], []byte("<!--")) {
		m.passByte('>')
		return
	}
	m.at += len("<!--")
	dashes, first := 0, true
	for m.at < len(m.page) {
		if dashes == 0 && !first { // only a dash matters
			if m.passByte('-'); m.at == len(m.page) {
				return
			}
			m.at--
		}
		c := m.page[m.at]
		m.at++
		if c == '!' && dashes >= 2 {
			if m.at == len(m.page) {
				return
			}
			c = m.page[m.at]
			m.at++
			if c == '>' {
				return
			}
			if dashes, first = 0, false; c == '-' {
				dashes = 1
			}
			continue
		}
		switch {
		case c == '-':
			dashes++
		case c == '>' && (dashes >= 2 || first):
			return
		default:
			dashes, first = 0, false
		}
	}
}

// tag reads a tag whose name begins at a place. A tag that the page does not complete ends the page.
func (m *markup) tag(kind kind, name int) kind {
	end := name
	for end < len(m.page) && !endsName[m.page[end]] {
		end++
	}
	m.name = elementOf(m.page[name:end])
	begin := m.at
	m.at = end
	if !m.attributes() {
		return endOfPage
	}
	m.token = m.page[begin:m.at]
	if kind == startTag {
		m.raw = rawElements[m.name]
	}
	return kind
}

// attributes skips the attributes of a tag, to the end of the tag. It returns false at the end of the
// page.
func (m *markup) attributes() bool {
	p, i := m.page, m.at
	for {
		if i = skipSpace(p, i); i == len(p) {
			m.at = i
			return false
		}
		if p[i] == '>' {
			m.at = i + 1
			return true
		}
		if i = skipAttribute(p, i); i == len(p) {
			m.at = i
			return false
		}
	}
}

// skipAttribute skips a name, and its value if there is one.
func skipAttribute(p []byte, i int) int {
	if p[i] == '=' { // it may begin a name
		i++
	}
	for i < len(p) && !endsName[p[i]] && p[i] != '=' {
		i++
	}
	if i = skipSpace(p, i); i == len(p) {
		return i
	}
	if p[i] == '/' {
		return i + 1
	}
	if p[i] != '=' {
		return i
	}
	if i = skipSpace(p, i+1); i == len(p) {
		return i
	}
	switch quote := p[i]; quote {
	case '>':
		return i
	case '"', '\'':
		n := bytes.IndexByte(p[i+1:], quote)
		if n < 0 {
			return len(p)
		}
		return i + n + 2
	}
	for i < len(p) && p[i] != '>' {
		if isBlank[p[i]] {
			return i + 1
		}
		i++
	}
	return i
}

func skipSpace(p []byte, i int) int {
	for i < len(p) && isBlank[p[i]] {
		i++
	}
	return i
}

// again returns the tag for the tokenizer of x/net/html, which reads attributes.
func (m *markup) again() (z *html.Tokenizer, alone, attributes bool) {
	z = html.NewTokenizer(bytes.NewReader(m.token))
	alone = z.Next() == html.SelfClosingTagToken
	_, attributes = z.TagName()
	return z, alone, attributes
}

// mentions reports whether the tag may state a word: written as it is, or by character references.
func (m *markup) mentions(word string) bool {
	if bytes.IndexByte(m.token, '&') >= 0 {
		return true
	}
	for i := 0; i+len(word) <= len(m.token); i++ {
		if m.token[i]|0x20 == word[0] && bytes.EqualFold(m.token[i:i+len(word)], []byte(word)) {
			return true
		}
	}
	return false
}

func isLatin(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isBlank are the white space characters of HTML, and endsName those that end the name of a tag.
var isBlank, endsName = func() (blank, ends [256]bool) {
	for _, c := range " \n\r\t\f" {
		blank[c], ends[c] = true, true
	}
	ends['/'], ends['>'] = true, true
	return blank, ends
}()
