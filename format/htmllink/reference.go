package htmllink

import (
	"bytes"
	"html"
	"unicode/utf8"
)

// text is the value of an attribute with its character references decoded, and the source position
// of each byte.
type text struct {
	b  []byte
	at []int32 // of each byte of b, and its end, in the raw value; nil if identical
}

// raw converts a position in the text to one in the raw value.
func (t text) raw(i int) int {
	if t.at == nil {
		return i
	}
	return int(t.at[i])
}

// decode decodes the references of a raw value. The text is valid until the next call.
func (s *Scanner) decode(raw []byte) text {
	if bytes.IndexByte(raw, '&') < 0 && bytes.IndexByte(raw, 0) < 0 {
		return text{b: raw}
	}
	s.decoded, s.places = s.decoded[:0], s.places[:0]
	for i := 0; i < len(raw); {
		from, n, one := i, 1, ""
		switch raw[i] {
		case '&':
			if one, n = reference(raw[i:]); n == 0 {
				one, n = "&", 1
			}
		case 0:
			one = "\uFFFD"
		default:
			s.decoded = append(s.decoded, raw[i])
			s.places = append(s.places, int32(i))
		}
		for k := range len(one) {
			s.decoded = append(s.decoded, one[k])
			s.places = append(s.places, int32(from))
		}
		i += n
	}
	s.places = append(s.places, int32(len(raw)))
	return text{s.decoded, s.places}
}

// maxReference is longer than the longest name of a character.
const maxReference = 40

// reference returns the meaning and length of the character reference at the beginning of b, a part
// of an attribute's value. The length is 0 if the ampersand is only itself (HTML, 13.2.5.72 to 80).
// That is so for a name without a semicolon before an equals sign or another letter: "?a=1&copy=2"
// has no copyright sign.
func reference(b []byte) (means string, n int) {
	n = 1
	for n < len(b) && n < maxReference && (alphanumeric(b[n]) || n == 1 && b[n] == '#') {
		n++
	}
	if n == 1 {
		return "", 0
	}
	if b[1] == '#' {
		return numeric(b)
	}
	closed := n < len(b) && b[n] == ';'
	if closed {
		n++
	} else if n < len(b) && b[n] == '=' {
		return "", 0
	}
	switch name := string(b[1:n]); name {
	case "amp;", "amp", "AMP", "AMP;":
		return "&", n
	case "lt;", "lt":
		return "<", n
	case "quot;", "quot":
		return `"`, n
	}
	return named(string(b[:n]), n, closed)
}

// named looks a name up in the table of Go's package html. That package accepts the beginning of a
// name as the whole, which yields more than the one or two code points of a reference.
func named(whole string, n int, closed bool) (string, int) {
	means := html.UnescapeString(whole)
	points := utf8.RuneCountInString(means)
	if means == whole || points > 2 || points == 2 && !closed { // names without a semicolon mean one code point
		return "", 0
	}
	return means, n
}

// numeric parses &#...; and &#x...;, with or without the semicolon.
func numeric(b []byte) (string, int) {
	n := 2
	hex := n < len(b) && (b[n] == 'x' || b[n] == 'X')
	if hex {
		n++
	}
	digits, r := n, rune(0)
	for n < len(b) && isDigit(b[n], hex) {
		if r < 0x110000 {
			r = r*base(hex) + digitValue(b[n])
		}
		n++
	}
	if n == digits {
		return "", 0
	}
	if n < len(b) && b[n] == ';' {
		n++
	}
	switch {
	case r >= 0x80 && r < 0xa0:
		// as Windows-1252
		return html.UnescapeString("&#" + string('0'+r/100) + string('0'+r/10%10) + string('0'+r%10) + ";"), n
	case r == 0 || r > utf8.MaxRune || r >= 0xd800 && r < 0xe000:
		return "\uFFFD", n
	}
	return string(r), n
}

func base(hex bool) rune {
	if hex {
		return 16
	}
	return 10
}

func isDigit(c byte, hex bool) bool {
	return c >= '0' && c <= '9' || hex && (c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F')
}

func digitValue(c byte) rune {
	switch {
	case c >= 'a':
		return rune(c-'a') + 10
	case c >= 'A':
		return rune(c-'A') + 10
	}
	return rune(c - '0')
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || letter(int(c))
}

func letter(c int) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
