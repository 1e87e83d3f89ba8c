package xmlstream

import "strings"

// What the readers of vocabularies share: children of one namespace, and values that go straight
// into a field.

// EachIn is Each for the children in one namespace. A child in another one is unknown: see
// [Reader.Unknown].
func (r *Reader) EachIn(space string, visit func(Element) error) error {
	return r.Each(func(e Element) error {
		if e.Space != space {
			return r.Unknown()
		}
		return visit(e)
	})
}

// TextTo reads the text of the element at hand into dst.
func (r *Reader) TextTo(dst *string) error {
	s, err := r.Text()
	*dst = s
	return err
}

// IntTo reads the element at hand, an xs:long, into dst.
func (r *Reader) IntTo(dst *Int) error {
	s, err := r.Text()
	if err != nil {
		return err
	}
	if *dst, err = ParseInt(strings.Trim(s, whiteSpace)); err != nil {
		return r.locate(err)
	}
	return nil
}

// Unknown deals with an element at hand that the caller has no place for. Without OnUnknown that is
// an error, so that nothing is lost unseen; with it the element is told and skipped.
func (r *Reader) Unknown() error {
	if r.OnUnknown == nil {
		e := r.Element()
		return r.Errorf("element <%s> of namespace %q is not known here", e.Local, e.Space)
	}
	r.OnUnknown(r.Path())
	return r.Skip()
}
