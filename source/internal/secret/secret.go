// Package secret finds passwords and sessions in crawler output. It reports their places, but does
// not repeat the secrets.
package secret

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"quire/internal/lines"
)

// inURL matches a name and a password: in a URL, or after -P, HTTrack's option for a proxy.
var inURL = regexp.MustCompile(`((?:://|(?:^|[\s(])-P\s*)[^\s/@":?#]+):[^\s/@"?#]+@`)

// InURL reports whether a text has a password in a URL.
func InURL(text []byte) bool { return bytes.IndexByte(text, '@') >= 0 && inURL.Match(text) }

// Conceal replaces passwords in URLs by a mark, for text outside the restricted file.
func Conceal(s string) string {
	if !strings.ContainsRune(s, '@') {
		return s
	}
	return inURL.ReplaceAllString(s, "${1}:…@")
}

// Text returns the offset of the first line with a password in a URL.
func Text(in io.Reader) (at int64, found bool, err error) {
	return first(in, func(line []byte) bool { return InURL(line) })
}

// Cookies returns the offset of the first cookie line in a cookie file (Netscape's format: seven
// columns). "#HttpOnly_" starts a cookie that scripts may not read.
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
