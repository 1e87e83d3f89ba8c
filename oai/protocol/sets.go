package protocol

import (
	"strconv"
	"strings"
)

// Names of sets. A segment of a setSpec allows few characters. The encoding keeps a name readable
// and is exactly reversible (docs/reference/580_oai.md, "Sets"):
//
//	+                                        becomes ~
//	letters, digits and - _ . * ' ( )        stay unchanged
//	every other byte, including ~ and !      becomes ! and two hexadecimal digits in lower case
//	the empty name                           becomes ! alone
//
// A name has only one form; all other forms are refused.

// The families of sets.
const (
	mimeSets       = "mime"
	hostSets       = "host"
	yearSets       = "year"
	collectionSets = "collection"
)

// MIMESet returns the set of a media type: "image/svg+xml" is in mime:image:svg~xml, therefore also
// in mime:image and in mime. The type is used unchanged: pass it in lower case, without parameters.
// A type without a slash becomes one segment.
func MIMESet(mimeType string) string {
	dst := append(make([]byte, 0, len(mimeSets)+len(mimeType)+8), mimeSets...)
	major, minor, two := strings.Cut(mimeType, "/")
	dst = appendSegment(append(dst, ':'), major)
	if two {
		dst = appendSegment(append(dst, ':'), minor)
	}
	return string(dst)
}

// ParseMIMESet is the inverse of MIMESet: "image" for mime:image. It returns false for a set that
// MIMESet never returns.
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

// HostSet returns the set for all resources of one host, such as host:a.example. The name includes
// the port, if any.
func HostSet(host string) string { return family(hostSets, host) }

// ParseHostSet returns the host of a set of HostSet.
func ParseHostSet(spec string) (host string, ok bool) { return member(hostSets, spec) }

// YearSet returns the set of the captures of a year: year:2015.
func YearSet(year int) string { return family(yearSets, strconv.Itoa(year)) }

// ParseYearSet returns the year of a set of YearSet.
func ParseYearSet(spec string) (year int, ok bool) {
	s, ok := member(yearSets, spec)
	if !ok {
		return 0, false
	}
	year, err := strconv.Atoi(s)
	return year, err == nil && strconv.Itoa(year) == s
}

// CollectionSet returns the set of a collection.
func CollectionSet(name string) string { return family(collectionSets, name) }

// ParseCollectionSet returns the collection of a set of CollectionSet.
func ParseCollectionSet(spec string) (name string, ok bool) { return member(collectionSets, spec) }

// InSet reports whether a record with this setSpec in its header is in the set: the set is the spec
// or a parent of the spec.
func InSet(spec, set string) bool {
	return strings.HasPrefix(spec, set) && (len(spec) == len(set) || spec[len(set)] == ':')
}

// SetAbove returns the direct parent set, or "": the parent of mime:image:png is mime:image.
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

// parseSegment is the inverse of appendSegment.
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
	return string(out), s == string(appendSegment(nil, string(out))) // only one form is valid
}
