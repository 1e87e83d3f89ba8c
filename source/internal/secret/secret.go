// Package secret finds passwords and sessions in what crawlers leave. What is found is told by its
// place; what it is, is not repeated.
package secret

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"quire/internal/lines"
)

// inURL finds a name and a password: in a URL, or behind -P, HTTrack's option for a proxy.
var inURL = regexp.MustCompile(`((?:://|(?:^|[\s(])-P\s*)[^\s/@":?#]+):[^\s/@"?#]+@`)

// InURL says whether a text has a password in a URL.
func InURL(text []byte) bool { return bytes.IndexByte(text, '@') >= 0 && inURL.Match(text) }

// Conceal puts a mark in the place of passwords in URLs, for what is told outside the restricted
// file.
func Conceal(s string) string {
	if !strings.ContainsRune(s, '@') {
		return s
	}
	return inURL.ReplaceAllString(s, "${1}:…@")
}

// Text finds the first line with a password in a URL, and gives its offset.
func Text(in io.Reader) (at int64, found bool, err error) {
	return first(in, func(line []byte) bool { return InURL(line) })
}

// Cookies finds the first cookie of a cookie file (Netscape's format: seven columns), and gives the
// offset of its line. Behind "#HttpOnly_" stands a cookie that scripts may not see.
func Cookies(in io.Reader) (at int64, found bool, err error) {
	return first(in, func(line []byte) bool {
		return !bytes.HasPrefix(line, []byte("# ")) && bytes.Count(line, []byte("\t")) >= 6
	})
}

func first(in io.Reader, is func(line []byte) bool) (int64, bool, error) {
	l := lines.NewReader(in)
	for l.Scan() {
		if is(l.Text) {
			return l.Offset, true, nil
		}
	}
	return 0, false, l.Err()
}
