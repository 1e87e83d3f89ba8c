package xmlstream

import "strings"

// This file has the common parts of the vocabularies' readers: children of one namespace, and
// values read directly into a field.

// EachIn is Each for the children in one namespace. A child of another namespace is unknown: see
// [Reader.Unknown].
func (r *Reader) EachIn(space string, visit func(Element) error) error {
	return r.Each(func(e Element) error {
		if e.Space != space {
			return r.Unknown()
		}
		return visit(e)
	})
}

// TextTo reads the text of the current element into dst.
func (r *Reader) TextTo(dst *string) error {
	s, err := r.Text()
	*dst = s
	return err
}

// IntTo reads the current element, an xs:long, into dst.
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

// Unknown handles a current element that the caller does not know. Without OnUnknown that is an
// error, so that nothing is lost silently. With OnUnknown, the element is reported and skipped.
func (r *Reader) Unknown() error {
	if r.OnUnknown == nil {
		e := r.Element()
		return r.Errorf("unknown element <%s> of namespace %q", e.Local, e.Space)
	}
	r.OnUnknown(r.Path())
	return r.Skip()
}
