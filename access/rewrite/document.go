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

// settled is up to where nothing will be changed any more.
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

// link rewrites one link, or disarms what would keep it from working.
func (d *document) link(l *htmllink.Link) {
	switch {
	case l.Flags&htmllink.Cut != 0: // a data: URL as a rule
		return
	case l.Kind == htmllink.Guard:
		d.guard(l)
		return
	case l.Kind == htmllink.Ping:
		d.disarm(l)
		return
	case d.foreign && l.Attribute != "xlink:href" && l.Element != "?xml-stylesheet":
		return
	case l.Kind == htmllink.Base:
		defer d.takeBase(l, string(d.resolve.text(l))) // it is resolved like others, and holds for those behind it
	case l.Kind == htmllink.Lazy || l.Kind == htmllink.Other && l.Attribute == "url":
		if !standsAlone(l.Value) {
			return // what scripts put together is theirs
		}
	}
	if d.special(l) {
		return
	}
	kind, ok := kindOf(l)
	if !ok {
		return
	}
	if url, ok := d.resolve.url(kind, d.resolve.text(l)); ok {
		d.new = l.Append(d.new[:0], url)
		d.edit.Replace(l.Start, l.End, d.new)
	}
}

// special leaves a link to whoever wants to write it in a way of his own.
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

// standsAlone: does a URL mean the same wherever it is put, or nearly so: is it absolute, or begins
// with a slash?
func standsAlone(value []byte) bool {
	if len(value) > 0 && value[0] == '/' {
		return true
	}
	s := string(value[:min(len(value), len("https://"))])
	return strings.HasPrefix(s, "http://") || s == "https://"
}

// takeBase heeds the first base element (HTML, 4.2.3): what stands behind it is relative to it.
func (d *document) takeBase(l *htmllink.Link, value string) {
	const elsewhere = htmllink.Conditional | htmllink.Fallback | htmllink.Srcdoc | htmllink.Duplicate
	if d.based || l.Flags&elsewhere != 0 || l.Element != "base" {
		return
	}
	d.based = true
	d.resolve.rebase(value)
}
