package mets

import (
	"fmt"
	"strings"
)

const hexDigits = "0123456789ABCDEF"

// Href converts the path of a file in the package, slash-separated and relative to the METS, to the
// relative reference that xlink:href requires (RFC 3986, clause 4.2). [Path] restores every
// possible byte of a file name. Href percent-encodes all characters except unreserved ones and
// slashes. It also encodes a leading slash, which would leave the package.
func Href(path string) string {
	var b strings.Builder
	b.Grow(len(path) + 16)
	for i := 0; i < len(path); i++ {
		c := path[i]
		if unreserved(c) || c == '/' && i > 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hexDigits[c>>4])
		b.WriteByte(hexDigits[c&15])
	}
	return b.String()
}

// Path is the inverse of [Href]. It accepts any relative reference, also with characters that Href
// would have encoded. It refuses anything that is not a path in the package: a scheme, an absolute
// path, a query, a fragment, a broken escape. The caller must check that the path stays inside the
// package (dot segments).
func Path(href string) (string, error) {
	switch {
	case strings.HasPrefix(href, "/"):
		return "", fmt.Errorf("href %q is absolute: want a path relative to the METS", href)
	case strings.ContainsAny(href, "?#"):
		return "", fmt.Errorf("href %q has a query or fragment: want a path relative to the METS", href)
	case strings.Contains(strings.SplitN(href, "/", 2)[0], ":"):
		return "", fmt.Errorf("href %q has a scheme: want a path relative to the METS", href)
	}
	out := make([]byte, 0, len(href))
	for i := 0; i < len(href); i++ {
		if href[i] != '%' {
			out = append(out, href[i])
			continue
		}
		if i+2 >= len(href) || unhex(href[i+1]) < 0 || unhex(href[i+2]) < 0 {
			return "", fmt.Errorf("href %q: %% at byte %d is not followed by two hexadecimal digits", href, i)
		}
		out = append(out, byte(unhex(href[i+1])<<4|unhex(href[i+2])))
		i += 2
	}
	return string(out), nil
}

// unreserved reports whether c is an unreserved character of RFC 3986, clause 2.3, which never
// needs encoding.
func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
