package rewrite

import (
	"bytes"
	"strings"

	"quire/format/htmllink"
	"quire/format/weburl"
)

// resolver makes URLs of the replay of what stands in one document.
type resolver struct {
	rw      *Rewriter
	page    *weburl.URL // where the document stands; nil where that is no URL
	base    *weburl.URL // what its URLs are relative to
	charset string
	encode  weburl.Encoder
	ours    string // what each URL of this replay begins with
}

func newResolver(rw *Rewriter, charset string) *resolver {
	r := &resolver{rw: rw, charset: charset, encode: encoder(charset)}
	r.page, _ = weburl.Parse(rw.Base, nil, nil) // where it is none, only absolute URLs lead anywhere
	r.base = r.page
	r.ours = ours(rw.URL)
	return r
}

// ours finds out what our own URLs begin with: up to the timestamp.
func ours(url func(Kind, string) string) string {
	made := url(Page, "http://a/")
	i := strings.Index(made, string(Page)+"/")
	if i < 0 {
		return ""
	}
	return strings.TrimRight(made[:i], "0123456789")
}

// isOurs: does a text have the form of a URL of this replay? Then it was rewritten before, or a
// script of a page that we replayed wrote it.
func (r *resolver) isOurs(text []byte) bool {
	if r.ours == "" || len(text) <= len(r.ours) || string(text[:len(r.ours)]) != r.ours {
		return false
	}
	rest := bytes.TrimLeft(text[len(r.ours):], "0123456789")
	digits := len(text) - len(r.ours) - len(rest)
	if digits == 0 || digits > 14 {
		return false
	}
	if len(rest) > 3 && rest[2] == '_' {
		rest = rest[3:]
	}
	return len(rest) > 0 && rest[0] == '/'
}

// url makes the URL of the replay; false where the text is to stay as it is: it is none, leads to a
// place in the document, or is of a scheme that nobody archives.
func (r *resolver) url(kind Kind, text []byte) (string, bool) {
	if len(text) == 0 || text[0] == '#' || !archived(schemeOf(text)) || r.isOurs(text) {
		return "", false
	}
	u, err := weburl.Parse(string(text), r.base, r.encode)
	if err != nil || !archived(u.Scheme) {
		return "", false
	}
	made := r.rw.URL(kind, u.Resource())
	if i := bytes.IndexByte(text, '#'); i >= 0 {
		made += "#" + u.Fragment
	}
	return made, true
}

// rebase heeds a base element (HTML, 4.2.3, set the frozen base URL).
func (r *resolver) rebase(text string) {
	base, err := weburl.Parse(text, r.page, nil)
	if err == nil && base.Scheme != "data" && base.Scheme != "javascript" {
		r.base = base
	}
}

// archived says whether what has such a scheme is archived; "" is that of the document.
func archived(scheme string) bool {
	switch scheme {
	case "", "http", "https", "ftp":
		return true
	}
	return false
}

// schemeOf is what stands before a colon, if it can be a scheme; in lower case.
func schemeOf(text []byte) string {
	for i, c := range text {
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z', i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		case c == ':' && i > 0:
			return strings.ToLower(string(text[:i]))
		default:
			return ""
		}
	}
	return ""
}

// text is what a link says, in UTF-8.
func (r *resolver) text(l *htmllink.Link) []byte {
	ascii := true
	for _, c := range l.Value {
		ascii = ascii && c < 0x80
	}
	if ascii || isUTF8(r.charset) {
		return l.Value
	}
	if bytes.IndexByte(l.Raw, '&') < 0 || l.Attribute == "" {
		return decoded(l.Value, r.charset)
	}
	return htmllink.Unescape(decoded(l.Raw, r.charset)) // references are decoded last: they do not know the charset
}
