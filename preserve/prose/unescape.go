package prose

import (
	"bytes"

	"golang.org/x/net/html"
)

// text returns the text that a browser shows for the current token. It may be in the buffer, which is
// returned for the next text.
func (m *markup) text(buffer []byte) (text, grown []byte) {
	b := m.token
	references := !m.plain && bytes.IndexByte(b, '&') >= 0
	lines := bytes.IndexByte(b, '\r') >= 0
	if !references && !lines && !m.nul {
		return b, buffer
	}
	if lines {
		b = bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	}
	if m.nul && bytes.IndexByte(b, 0) >= 0 {
		b = bytes.ReplaceAll(b, []byte("\x00"), []byte("\uFFFD"))
	}
	if !references {
		return b, buffer
	}
	buffer = unescape(buffer[:0], b)
	return buffer, buffer
}

// frequent are the character references of most pages. The others are left to x/net/html.
var frequent = []struct{ name, means string }{
	{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&nbsp;", "\u00a0"}, {"&quot;", `"`}, {"&#39;", "'"},
	{"&#8217;", "’"}, {"&#8212;", "—"}, {"&#8220;", "“"}, {"&#8221;", "”"}, {"&#182;", "¶"},
	{"&#160;", "\u00a0"},
}

// unescape appends a text without its character references.
func unescape(to, b []byte) []byte {
	for {
		n := bytes.IndexByte(b, '&')
		if n < 0 {
			return append(to, b...)
		}
		to, b = append(to, b[:n]...), b[n:]
		if means, size := reference(b); size > 0 {
			to, b = append(to, means...), b[size:]
			continue
		}
		end := len(b)
		if n := bytes.IndexByte(b[1:], '&'); n >= 0 { // a reference depends on nothing behind it
			end = n + 1
		}
		to, b = append(to, html.UnescapeString(string(b[:end]))...), b[end:]
	}
}

func reference(b []byte) (means string, size int) {
	for _, f := range frequent {
		if len(b) >= len(f.name) && string(b[:len(f.name)]) == f.name {
			return f.means, len(f.name)
		}
	}
	return "", 0
}
