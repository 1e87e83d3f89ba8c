package rewrite

import (
	"bytes"

	"quire/format/charset"
)

// injected returns the markup to insert, preceded by the page's charset declaration. Browsers look
// for the declaration in the first 1,024 bytes (HTML, 13.2.3.2). Markup before it could move it
// beyond them.
func (d *document) injected() []byte {
	found, err := charset.Sniff(d.head, d.rw.ContentType, false)
	if d.svg { // the script is of XHTML also there
		return bytes.Replace(d.rw.Head, []byte("<script "), []byte(`<script xmlns="http://www.w3.org/1999/xhtml" `), 1)
	}
	if err != nil || found.By != "meta element" || !isLabel(found.Label) {
		return d.rw.Head
	}
	return append([]byte(`<meta charset="`+found.Label+`">`), d.rw.Head...)
}

// isLabel reports whether s consists only of characters of charset labels.
func isLabel(s string) bool {
	for i := range len(s) {
		if c := s[i]; !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == ':' ||
			c == '.') {
			return false
		}
	}
	return s != ""
}

// opening describes the start of a document: the position of its head, and its first tags.
type opening struct {
	at         int
	html, head bool
}

// openingOf finds the start of a page's head: after the start tag of head, or before the first
// token that implies it (HTML, 13.2.6.4.1 to 13.2.6.4.3). Nothing may precede the doctype: without
// it, browsers use quirks mode.
func openingOf(b []byte, xml bool) (o opening) {
	if bytes.HasPrefix(b, []byte(markUTF8)) {
		o.at = len(markUTF8)
	}
	for {
		rest := b[o.at:]
		blanks := 0
		for blanks < len(rest) && isBlank(rest[blanks]) {
			blanks++
		}
		rest = rest[blanks:]
		n := 0
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			n = commentLength(rest)
		case bytes.HasPrefix(rest, []byte("<!")) || bytes.HasPrefix(rest, []byte("<?")):
			n = declarationLength(rest, xml)
		case isTag(rest, "html"):
			n = tagLength(rest)
			o.html = o.html || n > 0
		case isTag(rest, "head"):
			if n = tagLength(rest); n > 0 {
				return opening{o.at + blanks + n, o.html, true}
			}
		}
		if n == 0 {
			return o
		}
		o.at += blanks + n
	}
}

// svg returns the position behind the start tag of the root of SVG. It is 0 for other documents, and for a root with a
// prefix, which the markup would need too.
func (o *opening) svg(b []byte) int64 {
	rest := bytes.TrimLeft(b[o.at:], " \t\r\n\f")
	n := tagLength(rest)
	if o.html || !bytes.HasPrefix(rest, []byte("<svg")) || !isTag(rest, "svg") || n == 0 || rest[n-2] == '/' {
		return 0
	}
	return int64(len(b) - len(rest) + n)
}

// declarationLength returns the length of the doctype or instruction at the start of b, 0 if it does not end. In XML, a
// doctype can have declarations of its own (XML, 2.8). Values, comments and instructions in it can have any mark.
func declarationLength(b []byte, xml bool) int {
	if !xml {
		return bytes.IndexByte(b, '>') + 1
	}
	if b[1] == '?' {
		return through(b, 2, "?>")
	}
	inner := false
	for i := 2; i < len(b); i++ {
		end := i + 1
		switch c := b[i]; {
		case c == '"' || c == '\'':
			end = through(b, i+1, string(c))
		case inner && bytes.HasPrefix(b[i:], []byte("<!--")):
			end = through(b, i+4, "-->")
		case inner && bytes.HasPrefix(b[i:], []byte("<?")):
			end = through(b, i+2, "?>")
		case c == '[' || c == ']':
			if inner == (c == '[') {
				return 0
			}
			inner = c == '['
		case c == '>' && !inner:
			return end
		}
		if end == 0 {
			return 0
		}
		i = end - 1
	}
	return 0
}

// through returns the position behind the next mark from a position on, 0 if there is none.
func through(b []byte, from int, mark string) int {
	n := bytes.Index(b[min(from, len(b)):], []byte(mark))
	if n < 0 {
		return 0
	}
	return from + n + len(mark)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }

// isTag reports whether a start tag of this name begins here.
func isTag(b []byte, name string) bool {
	if len(b) < len(name)+2 || b[0] != '<' || !bytes.EqualFold(b[1:1+len(name)], []byte(name)) {
		return false
	}
	c := b[1+len(name)]
	return isBlank(c) || c == '>' || c == '/'
}

// tagLength returns the length of the tag at the start of b, 0 if it does not end. A quote begins
// only after an equals sign.
func tagLength(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '>':
			return i + 1
		case '=':
			for i+1 < len(b) && isBlank(b[i+1]) {
				i++
			}
			if i+1 < len(b) && (b[i+1] == '"' || b[i+1] == '\'') {
				n := bytes.IndexByte(b[i+2:], b[i+1])
				if n < 0 {
					return 0
				}
				i += 2 + n
			}
		}
	}
	return 0
}

// commentLength returns the length of the comment at the start of b (HTML, 13.2.5.43 to 51), 0 if
// it does not end.
func commentLength(b []byte) int {
	for _, empty := range []string{"<!-->", "<!--->"} {
		if bytes.HasPrefix(b, []byte(empty)) {
			return len(empty)
		}
	}
	for i := 4; i < len(b); i++ {
		if b[i] == '>' && (bytes.HasSuffix(b[4:i], []byte("--")) || bytes.HasSuffix(b[4:i], []byte("--!"))) {
			return i + 1
		}
	}
	return 0
}

// root returns the name of the first element of an XML document, without its prefix; "" if not
// found.
func (o *opening) root(b []byte) string {
	if o.html {
		return "html"
	}
	rest := bytes.TrimLeft(b[o.at:], " \t\r\n\f")
	if len(rest) == 0 || rest[0] != '<' {
		return ""
	}
	rest = rest[1:]
	if i := bytes.IndexAny(rest, " \t\r\n/>"); i >= 0 {
		rest = rest[:i]
	}
	if i := bytes.LastIndexByte(rest, ':'); i >= 0 {
		rest = rest[i+1:]
	}
	return string(rest)
}
