package xmlstream

// XMLNamespace is the meaning of the prefix xml in every document (Namespaces 1.0, clause 3):
// xml:lang, xml:space.
const XMLNamespace = "http://www.w3.org/XML/1998/namespace"

type binding struct{ prefix, uri string }

// Declare binds a prefix on the next element. It does nothing if the prefix already means uri
// there. So a writer of one vocabulary works both alone and inside another document. There is no
// default namespace: every name has a prefix.
func (w *Writer) Declare(prefix, uri string) {
	if w.err != nil {
		return
	}
	if !IsNCName(prefix) || uri == "" || prefix == "xmlns" || prefix == "xml" {
		w.failf("namespace %q cannot be bound to prefix %q", uri, prefix)
		return
	}
	for _, b := range w.queue {
		if b.prefix == prefix {
			if b.uri != uri {
				w.failf("prefix %q is declared twice on one element", prefix)
			}
			return
		}
	}
	if bound, ok := w.lookup(prefix); ok && bound == uri {
		return
	}
	w.queue = append(w.queue, binding{prefix, uri})
}

// SchemaNamespace is the namespace of xsi:type and xsi:schemaLocation (XML Schema 1.0 part 1,
// clause 2.6).
const SchemaNamespace = "http://www.w3.org/2001/XMLSchema-instance"

// Locate adds the location of a namespace's schema to the next element (xsi:schemaLocation), as
// OAI-PMH requires of a record.
func (w *Writer) Locate(namespace, location string) {
	w.Declare("xsi", SchemaNamespace)
	if w.place != "" {
		w.place += " "
	}
	w.place += namespace + " " + location
}

// declareQueued writes the queued namespaces on this element.
func (w *Writer) declareQueued() {
	for _, b := range w.queue {
		w.buf = append(append(append(w.buf, " xmlns:"...), b.prefix...), `="`...)
		var intact bool
		w.buf, intact = appendEscaped(w.buf, b.uri, true)
		w.buf = append(w.buf, '"')
		if !intact {
			w.failf("namespace name %q has characters that XML forbids", b.uri)
		}
		w.spaces = append(w.spaces, b)
	}
	w.queue = w.queue[:0]
}

// lookup returns the namespace of a prefix in scope.
func (w *Writer) lookup(prefix string) (uri string, ok bool) {
	for i := len(w.spaces) - 1; i >= 0; i-- {
		if w.spaces[i].prefix == prefix {
			return w.spaces[i].uri, true
		}
	}
	return "", false
}
