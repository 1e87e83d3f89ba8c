// Package address makes and reads the URLs at which readers meet us (docs/operations/855_serve.md
// has them all). There are two hosts: that of our own pages, the UI, and that of archived pages,
// which must be another one, so that what a crawler brought home never runs beside our cookies.
//
// An archived URL stands in ours as it is, query and all, at the very end. So it has to be read
// from the request line as the client sent it: http.ServeMux and path.Clean make of
// http://a.example/ something else.
package address

import (
	"net/url"
	"strings"
	"time"
)

// All is the name of the collection that has every package.
const All = "all"

// In is what an address is about: a collection, or one package, and what the reader may have of it.
type In struct {
	Collection string // "all", the identifier of a collection, or that of a package
	Capability string // what allows the reader more than the public may have (package replay); "" when nothing does
}

// Segment is In as it stands in a path: COLL or COLL~CAP.
func (in In) Segment() string {
	s := escapeSegment(in.Collection)
	if in.Capability != "" {
		s += "~" + escapeSegment(in.Capability)
	}
	return s
}

// parseIn reads the first segment of a path.
func parseIn(segment string) (in In, ok bool) {
	collection, capability, _ := strings.Cut(segment, "~")
	in.Collection, ok = unescapeSegment(collection)
	if !ok || in.Collection == "" {
		return In{}, false
	}
	in.Capability, ok = unescapeSegment(capability)
	return in, ok
}

// escapeSegment writes a text as one segment of a path.
func escapeSegment(s string) string {
	if s == "." || s == ".." {
		// for clients that would leave them out; browsers do even so, and no identifier is one
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

// Time reads a timestamp of 4 to 14 digits: the first moment that it can mean, in UTC. One that is
// no date, as 20150230, is read by as many of its digits as are one.
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
