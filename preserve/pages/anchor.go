package pages

import (
	"strings"
	"unicode/utf8"
)

// MaxLinkText is the length of the text of a hyperlink that is kept, in bytes as in the page.
const MaxLinkText = 256

// maxPending is how many links within the text of a hyperlink wait for its end.
const maxPending = 64

// anchor is the current hyperlink, until its text is known. Links within its text wait, so links
// are reported in the order of the page.
type anchor struct {
	pending []Link
	text    []byte
	hrefs   []byte // of the pending links
	err     error  // of Options.Link or Options.Embedded
}

// addText adds text of the page to the current hyperlink.
func (a *anchor) addText(text []byte) {
	if len(a.pending) > 0 {
		a.text = append(a.text, text[:min(len(text), MaxLinkText-len(a.text))]...)
	}
}

// report passes a link on, or keeps it until the text of its hyperlink is known. begins reports
// whether it begins a hyperlink with a text.
func (p *Page) report(begins bool, l Link) error {
	if begins || len(p.anchor.pending) >= maxPending {
		p.closeAnchor()
	}
	if !begins && len(p.anchor.pending) == 0 {
		return p.receiver(l.Kind)(l)
	}
	a := &p.anchor
	at := len(a.hrefs)
	a.hrefs = append(a.hrefs, l.Href...)
	l.Href = a.hrefs[at:]
	a.pending = append(a.pending, l)
	return nil
}

// receiver returns the function that receives links of a kind, or nil.
func (p *Page) receiver(k Kind) func(Link) error {
	if k == Embedded {
		return p.o.Embedded
	}
	return p.o.Link
}

// endTag ends the current hyperlink at its end tag.
func (p *Page) endTag(name []byte) {
	if len(name) == 1 && name[0] == 'a' {
		p.closeAnchor()
	}
}

// closeAnchor reports the current hyperlink and the links within its text.
func (p *Page) closeAnchor() {
	a := &p.anchor
	for i, l := range a.pending {
		if i == 0 {
			l.Text = a.text
		}
		if to := p.receiver(l.Kind); a.err == nil && to != nil {
			a.err = to(l)
		}
	}
	*a = a.emptied()
}

// emptied returns an anchor without a hyperlink, with the memory and the error of a.
func (a *anchor) emptied() anchor {
	clear(a.pending)
	return anchor{pending: a.pending[:0], text: a.text[:0], hrefs: a.hrefs[:0], err: a.err}
}

// Words returns the text of a hyperlink, decoded as far as possible, with its white space collapsed.
// It may share the memory of text.
func (r *Resolver) Words(text []byte) []byte {
	if isSimple(text) {
		return text
	}
	decoded, err := r.charset.decode(text)
	if err != nil {
		decoded = strings.ToValidUTF8(string(text), "\uFFFD")
	}
	words := unescape(decoded)
	if !isCollapsed(words) {
		words = strings.Join(strings.Fields(words), " ")
	}
	return []byte(words)
}

// isSimple reports whether a text is printable ASCII with single spaces between its words, and
// without character references.
func isSimple(text []byte) bool {
	before := byte(' ')
	for _, c := range text {
		if c < ' ' || c >= 0x7f || c == '&' || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return len(text) == 0 || before != ' '
}

// isCollapsed reports whether a text is ASCII with single spaces between its words.
func isCollapsed(text string) bool {
	before := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c >= utf8.RuneSelf || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return text == "" || before != ' '
}
