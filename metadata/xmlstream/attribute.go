package xmlstream

import (
	"strconv"
	"time"
)

// Attr writes an attribute of the element just started.
func (w *Writer) Attr(name, value string) {
	if !w.attrName(name) {
		return
	}
	if !w.escape(value, true) {
		w.broken = append(w.broken, brokenAttr{name, value})
	}
	w.buf = append(w.buf, '"')
}

// AttrOpt is Attr for an optional attribute: an empty value writes nothing.
func (w *Writer) AttrOpt(name, value string) {
	if value != "" {
		w.Attr(name, value)
	}
}

// AttrInt writes an attribute that is an integer.
func (w *Writer) AttrInt(name string, v int64) {
	if w.attrName(name) {
		w.buf = append(strconv.AppendInt(w.buf, v, 10), '"')
	}
}

// AttrIntOpt is AttrInt for an optional attribute: an absent value writes nothing.
func (w *Writer) AttrIntOpt(name string, v Int) {
	if v.set {
		w.AttrInt(name, v.value)
	}
}

// AttrTimeOpt writes an attribute of type xs:dateTime, in UTC; the zero time writes nothing.
func (w *Writer) AttrTimeOpt(name string, t time.Time) {
	if t.IsZero() || !w.attrName(name) {
		return
	}
	out, err := AppendTime(w.buf, t)
	if err != nil {
		w.failf("attribute %s: %w", name, err)
		return
	}
	w.buf = append(out, '"')
}

// AttrListOpt writes an attribute that is a list of names separated by spaces (xs:IDREFS); an empty
// list writes nothing.
func (w *Writer) AttrListOpt(name string, list []string) {
	if len(list) == 0 || !w.attrName(name) {
		return
	}
	for i, item := range list {
		if i > 0 {
			w.buf = append(w.buf, ' ')
		}
		if !IsNCName(item) {
			w.failf("attribute %s: %q is not an ID", name, item)
			return
		}
		w.buf = append(w.buf, item...)
		w.flushFull()
	}
	w.buf = append(w.buf, '"')
}

// attrName checks that an attribute is allowed here, and writes everything before its value.
func (w *Writer) attrName(name string) bool {
	if w.err != nil {
		return false
	}
	if !w.inTag {
		w.failf("attribute %s comes after the content of its element", name)
		return false
	}
	prefix, local, ok := splitName(name)
	if !ok || name == "xmlns" || prefix == "xmlns" {
		w.failf("%q is not an attribute name", name)
		return false
	}
	if prefix != "" {
		if _, ok := w.lookup(prefix); !ok {
			w.failf("attribute %s: prefix %q is not declared", name, prefix)
			return false
		}
	}
	for _, a := range w.names {
		if a.local == local && w.sameSpace(a.prefix, prefix) {
			w.failf("attribute %s occurs twice", name)
			return false
		}
	}
	w.names = append(w.names, attrName{prefix, local})
	w.buf = append(append(append(w.buf, ' '), name...), `="`...)
	return true
}

// sameSpace reports whether two prefixes of attributes mean one namespace (Namespaces 1.0, clause
// 6.3).
func (w *Writer) sameSpace(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	ua, _ := w.lookup(a)
	ub, _ := w.lookup(b)
	return ua == ub
}
