package xmlstream

import (
	"bytes"
	"slices"
	"strings"
)

// Form is an element with its content, prepared for writing it many times with other values. It
// comes from the calls that write the element once, with a hole for each value, so both ways write
// the same bytes. A Form belongs to the document for which it was made.
type Form struct {
	of    *Writer
	parts []formPart
}

// formPart is text that stays as it is, and the value behind it.
type formPart struct {
	text  string
	value int // index of the value; -1 behind the last
	attr  bool
}

// NewForm makes a form of the elements that write writes. The values are where write writes the
// holes: texts that occur nowhere else in the element. A hole can occur several times. NewForm
// returns nil for an indented document, whose elements depend on their depth, and if write fails.
func (w *Writer) NewForm(holes []string, write func(*Writer) error) *Form {
	if w.err != nil || w.opt.Indent || !w.begun {
		return nil
	}
	var out bytes.Buffer
	sub := &Writer{out: &out, begun: true, root: w.root, stack: []frame{{}}, spaces: slices.Clone(w.spaces[:w.root])}
	if err := write(sub); err != nil || sub.err != nil || sub.inTag || len(sub.stack) != 1 {
		return nil
	}
	sub.flush()
	return &Form{of: w, parts: cut(out.String(), holes)}
}

// cut cuts an element at its holes.
func cut(text string, holes []string) (parts []formPart) {
	for rest := text; ; {
		at, value := len(rest), -1
		for i, hole := range holes {
			if n := strings.Index(rest, hole); n >= 0 && n < at {
				at, value = n, i
			}
		}
		if value < 0 {
			return append(parts, formPart{text: rest, value: -1})
		}
		before := text[:len(text)-len(rest)+at]
		parts = append(parts, formPart{text: rest[:at], value: value,
			attr: strings.LastIndexByte(before, '<') > strings.LastIndexByte(before, '>')}) // values have neither
		rest = rest[at+len(holes[value]):]
	}
}

// Fill writes the form with values, in the order of its holes, and reports whether it did. It does
// not if XML cannot carry a value, if the text of an element is empty, if the form is of another
// document, or if prefixes may have another meaning here. Then nothing is written, and the caller
// writes the element by the usual calls.
func (w *Writer) Fill(f *Form, values ...[]byte) bool {
	if f == nil || f.of != w || w.err != nil || len(w.stack) == 0 || len(w.spaces) != w.root || len(w.queue) > 0 ||
		w.place != "" {
		return false
	}
	w.closeTag()
	mark := len(w.buf)
	for i := range f.parts {
		p := &f.parts[i]
		w.buf = append(w.buf, p.text...)
		if p.value < 0 {
			break
		}
		intact := p.attr || len(values[p.value]) > 0 // an element without text has no end tag
		if intact {
			w.buf, intact = appendEscaped(w.buf, values[p.value], p.attr)
		}
		if !intact {
			w.buf = w.buf[:mark]
			return false
		}
	}
	w.stack[len(w.stack)-1].hasElem = true
	w.flushFull()
	return true
}
