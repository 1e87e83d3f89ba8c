// Package secret finds passwords and sessions in crawler output, and keeps names and passwords in
// URLs from being shown. It reports places, but does not repeat the secrets.
package secret

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"quire/internal/lines"
)

var (
	// authority matches a name and a password in a URL (RFC 3986, clause 3.2.1). The name may be an
	// address of mail, or missing; the last @ before the host counts, as in browsers. A quote ends a
	// URL, unless it is escaped for a text in quotes.
	authority = regexp.MustCompile(`(:[/\\]+|(?:^|[\s"'(<=])//)((?:[^\s/?#\\":]|\\+")*):(?:[^\s/?#\\"]|\\+")*@`)
	// encoded matches them in a URL that is escaped, as in the query of another URL.
	encoded = regexp.MustCompile(`((?i:%3a%2f%2f))([^\s/?#&"%@:]*(?:%40[^\s/?#&"%@:]*)?)` +
		`(?::|(?i:%3a))[^\s/?#&"]*?(?:@|%40)`)
	// whole matches them at the beginning of a text that is a URL: there, quotes are parts of them.
	whole = regexp.MustCompile(`^([A-Za-z][\w+.-]*:[/\\]+)([^\s/?#\\:]*):[^\s/?#\\]*@`)
	// proxy matches them after -P, HTTrack's option for a proxy.
	proxy = regexp.MustCompile(`((?:^|[\s(])-P\s*[^\s/@":?#]+):[^\s/@"?#]+@`)
	// userInfo matches a name, and a password if there is one, in a text that is a URL.
	userInfo = regexp.MustCompile(`^([A-Za-z][\w+.-]*:[/\\]+|[/\\]{2})[^/?#\\\s]*@`)
	// nested matches a name and a password in a URL that is in the path or the query of another. A name
	// alone stays: an @ there is mostly something else.
	nested = regexp.MustCompile(`(:[/\\]{2})[^/?#\\\s&:]*:[^/?#\\\s&]*@`)
)

// mark replaces a password in a text.
const mark = ":…@"

// InURL reports whether a text has a password in a URL.
func InURL(text []byte) bool {
	return (bytes.IndexByte(text, '@') >= 0 || bytes.Contains(text, []byte("%40"))) &&
		(whole.Match(text) || authority.Match(text) || encoded.Match(text) || proxy.Match(text))
}

// mayHave reports whether a text may have a password in a URL: most have no such character.
func mayHave(text string) bool { return strings.Contains(text, "@") || strings.Contains(text, "%40") }

// Conceal replaces passwords in the URLs of a text by a mark. Names stay, because the reader must
// find the place.
func Conceal(text string) string {
	if !mayHave(text) {
		return text
	}
	for _, r := range []*regexp.Regexp{whole, authority, encoded} {
		text = r.ReplaceAllString(text, "${1}${2}"+mark)
	}
	return proxy.ReplaceAllString(text, "${1}"+mark)
}

// Without returns a URL without names and passwords: the one to show to readers and to export. The
// capture index has keys without them, so that this URL finds the same captures.
func Without(url string) string {
	if !mayHave(url) {
		return url
	}
	url = userInfo.ReplaceAllString(url, "${1}")
	url = nested.ReplaceAllString(url, "${1}")
	return encoded.ReplaceAllString(url, "${1}")
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
