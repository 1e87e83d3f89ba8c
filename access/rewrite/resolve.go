package rewrite

import (
	"bytes"
	"strings"

	"quire/format/htmllink"
	"quire/format/weburl"
)

// resolver converts the URLs of one document to replay URLs.
type resolver struct {
	rw      *Rewriter
	page    *weburl.URL // URL of the document; nil if invalid
	base    *weburl.URL // base of relative URLs
	charset string
	encode  weburl.Encoder
	ours    string // prefix of all URLs of this replay
}

func newResolver(rw *Rewriter, charset string) *resolver {
	r := &resolver{rw: rw, charset: charset, encode: encoder(charset)}
	r.page, _ = weburl.Parse(rw.Base, nil, nil) // if invalid, only absolute URLs work
	r.base = r.page
	r.ours = ours(rw.URL)
	return r
}

// ours returns the common prefix of our URLs, up to the timestamp.
func ours(url func(Kind, string) string) string {
	made := url(Page, "http://a/")
	i := strings.Index(made, string(Page)+"/")
	if i < 0 {
		return ""
	}
	return strings.TrimRight(made[:i], "0123456789")
}

// isOurs reports whether a text looks like a URL of this replay: already rewritten, or built by a
// script of a replayed page.
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

// url returns the replay URL; ok is false if the text must stay unchanged: it is not a URL, leads
// to a place in the document, or has a scheme that is never archived.
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

// rebase applies a base element (HTML, 4.2.3, set the frozen base URL).
func (r *resolver) rebase(text string) {
	base, err := weburl.Parse(text, r.page, nil)
	if err == nil && base.Scheme != "data" && base.Scheme != "javascript" {
		r.base = base
	}
}

// archived reports whether URLs with this scheme are archived; "" means the document's scheme.
func archived(scheme string) bool {
	switch scheme {
	case "", "http", "https", "ftp":
		return true
	}
	return false
}

// schemeOf returns the part before a colon, if it can be a scheme, in lower case.
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

// text returns the text of a link in UTF-8.
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
	return htmllink.Unescape(decoded(l.Raw, r.charset)) // decode references last: they ignore the charset
}
