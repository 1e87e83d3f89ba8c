package figures

import (
	"bytes"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"quire/format/charset"
)

// The limits.
const (
	MaxPage   = 2 << 20 // bytes read of a page
	maxImages = 200
	maxText   = 300  // bytes of a text
	maxURL    = 4096 // bytes of a URL
)

// Page is the pictures of a page.
type Page struct {
	Declared []string // URLs that the page declares for itself, the best first
	Images   []Image  // in the order of the page, each URL once
}

// Image is a picture that a page shows.
type Image struct {
	URL           string
	Width, Height int    // as declared; 0 if the page does not say
	Alt           string // its alt text
	Words         string // title, caption and the text around it
}

// Read reads a page by its URL and Content-Type.
func Read(page []byte, contentType, address string) *Page {
	base, err := url.Parse(address)
	if err != nil {
		return &Page{}
	}
	page = page[:min(len(page), MaxPage)]
	found, err := charset.Sniff(page[:min(len(page), 4<<10)], contentType, false)
	if err == nil && found.Name != "utf-8" {
		page = charset.DecodeLossy(page, found.Name)
	}
	r := &reader{base: base, seen: map[string]bool{}, declared: map[string][]string{},
		tokens: html.NewTokenizer(bytes.NewReader(page))}
	r.tokens.SetMaxBuf(MaxPage)
	r.all()
	for _, name := range declarations {
		for _, u := range r.declared[name] {
			if !slices.Contains(r.page.Declared, u) {
				r.page.Declared = append(r.page.Declared, u)
			}
		}
	}
	return &r.page
}

// declarations are the ways in which pages declare a picture, the best first.
var declarations = []string{"og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src",
	"image_src"}

// reader reads a page.
type reader struct {
	tokens   *html.Tokenizer
	base     *url.URL
	page     Page
	seen     map[string]bool
	declared map[string][]string

	before  []byte // the last text before this point, within the same block
	waiting []int  // images whose text behind is wanted
	figure  []int  // images of the open figure; nil outside of one
	inside  bool   // a figure is open
	caption bool   // a figcaption is open
	silent  int    // open script, style and similar elements
}

func (r *reader) all() {
	for {
		switch r.tokens.Next() {
		case html.ErrorToken:
			return
		case html.TextToken:
			if r.silent == 0 {
				r.text(r.tokens.Text())
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := r.tokens.TagName()
			r.start(name, more)
		case html.EndTagToken:
			name, _ := r.tokens.TagName()
			r.end(name)
		}
	}
}

// start reads a start tag.
func (r *reader) start(name []byte, more bool) {
	switch string(name) {
	case "meta", "link", "base", "img":
		element := string(name) // the tokenizer reuses the bytes
		attributes := map[string]string{}
		for more {
			var key, value []byte
			key, value, more = r.tokens.TagAttr()
			if _, twice := attributes[string(key)]; !twice {
				attributes[string(key)] = string(value)
			}
		}
		r.element(element, attributes)
	case "script", "style", "template", "title":
		r.silent++
	case "figure":
		r.block()
		r.inside, r.figure = true, nil
	case "figcaption":
		r.block()
		r.caption = r.inside
	case "p", "div", "td", "th", "li", "tr", "table", "section", "article", "h1", "h2", "h3", "h4", "h5", "h6", "ul",
		"dd", "dt":
		r.block()
	}
}

// block ends the text around an image.
func (r *reader) block() { r.before, r.waiting = r.before[:0], r.waiting[:0] }

// end reads an end tag.
func (r *reader) end(name []byte) {
	switch string(name) {
	case "script", "style", "template", "title":
		r.silent = max(0, r.silent-1)
	case "figcaption":
		r.caption = false
	case "figure":
		r.inside, r.caption, r.figure = false, false, nil
		r.block()
	case "p", "td", "th", "li", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6":
		r.block()
	}
}

// element reads the attributes of an element.
func (r *reader) element(name string, a map[string]string) {
	switch name {
	case "base":
		if u := r.resolve(a["href"]); u != "" {
			if base, err := url.Parse(u); err == nil {
				r.base = base
			}
		}
	case "meta":
		for _, key := range []string{"property", "name"} {
			r.declare(strings.ToLower(strings.TrimSpace(a[key])), a["content"])
		}
	case "link":
		if strings.EqualFold(strings.TrimSpace(a["rel"]), "image_src") {
			r.declare("image_src", a["href"])
		}
	case "img":
		r.image(a)
	}
}

// declare notes a picture that the page declares.
func (r *reader) declare(key, value string) {
	const most = 4 // of one kind
	if !slices.Contains(declarations, key) || len(r.declared[key]) >= most {
		return
	}
	if u := r.resolve(value); u != "" {
		r.declared[key] = append(r.declared[key], u)
	}
}

// image notes an img.
func (r *reader) image(a map[string]string) {
	u := ""
	for _, source := range []string{a["src"], a["data-src"], a["data-original"], firstOf(a["srcset"])} {
		if u = r.resolve(source); u != "" {
			break
		}
	}
	if u == "" || r.seen[u] || len(r.page.Images) >= maxImages {
		return
	}
	r.seen[u] = true
	r.page.Images = append(r.page.Images, Image{URL: u, Width: pixels(a["width"]), Height: pixels(a["height"]),
		Alt: clip(a["alt"]), Words: clip(a["title"] + " " + clip(string(r.before)))})
	n := len(r.page.Images) - 1
	r.waiting = append(r.waiting, n)
	if r.inside {
		r.figure = append(r.figure, n)
	}
}

// text adds a text to the images around it.
func (r *reader) text(b []byte) {
	if b = bytes.TrimSpace(b); len(b) == 0 {
		return
	}
	r.before = append(r.before[:0], b[:min(len(b), 4*maxText)]...) // most texts have no image behind them
	to := &r.waiting
	if r.caption {
		to = &r.figure
	}
	if len(*to) == 0 {
		return
	}
	s := clip(string(r.before))
	open := (*to)[:0]
	for _, n := range *to {
		i := &r.page.Images[n]
		if i.Words = clip(i.Words + " " + s); len(i.Words) < maxText-utf8.UTFMax {
			open = append(open, n) // another text fits: so a page of many texts costs no more than its images
		}
	}
	*to = open
}

// resolve returns a URL of a picture; "" if it cannot be in an archive.
func (r *reader) resolve(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > maxURL {
		return ""
	}
	u, err := r.base.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	u.Fragment = ""
	return u.String()
}

// firstOf returns the first URL of a srcset.
func firstOf(srcset string) string {
	all := strings.Fields(srcset)
	if len(all) == 0 {
		return ""
	}
	return strings.TrimRight(all[0], ",")
}

// pixels returns a declared length; 0 if it is none in pixels.
func pixels(s string) int {
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(s), "px"))
	if err != nil || n < 0 || n > 1<<16 {
		return 0
	}
	return n
}

// clip returns a text on one line, within the limit.
func clip(s string) string {
	if len(s) > 4*maxText {
		s = s[:4*maxText]
	}
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if len(s) <= maxText {
		return s
	}
	n := maxText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
