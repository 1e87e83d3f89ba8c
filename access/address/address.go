// Package address builds and parses the URLs of our servers (all are in
// docs/operations/855_serve.md). There are two hosts: the UI host has our own pages, the replay
// host has archived pages. They must differ, so scripts in captured pages cannot reach our cookies.
//
// An archived URL comes last in our URLs, unchanged, with its query. Read it from the request line
// as the client sent it: http.ServeMux and path.Clean would change http://a.example/.
package address

import (
	"net/url"
	"strings"
	"time"
)

// All is the name of the collection that contains every package.
const All = "all"

// In names the collection or package of an address, and the reader's capability.
type In struct {
	Collection string // "all", or the identifier of a collection or package
	Capability string // token for access beyond the public's (package replay); "" for none
	// Language is the tag (BCP 47) of the language that the reader chose for our own texts; "" means
	// the browser's. The replay host has no cookies, so the choice goes along with the links of a page.
	Language string
}

// Segment returns In as a path segment: COLL, COLL~CAP, COLL~~LANGUAGE or COLL~CAP~LANGUAGE.
func (in In) Segment() string {
	s := escapeSegment(in.Collection)
	if in.Capability != "" || in.Language != "" {
		s += "~" + escapeSegment(in.Capability)
	}
	if in.Language != "" {
		s += "~" + in.Language
	}
	return s
}

// parseIn parses the first segment of a path.
func parseIn(segment string) (in In, ok bool) {
	collection, capability, _ := strings.Cut(segment, "~")
	in.Collection, ok = unescapeSegment(collection)
	if !ok || in.Collection == "" {
		return In{}, false
	}
	capability, in.Language, _ = strings.Cut(capability, "~")
	in.Capability, ok = unescapeSegment(capability)
	return in, ok && isTag(in.Language)
}

// isTag reports whether a string has the letters of a tag of a language, or is empty (RFC 5646, 2.1).
func isTag(s string) bool {
	const longest = 35 // RFC 5646, 4.4.1
	for _, r := range s {
		if r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return len(s) <= longest
}

// escapeSegment escapes a string as one path segment.
func escapeSegment(s string) string {
	if s == "." || s == ".." {
		// some clients drop the segments . and ..; browsers do so even if escaped, but no
		// identifier is . or ..
		return strings.ReplaceAll(s, ".", "%2E")
	}
	return strings.ReplaceAll(url.PathEscape(s), "~", "%7E")
}

func unescapeSegment(s string) (string, bool) {
	s, err := url.PathUnescape(s)
	return s, err == nil && !strings.ContainsFunc(s, control)
}

func control(r rune) bool { return r < ' ' || r == 0x7f }

// Timestamp writes a time as the 14 digits of a capture, in UTC.
func Timestamp(t time.Time) string { return t.UTC().Format("20060102150405") }

// Time parses a timestamp of 4 to 14 digits and returns the earliest moment that it can mean, in
// UTC. If the digits are not a date, as in 20150230, it uses the longest prefix that is one.
func Time(timestamp string) (t time.Time, ok bool) {
	const layout = "20060102150405"
	for n := min(len(timestamp), len(layout)); n >= 4; n-- {
		if n != 4 && n%2 != 0 {
			continue
		}
		if t, err := time.Parse(layout[:n], timestamp[:n]); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
