package pages

import (
	"bytes"
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
	page    *Address     // the base, if it is a page of the web; otherwise nil
}

// Address is the URL of a target, without its fragment. Links to it share an Address if a
// Resolutions remembers it.
type Address struct {
	URL  string // absolute, by the URL Standard
	Note any    // for the caller; nil at first

	ok bool // it is a URL
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
		r.page = &Address{URL: r.base.Resource(), ok: true}
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
	if r.page == nil || len(href) == 0 || href[0] != '#' {
		return false
	}
	return isPlainFragment(href[1:])
}

func isPlainFragment(text []byte) bool {
	for _, c := range text {
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
	for _, c := range []byte("-._:/()*,;=!$'+@?~%[]") {
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
	to, fragment, ok := r.Lookup(href)
	if !ok {
		return Target{}, false
	}
	return Target{URL: to.URL, Fragment: string(fragment)}, true
}

// Lookup is Resolve for many links: it returns the address and the fragment, which is valid as long
// as href.
func (r *Resolver) Lookup(href []byte) (to *Address, fragment []byte, ok bool) {
	if r.isFragment(href) {
		return r.page, href[1:], true
	}
	address, rest := href, []byte(nil)
	if r.folder != "" {
		address, rest = cutFragment(href)
	}
	to, key := r.lookup(address)
	if to != nil {
		return to, rest, to.ok
	}
	to, fragment = r.parse(address)
	if key != nil && len(fragment) == 0 {
		r.known.add(key, to)
	}
	if len(rest) > 0 {
		fragment = rest
	}
	return to, fragment, to.ok
}

// cutFragment cuts a link before its fragment, if both parts can be resolved alone.
func cutFragment(href []byte) (address, fragment []byte) {
	at := bytes.IndexByte(href, '#')
	if at <= 0 || href[at-1] <= ' ' || !isASCII(href[:at]) || !dependsOnFolder(href[:at]) ||
		!isPlainFragment(href[at+1:]) {
		return href, nil
	}
	return href[:at], href[at+1:]
}

func (r *Resolver) parse(href []byte) (to *Address, fragment []byte) {
	u, err := weburl.Parse(r.Text(href), r.base, r.encode)
	if err != nil {
		return &Address{}, nil
	}
	return &Address{URL: u.Resource(), ok: true}, []byte(u.Fragment)
}
