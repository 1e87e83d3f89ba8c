package mets

import "quire/metadata/xmlstream"

// Form is an element that is written many times with other values: see [xmlstream.Form].
type Form struct {
	form   *xmlstream.Form
	parent kind
	child  string
}

// NewForm makes a form of one element, which write writes into the element that is open now, with
// holes in place of the values. The form can be nil: see [xmlstream.Writer.NewForm].
func (w *Writer) NewForm(holes []string, write func(*Writer)) *Form {
	if len(w.open) == 0 {
		return nil
	}
	f := &Form{parent: w.open[len(w.open)-1].kind}
	f.form = w.x.NewForm(holes, func(x *xmlstream.Writer) error {
		sub := &Writer{x: x, lent: true, open: []level{newLevel(f.parent)}}
		write(sub)
		if at := sub.open[0].at; at > 0 {
			f.child = sub.open[0].rules[at-1].name
		}
		return sub.Err()
	})
	if f.form == nil || f.child == "" {
		return nil
	}
	return f
}

// Fill writes a form with values, and reports whether it did: see [xmlstream.Writer.Fill]. It does
// not check the values: IDs must be names, and URIs URIs.
func (w *Writer) Fill(f *Form, values ...[]byte) bool {
	if f == nil || w.x.Err() != nil || len(w.open) == 0 {
		return false
	}
	top := &w.open[len(w.open)-1]
	next := *top
	if top.kind != f.parent || next.admit(f.child) != "" || !w.x.Fill(f.form, values...) {
		return false // the usual calls report a child at the wrong place
	}
	*top = next
	return true
}
