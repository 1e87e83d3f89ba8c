package xmlstream

// Mixed reads the current element to its end, with text and child elements in any order. It calls
// text for each section of character data, originals restored, and visit for each child, which is
// then the current element.
func (r *Reader) Mixed(text func(string) error, visit func(Element) error) error {
	level, err := r.begin()
	if err != nil {
		return err
	}
	var run []byte
	keep := 0 // run[keep:] is after the last original
	told := func() error {
		if len(run) == 0 {
			return nil
		}
		s := string(run)
		run, keep = run[:0], 0
		return r.failed(text(s))
	}
	for {
		tok, err := r.token()
		if err != nil {
			return err
		}
		switch tok {
		case endTag:
			r.leave()
			return told()
		case startTag:
			if err := told(); err != nil {
				return err
			}
			if err := r.child(visit); err != nil {
				return err
			}
			r.at = level
		case charData:
			if run, err = r.appendText(run); err != nil {
				return err
			}
		case instruction:
			if run, keep, err = r.originalOfText(run, keep); err != nil {
				return err
			}
		}
	}
}

// failed adds the place to the error of a visitor.
func (r *Reader) failed(err error) error {
	if err == nil {
		return nil
	}
	return r.locate(err)
}

// CopyElement writes the current element and its content to w, originals restored, without comments
// and instructions. It declares the namespaces in scope under their prefixes, because values may
// refer to them (xsi:type="dcterms:W3CDTF"). If w cannot write something, such as a name that is
// not ASCII, CopyElement returns that error after it has read the element; reading can then
// continue.
func (r *Reader) CopyElement(w *Writer) error {
	c := copier{r, w}
	if err := c.element(r.Element(), true); err != nil {
		return err
	}
	return w.Err()
}

// maxSpaces bounds the declarations searched for every name.
const maxSpaces = 500

// copier copies elements. Its functions fail only if the reader does.
type copier struct {
	*Reader
	w *Writer
}

func (c copier) text(s string) error {
	c.w.Text(s)
	return nil
}

// element copies the current element. The outermost one declares the namespaces declared around it.
func (c copier) element(e Element, outermost bool) error {
	if len(c.spaces) > maxSpaces {
		c.w.failf("more than %d namespace declarations are in scope", maxSpaces)
		return c.Skip()
	}
	for i, s := range c.spaces {
		if (outermost || s.depth == len(c.open)) && s.prefix != "xml" && c.resolveAt(i) {
			c.w.Declare(s.prefix, s.uri)
		}
	}
	name := c.name(e.Space, e.Local)
	c.w.Start(name)
	for _, a := range e.Attrs {
		c.w.Attr(c.name(a.Space, a.Local), a.Value)
	}
	err := c.Mixed(c.text, func(child Element) error { return c.element(child, false) })
	c.w.End(name)
	return err
}

// resolveAt reports whether declaration i applies: no later one has the same prefix.
func (c copier) resolveAt(i int) bool {
	for _, s := range c.spaces[i+1:] {
		if s.prefix == c.spaces[i].prefix {
			return false
		}
	}
	return c.spaces[i].uri != ""
}

// name returns the qualified name of an element or attribute. If only the default namespace fits,
// it makes a prefix.
func (c copier) name(space, local string) string {
	if space == "" {
		return local
	}
	for i := len(c.spaces) - 1; i >= 0; i-- {
		if s := c.spaces[i]; s.uri == space && c.resolveAt(i) {
			return s.prefix + ":" + local
		}
	}
	prefix := "default"
	for c.resolve(prefix) != "" {
		prefix += "_"
	}
	c.w.Declare(prefix, space)
	return prefix + ":" + local
}
