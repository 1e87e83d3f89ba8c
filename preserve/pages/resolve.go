package pages

import (
	"strings"

	"quire/format/htmllink"
	"quire/format/weburl"
)

// Resolver resolves the links of one page.
type Resolver struct {
	charset Charset
	encode  weburl.Encoder
	base    *weburl.URL
	known   *Resolutions // nil remembers nothing
	folder  string       // of the base
	page    string       // the base, if it is a page of the web; otherwise ""
}

// Target is the target of a link.
type Target struct {
	URL      string // absolute, by the URL Standard, without its fragment
	Fragment string // the position within the target; "" for its beginning
}

// Resolver returns the resolver of a page with this URL. If the URL is invalid, only absolute links
// can be resolved.
func (d *Declared) Resolver(page string) *Resolver {
	r := &Resolver{charset: d.Charset, encode: d.Charset.encoder()}
	r.base = d.baseOf(page)
	if r.base != nil && (r.base.Scheme == "http" || r.base.Scheme == "https") {
		r.page = r.base.Resource()
	}
	return r
}

// baseOf returns the URL that the links of a page are relative to; nil if it is invalid.
func (d *Declared) baseOf(page string) *weburl.URL {
	url, _ := weburl.Parse(page, nil, nil) // nil if invalid
	if d.Base == nil || d.Base.Length > 0 {
		return url
	}
	// HTML, 4.2.3, set the frozen base URL.
	if base, err := weburl.Parse(d.Base.Text, url, nil); err == nil && base.Scheme != "data" &&
		base.Scheme != "javascript" {
		return base
	}
	return url
}

// isFragment reports whether a link leads to a place in its own page, by a name that stays as it is.
func (r *Resolver) isFragment(href []byte) bool {
	if r.page == "" || len(href) == 0 || href[0] != '#' {
		return false
	}
	for _, c := range href[1:] {
		if !plainInFragment[c] {
			return false
		}
	}
	return true
}

// plainInFragment are characters that neither HTML nor the URL Standard changes in a fragment.
var plainInFragment = func() (t [256]bool) {
	for c := range t {
		t[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	}
	for _, c := range []byte("-._:/") {
		t[c] = true
	}
	return t
}()

// Text returns the text of a link, decoded as far as possible.
func (r *Resolver) Text(href []byte) string {
	text, err := r.charset.decode(href)
	if err != nil {
		text = string(href)
	}
	return trim(unescape(text))
}

// unescape decodes the character references in a text.
func unescape(text string) string {
	if strings.IndexByte(text, '&') < 0 && strings.IndexByte(text, 0) < 0 {
		return text
	}
	return string(htmllink.Unescape([]byte(text)))
}

// trim strips the white space of HTML.
func trim(s string) string {
	for s != "" && isSpace(s[0]) {
		s = s[1:]
	}
	for s != "" && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }

// Resolve returns the target of a link; false if its text is not a URL.
func (r *Resolver) Resolve(href []byte) (Target, bool) {
	if r.isFragment(href) {
		return Target{URL: r.page, Fragment: string(href[1:])}, true
	}
	found, key, ok := r.lookup(href)
	if ok {
		return found.target, found.ok
	}
	target, ok := r.parse(href)
	if key != nil {
		r.known.add(key, resolution{target, ok})
	}
	return target, ok
}

func (r *Resolver) parse(href []byte) (Target, bool) {
	u, err := weburl.Parse(r.Text(href), r.base, r.encode)
	if err != nil {
		return Target{}, false
	}
	return Target{URL: u.Resource(), Fragment: u.Fragment}, true
}
