package xmlstream

import "strings"

// XML names, restricted to ASCII. The standards that Quire writes use no other names, and a short
// table is easy to verify.
const (
	nameStart = 1 << iota
	namePart
)

var nameBytes = func() (t [256]uint8) {
	for b := range t {
		c := byte(b)
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_':
			t[b] = nameStart | namePart
		case '0' <= c && c <= '9', c == '-', c == '.':
			t[b] = namePart
		}
	}
	return t
}()

// IsNCName reports whether s is a name without colon (Namespaces 1.0, production NCName) in ASCII,
// as xs:ID requires.
func IsNCName(s string) bool {
	if s == "" || nameBytes[s[0]]&nameStart == 0 {
		return false
	}
	for i := 1; i < len(s); i++ {
		if nameBytes[s[i]]&namePart == 0 {
			return false
		}
	}
	return true
}

// splitName cuts a qualified name into prefix and local part; ok is false if it is not one.
func splitName(name string) (prefix, local string, ok bool) {
	colon := strings.IndexByte(name, ':')
	if colon < 0 {
		return "", name, IsNCName(name)
	}
	prefix, local = name[:colon], name[colon+1:]
	return prefix, local, IsNCName(prefix) && IsNCName(local)
}
