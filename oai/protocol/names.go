package protocol

import (
	"strings"
	"unicode/utf8"
)

// unreserved are the characters of setSpecs and metadataPrefixes, as the schema OAI-PMH.xsd has them.
const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()"

// What a byte may stand in.
const (
	inName = 1 << iota // names of sets and formats
	inURI              // RFC 3986: unreserved, reserved, and %
)

var classes = func() (c [256]uint8) {
	for _, b := range []byte(unreserved) {
		c[b] = inName | inURI
	}
	for _, b := range []byte(":/?#[]@$&+,;=%") {
		c[b] |= inURI
	}
	return c
}()

// IsPrefix says whether s can be the name of a format.
func IsPrefix(s string) bool { return isSegment(s) }

func isSegment(s string) bool {
	for i := range len(s) {
		if classes[s[i]]&inName == 0 {
			return false
		}
	}
	return s != ""
}

// IsSetSpec says whether s can be the spec of a set: segments with colons between (clause 2.6). The schema allows no + and no %.
func IsSetSpec(s string) bool {
	segment := 0
	for i := range len(s) {
		switch {
		case s[i] == ':' && segment > 0:
			segment = 0
		case classes[s[i]]&inName != 0:
			segment++
		default:
			return false
		}
	}
	return segment > 0
}

// IsURI says whether s is an absolute URI of RFC 3986 in form: a scheme, a colon, and something behind it of the characters that a URI
// may have, each % with two digits, and an authority, where there is one, of user, host and port. It asks for no more: what the parts
// mean is for schemes.
func IsURI(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	return ok && rest != "" && isScheme(scheme) && isReference(rest)
}

// IsURIReference says whether s is a URI, or could stand in one behind its scheme, and is not empty: what xs:anyURI allows, as strict validators read it.
func IsURIReference(s string) bool {
	if IsURI(s) {
		return true
	}
	first := s
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		first = s[:i]
	}
	return s != "" && !strings.Contains(first, ":") && isReference(s)
}

// isReference looks at what stands behind the scheme.
func isReference(rest string) bool {
	end := authorityEnd(rest)
	fragment := false
	for i := 0; i < len(rest); i++ {
		switch b := rest[i]; {
		case classes[b]&inURI == 0:
			return false
		case b == '%':
			if i+2 >= len(rest) || !isHex(rest[i+1]) || !isHex(rest[i+2]) {
				return false
			}
		case b == '#':
			if fragment {
				return false
			}
			fragment = true
		case b == '[' || b == ']':
			if i >= end {
				return false
			}
		}
	}
	return end == 0 || isAuthority(rest[2:end])
}

// isAuthority looks at user, host and port (RFC 3986, clause 3.2), whose characters are known to be those of a URI.
func isAuthority(s string) bool {
	if user, host, ok := strings.Cut(s, "@"); ok {
		if strings.ContainsAny(user, "[]") {
			return false
		}
		s = host
	}
	if address, ok := strings.CutPrefix(s, "["); ok {
		if address, s, ok = strings.Cut(address, "]"); !ok || address == "" || strings.Trim(address, "0123456789abcdefABCDEF:.") != "" {
			return false
		}
	} else if i := strings.IndexByte(s, ':'); i >= 0 {
		s = s[i:]
	} else {
		return !strings.ContainsAny(s, "@[]")
	}
	port, ok := strings.CutPrefix(s, ":")
	return s == "" || ok && len(port) < 9 && strings.Trim(port, "0123456789") == ""
}

// authorityEnd is where the authority of a hierarchical part ends; 0 when it has none.
func authorityEnd(rest string) int {
	if !strings.HasPrefix(rest, "//") {
		return 0
	}
	if i := strings.IndexAny(rest[2:], "/?#"); i >= 0 {
		return i + 2
	}
	return len(rest)
}

func isScheme(s string) bool {
	for i := range len(s) {
		b := s[i] | 0x20
		letter := 'a' <= b && b <= 'z'
		if !letter && (i == 0 || !('0' <= s[i] && s[i] <= '9' || s[i] == '+' || s[i] == '-' || s[i] == '.')) {
			return false
		}
	}
	return s != ""
}

// EscapeURI makes a URI of a URL as the web has it: every byte that must not stand where it stands becomes %XX. What is a URI already
// stays as it is, so URLs that differ stay different but for those that differ in the escape alone. IsURI holds of the result whenever s
// begins with a scheme and has something behind it.
func EscapeURI(s string) string {
	if IsURI(s) {
		return s
	}
	if out := escapeURI(s, "", "[]"); IsURI(out) {
		return out
	}
	return escapeURI(s, ":@[]", "[]") // the authority is no host and port, whatever it is
}

// escapeURI escapes what no URI has, and the characters that must not stand in its authority, or behind that.
func escapeURI(s, notWithin, notBehind string) string {
	scheme, rest, _ := strings.Cut(s, ":")
	end := len(s) - len(rest) + authorityEnd(rest)
	fragment := false
	out := make([]byte, 0, len(s)+16)
	for i := range len(s) {
		b := s[i]
		legal := classes[b]&inURI != 0
		switch {
		case b == '%':
			legal = i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])
		case b == '#':
			legal = !fragment
			fragment = true
		case i >= end:
			legal = legal && strings.IndexByte(notBehind, b) < 0
		case i > len(scheme):
			legal = legal && strings.IndexByte(notWithin, b) < 0
		}
		if legal {
			out = append(out, b)
		} else {
			out = append(out, '%', upperHex[b>>4], upperHex[b&15])
		}
	}
	return string(out)
}

const (
	upperHex = "0123456789ABCDEF"
	lowerHex = "0123456789abcdef"
)

func isHex(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'f'
}

// IsText says whether XML 1.0 can carry s as it is: valid UTF-8 without control characters but tab and line ends, and neither U+FFFE nor
// U+FFFF.
func IsText(s string) bool {
	for i := 0; i < len(s); {
		if b := s[i]; b < utf8.RuneSelf {
			if b < ' ' && b != '\t' && b != '\n' && b != '\r' {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || r == 0xFFFE || r == 0xFFFF {
			return false
		}
		i += size
	}
	return true
}
