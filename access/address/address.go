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
}

// Segment returns In as a path segment: COLL or COLL~CAP.
func (in In) Segment() string {
	s := escapeSegment(in.Collection)
	if in.Capability != "" {
		s += "~" + escapeSegment(in.Capability)
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
	in.Capability, ok = unescapeSegment(capability)
	return in, ok
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
