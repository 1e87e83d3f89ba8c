package xmlstream

// XMLNamespace is what the prefix xml means in every document (Namespaces 1.0, clause 3): xml:lang,
// xml:space.
const XMLNamespace = "http://www.w3.org/XML/1998/namespace"

type binding struct{ prefix, uri string }

// Declare binds a prefix on the next element that is started. It does nothing when the prefix
// already means uri there, so that a writer of one vocabulary works the same inside another
// document and alone. There is no default namespace: every name says where it belongs.
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

// SchemaNamespace is that of xsi:type and xsi:schemaLocation (XML Schema 1.0 part 1, clause 2.6).
const SchemaNamespace = "http://www.w3.org/2001/XMLSchema-instance"

// Locate has the next element that is started say where the schema of a namespace is
// (xsi:schemaLocation), as OAI-PMH asks of a record.
func (w *Writer) Locate(namespace, location string) {
	w.Declare("xsi", SchemaNamespace)
	if w.place != "" {
		w.place += " "
	}
	w.place += namespace + " " + location
}

// declareQueued writes the namespaces that wait for this element.
func (w *Writer) declareQueued() {
	for _, b := range w.queue {
		w.buf = append(append(append(w.buf, " xmlns:"...), b.prefix...), `="`...)
		var intact bool
		w.buf, intact = appendEscaped(w.buf, b.uri, true)
		w.buf = append(w.buf, '"')
		if !intact {
			w.failf("namespace name %q holds characters XML forbids", b.uri)
		}
		w.spaces = append(w.spaces, b)
	}
	w.queue = w.queue[:0]
}

// lookup gives the namespace a prefix means here.
func (w *Writer) lookup(prefix string) (uri string, ok bool) {
	for i := len(w.spaces) - 1; i >= 0; i-- {
		if w.spaces[i].prefix == prefix {
			return w.spaces[i].uri, true
		}
	}
	return "", false
}
