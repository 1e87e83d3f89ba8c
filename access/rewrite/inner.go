package rewrite

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"quire/format/htmllink"
)

// The bounds on documents within a document.
const (
	maxInner = 4    // a srcdoc in a srcdoc is two
	maxHeads = 1000 // documents that get our script: it is much longer than the tag of an empty frame
)

// inner rewrites the document in a srcdoc as one of its own: its links, its scripts, and our script in it. A frame in a
// sandbox that shares nothing with the page gets its links only, as one that a script makes (frames.js).
func (d *document) inner(l *htmllink.Link) {
	if d.rw.depth == maxInner || l.Flags&htmllink.Duplicate != 0 {
		return
	}
	rw := Rewriter{URL: d.rw.URL, Special: d.rw.Special, Target: d.rw.Target, Done: d.rw.Done, Unmarked: d.rw.Unmarked,
		Base: d.rw.Base, Framed: true, ContentType: "text/html; charset=utf-8", depth: d.rw.depth + 1, heads: d.heads}
	if d.resolve.base != nil {
		rw.Base = d.resolve.base.String()
	}
	if l.Flags&htmllink.Sandboxed == 0 && *d.heads < maxHeads {
		*d.heads++
		rw.Head, rw.Scripts = d.rw.Head, true
	}
	text := decoded(bytes.Clone(l.Raw), d.resolve.charset)
	var out bytes.Buffer
	if rw.HTML(&out, bytes.NewReader(htmllink.Unescape(text))) != nil {
		return
	}
	d.new = l.AppendText(d.new[:0], out.Bytes())
	d.edit.Replace(l.Start, l.End, d.safe(d.new, l.Quote))
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
		case d.xml && c == '<':
			out = append(out, "&lt;"...)
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
