package rewrite

import (
	"strings"

	"quire/format/htmllink"
)

// markup rewrites HTML or XML to its end.
func (d *document) markup(o htmllink.Options) error {
	d.html.Report = d.rw.Report
	d.html.Reset(d.edit, 0, o)
	d.edit.Settled = d.settled
	for {
		l, err := d.html.Next()
		if d.insert >= 0 && (err != nil || l.TagStart >= d.insert) {
			d.putHead()
		}
		if err != nil {
			return err
		}
		d.link(l)
	}
}

// settled returns the offset up to which the output can no longer change.
func (d *document) settled() int64 {
	at := d.html.Offset()
	if d.insert < 0 || at < d.insert {
		return at
	}
	d.putHead()
	return at
}

func (d *document) putHead() {
	if d.insert <= d.edit.End() {
		d.edit.Replace(d.insert, d.insert, d.injected())
	}
	d.insert = -1
}

// link rewrites one link, or disarms attributes that would break it.
func (d *document) link(l *htmllink.Link) {
	switch {
	case l.Flags&htmllink.Cut != 0: // usually a data: URL
		return
	case l.Kind == htmllink.Guard:
		d.guard(l)
		return
	case l.Kind == htmllink.Inline:
		d.inline(l)
		return
	case l.Kind == htmllink.Handler:
		d.handler(l)
		return
	case l.Kind == htmllink.Document:
		d.inner(l)
		return
	case l.Kind == htmllink.Ping:
		d.disarm(l)
		return
	case d.foreign && l.Attribute != "xlink:href" && l.Element != "?xml-stylesheet":
		return
	case l.Kind == htmllink.Base:
		defer d.takeBase(l, string(d.resolve.text(l))) // resolved like others, and applies to later links
	case l.Kind == htmllink.Lazy || l.Kind == htmllink.Other && l.Attribute == "url":
		if !standsAlone(l.Value) {
			return // scripts build the rest of it
		}
	}
	if d.special(l) {
		return
	}
	kind, ok := kindOf(l)
	if !ok || d.scriptURL(l) {
		return
	}
	if url, ok := d.resolve.url(kind, d.resolve.text(l)); ok {
		d.new = l.Append(d.new[:0], url)
		d.edit.Replace(l.Start, l.End, d.new)
	}
}

// special offers a link to the caller's Special function.
func (d *document) special(l *htmllink.Link) bool {
	if d.rw.Special == nil {
		return false
	}
	text, ok := d.rw.Special(l, string(d.resolve.text(l)))
	if ok {
		d.edit.Replace(l.Start, l.End, text)
	}
	return ok
}

// standsAlone reports whether a URL means nearly the same in any document: it is absolute, or
// begins with a slash.
func standsAlone(value []byte) bool {
	if len(value) > 0 && value[0] == '/' {
		return true
	}
	s := string(value[:min(len(value), len("https://"))])
	return strings.HasPrefix(s, "http://") || s == "https://"
}

// takeBase applies the first base element (HTML, 4.2.3): later links are relative to it.
func (d *document) takeBase(l *htmllink.Link, value string) {
	const elsewhere = htmllink.Conditional | htmllink.Fallback | htmllink.Srcdoc | htmllink.Duplicate
	if d.based || l.Flags&elsewhere != 0 || l.Element != "base" {
		return
	}
	d.based = true
	d.resolve.rebase(value)
}
