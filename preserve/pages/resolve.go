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
	r.base, _ = weburl.Parse(page, nil, nil) // nil if invalid
	if d.Base == nil || d.Base.Length > 0 {
		return r
	}
	// HTML, 4.2.3, set the frozen base URL.
	if base, err := weburl.Parse(d.Base.Text, r.base, nil); err == nil && base.Scheme != "data" &&
		base.Scheme != "javascript" {
		r.base = base
	}
	return r
}

// Text returns the text of a link, decoded as far as possible.
func (r *Resolver) Text(href []byte) string {
	text, err := r.charset.decode(href)
	if err != nil {
		text = string(href)
	}
	return strings.Trim(string(htmllink.Unescape([]byte(text))), " \t\n\f\r")
}

// Resolve returns the target of a link; false if its text is not a URL.
func (r *Resolver) Resolve(href []byte) (Target, bool) {
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
