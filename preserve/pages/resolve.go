package pages

import (
	"strings"

	"quire/format/htmllink"
	"quire/format/weburl"
)

// Resolver says where the links of one page lead.
type Resolver struct {
	charset Charset
	encode  weburl.Encoder
	base    *weburl.URL
}

// Target is where a link leads.
type Target struct {
	URL      string // absolute, by the URL Standard, without its fragment
	Fragment string // the place in what is there; "" for its beginning
}

// Resolver gives the resolver of a page that stood at a URL. Where that is none, only absolute
// links lead anywhere.
func (d *Declared) Resolver(page string) *Resolver {
	r := &Resolver{charset: d.Charset, encode: d.Charset.encoder()}
	r.base, _ = weburl.Parse(page, nil, nil) // nil where it is none
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

// Text is what a link says, decoded, as far as it can be.
func (r *Resolver) Text(href []byte) string {
	text, err := r.charset.decode(href)
	if err != nil {
		text = string(href)
	}
	return strings.Trim(string(htmllink.Unescape([]byte(text))), " \t\n\f\r")
}

// Resolve says where a link leads; false where its text is no URL.
func (r *Resolver) Resolve(href []byte) (Target, bool) {
	u, err := weburl.Parse(r.Text(href), r.base, r.encode)
	if err != nil {
		return Target{}, false
	}
	return Target{URL: u.Resource(), Fragment: u.Fragment}, true
}
