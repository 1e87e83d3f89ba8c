package charset

import "bytes"

// This file implements "prescan a byte stream to determine its encoding" (HTML Standard, 13.2.3.2),
// and also returns the places of its findings.

// prescanned is how many bytes of a document are searched for a declaration.
const prescanned = 1024

// prescan returns the encoding that the beginning of a document declares.
func prescan(b []byte) (Found, bool) {
	if bytes.HasPrefix(b, []byte("<\x00?\x00x\x00")) {
		return Found{"utf-16le", "", byXML}, true
	}
	if bytes.HasPrefix(b, []byte("\x00<\x00?\x00x")) {
		return Found{"utf-16be", "", byXML}, true
	}
	for at := 0; at < len(b); {
		rest := b[at:]
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			end := bytes.Index(rest[2:], []byte("-->")) // the dashes may be the same
			if end < 0 {
				at = len(b)
				continue
			}
			at += 2 + end + 3
		case isMeta(rest):
			m := readMeta(b, at+len("<meta"))
			if found, ok := m.declares(b); ok {
				return found, true
			}
			at = m.end
		case len(rest) > 1 && rest[0] == '<' && (letter(rest[1]) || rest[1] == '/' && len(rest) > 2 && letter(rest[2])):
			for at < len(b) && !space(b[at]) && b[at] != '>' {
				at++
			}
			for a := (attribute{end: at}); !a.none(); {
				a = nextAttribute(b, a.end)
				at = a.end
			}
		case len(rest) > 1 && rest[0] == '<' && (rest[1] == '!' || rest[1] == '/' || rest[1] == '?'):
			end := bytes.IndexByte(rest, '>')
			if end < 0 {
				at = len(b)
				continue
			}
			at += end
		default:
			at++
		}
	}
	if start, end, ok := XMLDeclaration(b); ok {
		if name := effective(Resolve(string(b[start:end]))); name != "" {
			return Found{name, string(b[start:end]), byXML}, true
		}
	}
	return Found{}, false
}

// effective returns the encoding that a declaration in the document means. It cannot be UTF-16,
// because the document was read as ASCII up to there.
func effective(name string) string {
	switch name {
	case "utf-16be", "utf-16le":
		return "utf-8"
	case "x-user-defined":
		return "windows-1252"
	}
	return name
}

// span is a part of the bytes.
type span struct{ start, end int }

// MetaCharsets returns the places (begin and end) in a start tag where a meta element declares a
// known encoding, in order.
func MetaCharsets(tag []byte) (places [][2]int) {
	if !isMeta(tag) {
		return nil
	}
	m := readMeta(tag, len("<meta"))
	for _, p := range []span{m.charset, m.content} {
		if p.end > p.start && (p != m.content || m.pragma) && Resolve(string(tag[p.start:p.end])) != "" {
			places = append(places, [2]int{p.start, p.end})
		}
	}
	if len(places) == 2 && places[0][0] > places[1][0] {
		places[0], places[1] = places[1], places[0]
	}
	return places
}

// isMeta reports whether a meta element begins here.
func isMeta(b []byte) bool {
	const meta = "<meta"
	return len(b) > len(meta) && bytes.EqualFold(b[:len(meta)], []byte(meta)) &&
		(space(b[len(meta)]) || b[len(meta)] == '/')
}

// meta is the declaration of an encoding in a meta element.
type meta struct {
	charset span // value of the attribute charset
	stated  bool // the attribute charset is present
	content span // charset in the attribute content
	pragma  bool // http-equiv is content-type
	end     int
}

// readMeta reads the attributes of a meta element. If a name is repeated, the first attribute
// applies.
func readMeta(b []byte, at int) (m meta) {
	seen := map[string]bool{}
	for m.end = at; ; {
		a := nextAttribute(b, m.end)
		m.end = a.end
		if a.none() {
			return m
		}
		name := string(bytes.ToLower(b[a.name.start:a.name.end]))
		if seen[name] {
			continue
		}
		seen[name] = true
		value := b[a.value.start:a.value.end]
		switch name {
		case "http-equiv":
			m.pragma = bytes.EqualFold(value, []byte("content-type"))
		case "charset":
			m.charset, m.stated = a.value, true
		case "content":
			s := charsetIn(value)
			m.content = span{a.value.start + s.start, a.value.start + s.end}
		}
	}
}

// declares returns the encoding that the element declares.
func (m *meta) declares(b []byte) (Found, bool) {
	at := m.charset
	if !m.stated {
		if at = m.content; !m.pragma {
			return Found{}, false
		}
	}
	label := string(b[at.start:at.end])
	name := effective(Resolve(label))
	return Found{name, label, byMeta}, name != ""
}

// attribute is the place of an attribute in a tag.
type attribute struct {
	name, value span
	end         int // the byte after it
}

// none reports that the tag has no more attributes.
func (a *attribute) none() bool { return a.name.end == a.name.start && a.name.end > 0 }

// nextAttribute implements "get an attribute".
func nextAttribute(b []byte, at int) attribute {
	for at < len(b) && (space(b[at]) || b[at] == '/') {
		at++
	}
	if at >= len(b) || b[at] == '>' {
		at = min(at, len(b))
		return attribute{name: span{at, at}, end: at}
	}
	a := attribute{name: span{at, at}}
	for at < len(b) && !(b[at] == '=' && at > a.name.start) && !space(b[at]) && b[at] != '/' && b[at] != '>' {
		at++
	}
	a.name.end = at
	a.value, a.end = span{at, at}, at
	for at < len(b) && space(b[at]) {
		at++
	}
	if at >= len(b) || b[at] != '=' {
		return a
	}
	for at++; at < len(b) && space(b[at]); {
		at++
	}
	a.value, a.end = quoted(b, at)
	return a
}

// quoted returns the place of a value and the position after it.
func quoted(b []byte, at int) (value span, end int) {
	if at < len(b) && (b[at] == '"' || b[at] == '\'') {
		n := bytes.IndexByte(b[at+1:], b[at])
		if n < 0 {
			return span{len(b), len(b)}, len(b)
		}
		return span{at + 1, at + 1 + n}, at + n + 2
	}
	end = at
	for end < len(b) && !space(b[end]) && b[end] != '>' {
		end++
	}
	return span{at, end}, end
}

// charsetIn implements "extracting a character encoding from a meta element": it returns the place
// of the label in the value of content.
func charsetIn(b []byte) span {
	for at := 0; ; {
		i := indexFold(b[at:], "charset")
		if i < 0 {
			return span{}
		}
		at += i + len("charset")
		for at < len(b) && space(b[at]) {
			at++
		}
		if at >= len(b) || b[at] != '=' {
			continue
		}
		for at++; at < len(b) && space(b[at]); {
			at++
		}
		if at < len(b) && (b[at] == '"' || b[at] == '\'') {
			s, end := quoted(b, at)
			if end == len(b) && s.start == len(b) {
				return span{}
			}
			return s
		}
		end := at
		for end < len(b) && !space(b[end]) && b[end] != ';' {
			end++
		}
		return span{at, end}
	}
}

// indexFold returns the position of word, which is lower case, in b of any case.
func indexFold(b []byte, word string) int {
	for i := 0; i+len(word) <= len(b); i++ {
		if b[i]|0x20 == word[0] && bytes.EqualFold(b[i:i+len(word)], []byte(word)) {
			return i
		}
	}
	return -1
}

// XMLDeclaration returns the place of the encoding's name in an XML declaration at the beginning of
// b ("get an XML encoding").
func XMLDeclaration(b []byte) (start, end int, ok bool) {
	if !bytes.HasPrefix(b, []byte("<?xml")) {
		return 0, 0, false
	}
	stop := bytes.IndexByte(b, '>')
	at := bytes.Index(b, []byte("encoding"))
	if stop < 0 || at < 0 || at > stop {
		return 0, 0, false
	}
	for at += len("encoding"); at < stop && b[at] <= ' '; {
		at++
	}
	if b[at] != '=' {
		return 0, 0, false
	}
	for at++; at < stop && b[at] <= ' '; {
		at++
	}
	if b[at] != '"' && b[at] != '\'' {
		return 0, 0, false
	}
	n := bytes.IndexByte(b[at+1:stop], b[at])
	if n <= 0 {
		return 0, 0, false
	}
	return at + 1, at + 1 + n, true
}

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
