package prose

import "bytes"

// rawElements are the elements without markup in them, as x/net/html has them.
var rawElements = [elements]string{
	iframe: "iframe", noembed: "noembed", noframes: "noframes", noscript: "noscript", plaintext: "plaintext",
	script: "script", style: "style", textarea: "textarea", title: "title", xmp: "xmp",
}

// skipRaw moves to the end tag of the open element without markup, or to the end of the page. It
// returns the place.
func (m *markup) skipRaw() int {
	name := m.raw
	m.raw = ""
	m.plain = name != "textarea" && name != "title"
	switch name {
	case "plaintext":
		m.at = len(m.page)
	case "script":
		m.skipScript()
	default:
		for m.at < len(m.page) && !m.endsRaw(m.at, name) {
			n := bytes.IndexByte(m.page[m.at+1:], '<')
			if n < 0 {
				m.at = len(m.page)
				break
			}
			m.at += n + 1
		}
	}
	return m.at
}

// endsRaw reports whether the end tag of an element is at a place.
func (m *markup) endsRaw(at int, name string) bool {
	if b := m.page[at:]; len(b) < len(name)+3 || b[0] != '<' || b[1] != '/' {
		return false
	}
	return m.names(at+2, name)
}

// names reports whether a name is at a place, with a character after it that ends a name.
func (m *markup) names(at int, name string) bool {
	b := m.page[at:]
	if len(b) <= len(name) || !endsName[b[len(name)]] {
		return false
	}
	for i := range len(name) {
		if b[i] != name[i] && b[i] != name[i]-('a'-'A') {
			return false
		}
	}
	return true
}

// hiding is the state in a script: comments hide its end tag if a script is in them.
type hiding int

const (
	hidesNothing hiding = iota
	inComment           // an end tag still ends the script
	inHidden            // a script in a comment: its end tag ends only that
)

// skipScript moves to the end tag of a script (HTML Standard, 13.2.5.4 and 13.2.5.15 to 13.2.5.31,
// as x/net/html reads them).
func (m *markup) skipScript() {
	const name = "script"
	state, dashes := hidesNothing, 0
	for m.at < len(m.page) {
		switch c := m.page[m.at]; {
		case c == '<' && m.endsRaw(m.at, name):
			if state != inHidden {
				return
			}
			state, dashes = inComment, 0
			m.at += len("</script>")
			continue
		case c == '<' && state == hidesNothing:
			if bytes.HasPrefix(m.page[m.at:], []byte("<!--")) {
				state, dashes = inComment, 2
				m.at += len("<!--")
				continue
			}
		case c == '<' && state == inComment:
			state = m.inComment(name)
			dashes = 0
		case c == '<':
			dashes = 0
		case c == '-':
			dashes++
		case c == '>' && dashes >= 2:
			state, dashes = hidesNothing, 0
		default:
			dashes = 0
		}
		m.at++
		if state == hidesNothing {
			m.toByte('<')
		}
	}
}

// inComment returns the state after a "<" in a comment of a script.
func (m *markup) inComment(name string) hiding {
	next := m.at + 1
	switch {
	case next == len(m.page) || m.page[next] == '/':
		return inComment
	case m.names(next, name):
		return inHidden
	case isLatin(m.page[next]):
		return inComment
	}
	return hidesNothing
}

// toByte moves to the next such byte.
func (m *markup) toByte(c byte) {
	n := bytes.IndexByte(m.page[m.at:], c)
	if n < 0 {
		m.at = len(m.page)
		return
	}
	m.at += n
}
