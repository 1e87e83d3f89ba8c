package protocol

import (
	"strconv"
	"strings"
)

// Names of sets. A segment of a setSpec may have few characters: a name goes into it so that it can
// be read there, and comes back exactly (docs/reference/580_oai.md, "Sets"):
//
//	+                                        is ~
//	letters, digits and - _ . * ' ( )        stand for themselves
//	every other byte, ~ and ! among them     is ! and two hexadecimal digits in lower case
//	nothing at all                           is ! alone
//
// No name has two forms: what is not written so is refused.

// The families of sets.
const (
	mimeSets       = "mime"
	hostSets       = "host"
	yearSets       = "year"
	collectionSets = "collection"
)

// MIMESet names the set of a media type: "image/svg+xml" is in mime:image:svg~xml, and so in
// mime:image and in mime. The type is taken as it is; write it in lower case, without parameters.
// What has no slash has one segment.
func MIMESet(mimeType string) string {
	dst := append(make([]byte, 0, len(mimeSets)+len(mimeType)+8), mimeSets...)
	major, minor, two := strings.Cut(mimeType, "/")
	dst = appendSegment(append(dst, ':'), major)
	if two {
		dst = appendSegment(append(dst, ':'), minor)
	}
	return string(dst)
}

// ParseMIMESet gives the media type that MIMESet made a set of: "image" of mime:image. It gives
// false for what MIMESet never makes.
func ParseMIMESet(spec string) (mimeType string, ok bool) {
	rest, ok := strings.CutPrefix(spec, mimeSets+":")
	if !ok {
		return "", false
	}
	major, minor, two := strings.Cut(rest, ":")
	mimeType, ok = parseSegment(major)
	if !two || !ok {
		return mimeType, ok && !strings.Contains(mimeType, "/")
	}
	sub, ok := parseSegment(minor)
	return mimeType + "/" + sub, ok && !strings.Contains(mimeType, "/")
}

// HostSet names the set of what one host served: host:a.example. A port belongs to the name, where
// there is one.
func HostSet(host string) string { return family(hostSets, host) }

// ParseHostSet gives the host that HostSet made a set of.
func ParseHostSet(spec string) (host string, ok bool) { return member(hostSets, spec) }

// YearSet names the set of what was captured in a year: year:2015.
func YearSet(year int) string { return family(yearSets, strconv.Itoa(year)) }

// ParseYearSet gives the year that YearSet made a set of.
func ParseYearSet(spec string) (year int, ok bool) {
	s, ok := member(yearSets, spec)
	if !ok {
		return 0, false
	}
	year, err := strconv.Atoi(s)
	return year, err == nil && strconv.Itoa(year) == s
}

// CollectionSet names the set of a collection.
func CollectionSet(name string) string { return family(collectionSets, name) }

// ParseCollectionSet gives the collection that CollectionSet made a set of.
func ParseCollectionSet(spec string) (name string, ok bool) { return member(collectionSets, spec) }

// InSet says whether a record whose header has this spec is in the set, which is that spec or above
// it.
func InSet(spec, set string) bool {
	return strings.HasPrefix(spec, set) && (len(spec) == len(set) || spec[len(set)] == ':')
}

// SetAbove gives the set directly above, or "" when there is none: mime:image is above
// mime:image:png.
func SetAbove(spec string) string {
	i := strings.LastIndexByte(spec, ':')
	if i < 0 {
		return ""
	}
	return spec[:i]
}

func family(name, value string) string {
	return string(appendSegment(append(append(make([]byte, 0, len(name)+len(value)+8), name...), ':'), value))
}

func member(name, spec string) (string, bool) {
	rest, ok := strings.CutPrefix(spec, name+":")
	if !ok {
		return "", false
	}
	return parseSegment(rest)
}

func appendSegment(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, '!')
	}
	for i := range len(s) {
		switch b := s[i]; {
		case b == '+':
			dst = append(dst, '~')
		case standsForItself(b):
			dst = append(dst, b)
		default:
			dst = append(dst, '!', lowerHex[b>>4], lowerHex[b&15])
		}
	}
	return dst
}

func standsForItself(b byte) bool { return classes[b]&inName != 0 && b != '~' && b != '!' }

// parseSegment undoes appendSegment.
func parseSegment(s string) (string, bool) {
	if s == "!" {
		return "", true
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '~':
			out = append(out, '+')
		case b == '!':
			if i+2 >= len(s) {
				return "", false
			}
			v, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
			if err != nil {
				return "", false
			}
			out = append(out, byte(v))
			i += 2
		case standsForItself(b):
			out = append(out, b)
		default:
			return "", false
		}
	}
	return string(out), s == string(appendSegment(nil, string(out))) // one form only
}
