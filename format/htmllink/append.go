package htmllink

import "bytes"

// Append appends a URL in the form that the link's place requires, so that an HTML parser reads it
// unchanged. An ampersand becomes a reference, unless the old text had a bare one and a bare
// ampersand keeps its meaning.
//
// If white space or commas would end the URL, Append percent-encodes them. It omits line ends,
// which parsers ignore.
//
// The result has no < and no >, which are references. Otherwise it could end a noscript or a comment around the
// tag, and its text would become markup.
func (l *Link) Append(dst []byte, url string) []byte {
	b := make([]byte, 0, len(url)+16)
	for i := range len(url) {
		if c := url[i]; c != '\n' && c != '\r' && c != '\t' {
			b = append(b, c)
		}
	}
	b = l.within(b)
	if l.Attribute == "" {
		return append(dst, b...)
	}
	// without quotes, the equals sign that would keep it bare is itself a reference
	bare := l.Quote != 0 && hasBareAmpersand(l.Raw)
	if l.Flags&Srcdoc == 0 {
		return l.notClosing(appendEscaped(dst, b, l.Quote, bare))
	}
	return appendEscaped(dst, l.notClosing(appendEscaped(nil, b, l.Quote, false)), l.outer, false)
}

// notClosing changes the end of a value without quotes: with the > of the tag, two hyphens end a comment.
func (l *Link) notClosing(value []byte) []byte {
	last := len(value) - 1
	if l.Quote == 0 && (bytes.HasSuffix(value, []byte("--")) || bytes.HasSuffix(value, []byte("--!"))) {
		return append(value[:last], '&', '#', '0'+value[last]/10, '0'+value[last]%10, ';')
	}
	return value
}

// AppendText appends a text in the form that the value of the link's attribute requires. Unlike
// Append it keeps line ends.
func (l *Link) AppendText(dst, text []byte) []byte {
	return l.notClosing(appendEscaped(dst, text, l.Quote, false))
}

// within encodes a URL for the syntax of its attribute.
func (l *Link) within(b []byte) []byte {
	switch l.syntax {
	case inCSS:
		return l.css.Append(nil, string(b))
	case inSet:
		b = bytes.ReplaceAll(b, []byte(" "), []byte("%20"))
		b = bytes.ReplaceAll(b, []byte("\f"), []byte("%0C"))
		for i := 0; i < len(b) && b[i] == ','; i += 3 {
			b = append(append(bytes.Clone(b[:i]), "%2C"...), b[i+1:]...)
		}
		for i := len(b) - 1; i >= 0 && b[i] == ','; i-- {
			b = append(append(bytes.Clone(b[:i]), "%2C"...), b[i+1:]...)
		}
	case inPlus:
		b = bytes.ReplaceAll(b, []byte(","), []byte("%2C"))
		fallthrough
	case inList:
		b = bytes.ReplaceAll(b, []byte(" "), []byte("%20"))
		b = bytes.ReplaceAll(b, []byte("\f"), []byte("%0C"))
	case inTimer:
		b = bytes.ReplaceAll(b, []byte("'"), []byte("%27"))
		b = bytes.ReplaceAll(b, []byte(`"`), []byte("%22"))
	case alone:
	}
	return b
}

// appendEscaped appends the value of an attribute (HTML, 13.1.2.3).
func appendEscaped(dst, value []byte, quote byte, bare bool) []byte {
	for i, c := range value {
		switch {
		case c == '&' && bare && !startsReference(value[i:]):
			dst = append(dst, c)
		case c == '&':
			dst = append(dst, "&amp;"...)
		case c == '"' && quote != '\'':
			dst = append(dst, "&quot;"...)
		case c == '\'' && quote != '"':
			dst = append(dst, "&#39;"...)
		case c == '<':
			dst = append(dst, "&lt;"...)
		case c == '>':
			dst = append(dst, "&gt;"...)
		case quote == 0 && (c == ' ' || c == '\f' || c == '=' || c == '`'):
			dst = append(dst, '&', '#', '0'+c/10, '0'+c%10, ';')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// startsReference reports whether the ampersand at the beginning of b could start a reference,
// whatever follows b.
func startsReference(b []byte) bool {
	if len(b) == 1 {
		return true // the next byte is not part of the URL
	}
	_, n := reference(b)
	return n > 0 || allLetters(b[1:])
}

func allLetters(b []byte) bool {
	for _, c := range b {
		if !alphanumeric(c) && c != '#' {
			return false
		}
	}
	return true
}

// hasBareAmpersand reports whether the text has an ampersand that is not a reference, and none that
// is.
func hasBareAmpersand(raw []byte) bool {
	found := false
	for {
		i := bytes.IndexByte(raw, '&')
		if i < 0 {
			return found
		}
		if _, n := reference(raw[i:]); n > 0 {
			return false
		}
		found, raw = true, raw[i+1:]
	}
}
