package protocol

import (
	"strings"

	"quire/metadata/xmlstream"
)

// unreserved are the characters of setSpecs and metadataPrefixes in the schema OAI-PMH.xsd.
const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()"

// The classes of a byte.
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

// IsPrefix reports whether s is a valid name of a format.
func IsPrefix(s string) bool { return isSegment(s) }

func isSegment(s string) bool {
	for i := range len(s) {
		if classes[s[i]]&inName == 0 {
			return false
		}
	}
	return s != ""
}

// IsSetSpec reports whether s is a valid setSpec: segments separated by colons (clause 2.6). The
// schema does not allow + or %.
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

// IsURI reports whether s is an absolute URI of RFC 3986: a scheme, a colon, and more text, all in
// the characters of URIs.
func IsURI(s string) bool {
	colon := strings.IndexByte(s, ':')
	return colon > 0 && !strings.ContainsAny(s[:colon], "/?#") && IsURIReference(s)
}

// IsURIReference reports whether s is a URI, or a non-empty text that becomes a URI if a scheme is
// put before it. Even the strictest validator accepts such a text as xs:anyURI.
func IsURIReference(s string) bool {
	for i := range len(s) {
		if classes[s[i]]&inURI == 0 {
			return false
		}
	}
	return s != "" && xmlstream.IsURI(s)
}

const lowerHex = "0123456789abcdef"
