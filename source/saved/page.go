package saved

import (
	"bytes"
	"regexp"
	"strings"
	"time"
)

// page is a saved page of one file, as its comment describes it.
type page struct {
	tool string // "SingleFile", "monolith"
	url  string // as stated
	time time.Time
}

var (
	// SingleFile begins a page with a comment of several lines.
	singleFile = regexp.MustCompile(`(?s)<!--\s*Page saved with SingleFile\s*\n\s*url:\s*(\S+)\s*\n(.*?)-->`)
	savedDate  = regexp.MustCompile(`(?m)^\s*saved date:\s*(.*?)\s*$`)
	// monolith begins it with one line: <!-- Saved from URL at TIME using monolith vVERSION -->
	monolith = regexp.MustCompile(`<!--\s*Saved from (\S+) at (\S+) using monolith v\S*\s*-->`)
)

// readPage reads the comment at the beginning of a page. ok is false for a page without one.
func readPage(head []byte) (p page, ok bool) {
	if m := singleFile.FindSubmatch(head); m != nil && isHTML(head, m[0]) {
		p = page{tool: "SingleFile", url: string(m[1])}
		if d := savedDate.FindSubmatch(m[2]); d != nil {
			p.time = scriptTime(string(d[1]))
		}
		return p, true
	}
	if m := monolith.FindSubmatch(head); m != nil && isHTML(head, m[0]) {
		p = page{tool: "monolith", url: string(m[1])}
		p.time, _ = time.Parse(time.RFC3339, string(m[2])) // zero if it is none
		return p, true
	}
	return page{}, false
}

// isHTML reports whether the comment is at the beginning of a page: only the document type and the
// html element come before it. A page about SingleFile may show such a comment further below.
func isHTML(head, comment []byte) bool {
	before := bytes.TrimPrefix(head[:bytes.Index(head, comment)], []byte("\xef\xbb\xbf"))
	before = bytes.ToLower(bytes.TrimSpace(before))
	if bytes.HasPrefix(before, []byte("<!doctype")) {
		_, after, _ := bytes.Cut(before, []byte(">"))
		before = bytes.TrimSpace(after)
	}
	return len(before) == 0 || bytes.HasPrefix(before, []byte("<html")) && bytes.Count(before, []byte("<")) == 1
}

// scriptTime reads a date as Date.toString of JavaScript writes it: "Wed Jan 10 2024 14:45:12
// GMT+0100 (Central European Standard Time)". It is zero for anything else.
func scriptTime(s string) time.Time {
	s, _, _ = strings.Cut(s, " (")
	t, err := time.Parse("Mon Jan 02 2006 15:04:05 GMT-0700", s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
