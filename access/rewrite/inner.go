package rewrite

import (
	"bytes"
	"regexp"
	"strconv"
	"unicode/utf8"

	"quire/format/htmllink"
)

// The bounds on documents within a document.
const (
	maxInner = 4       // a srcdoc in a srcdoc is two
	maxHeads = 1 << 20 // bytes of our script's tags in them, for a capture: a tag is much longer than an empty frame
)

// inner rewrites the document in a srcdoc as one of its own: its links, its scripts, and our script in it. A frame in a
// sandbox that shares nothing with the page gets its links only, as one that a script makes (frames.js).
func (d *document) inner(l *htmllink.Link) {
	if d.rw.depth == maxInner || l.Flags&htmllink.Duplicate != 0 {
		return
	}
	rw := Rewriter{URL: d.rw.URL, Special: d.rw.Special, Target: d.rw.Target, Done: d.rw.Done, Unmarked: d.rw.Unmarked,
		Base: d.rw.Base, Inner: d.rw.Inner, Framed: true, ContentType: "text/html; charset=utf-8",
		depth: d.rw.depth + 1, heads: d.heads}
	if d.resolve.base != nil {
		rw.Base = d.resolve.base.String()
	}
	size := d.headSize()
	if size > 0 && l.Flags&htmllink.Sandboxed == 0 && *d.heads+size <= maxHeads {
		*d.heads += size
		rw.Head, rw.Scripts = d.rw.Inner, true
	}
	text := decoded(bytes.Clone(l.Raw), d.resolve.charset)
	if d.xml { // XML, 3.3.3: only a reference is an end of line
		text = ends.ReplaceAll(text, []byte(" "))
	}
	var out bytes.Buffer
	if rw.HTML(&out, bytes.NewReader(htmllink.Unescape(text))) != nil {
		return
	}
	d.new = l.AppendText(d.new[:0], out.Bytes())
	d.edit.Replace(l.Start, l.End, d.safe(d.new, l.Quote))
}

var ends = regexp.MustCompile(`\r\n|[\t\r\n]`)

// headSize returns the bytes that our script's tag takes in a srcdoc of this document, at most: each srcdoc around it
// escapes it once more.
func (d *document) headSize() int {
	text := d.rw.Inner
	for range d.rw.depth + 1 {
		text = (&htmllink.Link{}).AppendText(nil, text) // longest without quotes
	}
	return len(text)
}

// safe writes the value of an attribute so that the charset of the page has all its characters, and XML its syntax.
func (d *document) safe(value []byte, quote byte) []byte {
	if !d.xml && quote != 0 && isUTF8(d.resolve.charset) {
		return value
	}
	out := make([]byte, 0, len(value)+len(value)/4)
	for len(value) > 0 {
		c, n := utf8.DecodeRune(value)
		switch {
		case (d.xml || quote == 0) && (c == '\n' || c == '\t' || c == '\r'),
			c >= utf8.RuneSelf && !isUTF8(d.resolve.charset):
			out = append(strconv.AppendInt(append(out, "&#"...), int64(c), 10), ';')
		default:
			out = append(out, value[:n]...)
		}
		value = value[n:]
	}
	return out
}
