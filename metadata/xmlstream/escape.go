package xmlstream

import "unicode/utf8"

// replacement replaces a byte or character that XML 1.0 clause 2.2 (production Char) forbids.
const replacement = "\uFFFD"

// The treatment of an ASCII byte in XML.
const (
	plain     = iota // copied unchanged
	escaped          // always a reference
	inAttr           // a reference in attribute values, copied in text
	forbidden        // no reference can express it: clause 4.1, "Legal Character"
	wide             // first byte of a longer character, or broken UTF-8
)

// classes is the treatment of every byte. Tab and line feed are safe in text. In attribute values a
// parser would turn them into spaces (clause 3.3.3), and it would drop carriage returns everywhere
// (clause 2.11), so these are written as references.
var classes = func() (c [256]uint8) {
	for b := range c {
		switch {
		case b >= utf8.RuneSelf:
			c[b] = wide
		case b < ' ':
			c[b] = forbidden
		}
	}
	c['&'], c['<'], c['>'], c['\r'] = escaped, escaped, escaped, escaped
	c['"'], c['\t'], c['\n'] = inAttr, inAttr, inAttr
	return c
}()

// AppendText appends s to dst as XML character data. It reports whether s is carried intact. If
// not, every byte or character that XML forbids became U+FFFD, and the caller must keep the
// original separately, as [Writer] does.
func AppendText(dst []byte, s string) (out []byte, intact bool) {
	return appendEscaped(dst, s, false)
}

// AppendAttr is AppendText for an attribute value in double quotes.
func AppendAttr(dst []byte, s string) (out []byte, intact bool) {
	return appendEscaped(dst, s, true)
}

// appendEscaped is the only function that converts a string to XML.
func appendEscaped[T string | []byte](dst []byte, s T, attr bool) (out []byte, intact bool) {
	copied := &copiedInText
	if attr {
		copied = &copiedInAttr
	}
	intact = true
	start := 0 // s[start:i] is still to be copied
	for i := 0; i < len(s); {
		if copied[s[i]] {
			i++
			continue
		}
		size, with := 1, replacement
		switch classes[s[i]] {
		case wide:
			var legal bool
			if size, legal = wideChar(string(s[i:min(i+utf8.UTFMax, len(s))])); legal {
				i += size
				continue
			}
			intact = false
		case forbidden:
			intact = false
		default:
			with = reference(s[i])
		}
		dst = append(append(dst, s[start:i]...), with...)
		i += size
		start = i
	}
	return append(dst, s[start:]...), intact
}

// copiedInText and copiedInAttr are the bytes that are copied unchanged.
var copiedInText, copiedInAttr = func() (text, attr [256]bool) {
	for b, class := range classes {
		text[b], attr[b] = class == plain || class == inAttr, class == plain
	}
	return text, attr
}()

// reference returns the reference for a byte that cannot be written directly.
func reference(b byte) string {
	switch b {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>': // "]]>" is not allowed in text (clause 2.4); always escaping > is simplest
		return "&gt;"
	case '"':
		return "&quot;"
	case '\t':
		return "&#9;"
	case '\n':
		return "&#10;"
	}
	return "&#13;"
}

// wideChar returns the length of the character at the start of s, and whether XML allows the
// character. A byte that is not part of valid UTF-8 is treated as one illegal character. The same
// applies to each byte of an encoded surrogate.
func wideChar(s string) (size int, legal bool) {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		return 1, false
	}
	return size, r != 0xFFFE && r != 0xFFFF
}

// Sanitize returns s as an XML parser returns it after [AppendText] or [AppendAttr] wrote it: each
// forbidden byte or character is U+FFFD. The result equals s if and only if s is carried intact.
func Sanitize(s string) string {
	start := 0
	var out []byte
	for i := 0; i < len(s); {
		size, legal := 1, true
		switch classes[s[i]] {
		case forbidden:
			legal = false
		case wide:
			size, legal = wideChar(s[i:])
		}
		if !legal {
			out = append(out, s[start:i]...)
			out = append(out, replacement...)
			start = i + size
		}
		i += size
	}
	if start == 0 {
		return s
	}
	return string(append(out, s[start:]...))
}
