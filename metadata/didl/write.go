package didl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quire/metadata/xmlstream"
)

// Writer writes one document into an XML writer. Call its methods in the order of DIDL. After the
// first mistake or failed write, later calls do nothing, and End returns the error. Memory does not
// grow with the document.
type Writer struct {
	x    *xmlstream.Writer
	open []level
}

// level is an open element with the state of its children.
type level struct {
	kind Kind
	at   int  // the position in the order of the last child
	some bool // a component has a resource
}

// The order of children, as in the schema; items and components may alternate.
const (
	descriptors = 1 + iota
	contents
)

// NewWriter returns a Writer of one document into x. x may be within another document.
func NewWriter(x *xmlstream.Writer) *Writer { return &Writer{x: x} }

// Start opens the document.
func (w *Writer) Start(d Document) {
	if len(w.open) > 0 {
		w.failf("the document was already started")
		return
	}
	w.x.Declare("didl", Namespace)
	w.x.Declare("dii", DIINamespace)
	w.x.Declare("dcterms", DCTerms)
	w.x.Declare("xsi", xsi)
	locations := Namespace + " " + SchemaLocation + " " + DIINamespace + " " + DIILocation
	for _, s := range d.Namespaces {
		w.x.Declare(s.Prefix, s.Namespace)
		if s.Location != "" {
			locations += " " + s.Namespace + " " + s.Location
		}
	}
	w.x.Start("didl:DIDL")
	w.uri("DIDLDocumentId", d.ID)
	w.x.Attr("xsi:schemaLocation", locations)
	w.open = append(w.open, level{kind: "DIDL"})
	if !d.Created.IsZero() {
		w.x.Start("didl:DIDLInfo")
		w.x.Element("dcterms:created", xmlstream.FormatTime(d.Created))
		w.x.End("didl:DIDLInfo")
	}
	for _, c := range d.Info {
		w.x.Start("didl:DIDLInfo")
		c.write(w)
		w.x.End("didl:DIDLInfo")
	}
}

// StartItem opens an item: the document's one item, or one inside another.
func (w *Writer) StartItem(id string) {
	top := w.top()
	if top.kind != "DIDL" && top.kind != Item || top.kind == "DIDL" && top.at > 0 {
		w.failf("an item inside %s, or a second one", top.kind)
		return
	}
	top.at = contents
	w.start(Item, id)
}

// EndItem closes an item.
func (w *Writer) EndItem() { w.end(Item) }

// StartComponent opens a component of an item.
func (w *Writer) StartComponent(id string) {
	top := w.top()
	if top.kind != Item {
		w.failf("a component inside %s", top.kind)
		return
	}
	top.at = contents
	w.start(Component, id)
}

// EndComponent closes a component.
func (w *Writer) EndComponent() {
	if top := w.top(); top.kind == Component && !top.some {
		w.failf("a component without a resource")
	}
	w.end(Component)
}

// Statement writes a Descriptor with a Statement about the open item or component. It must come
// before the other children.
func (w *Writer) Statement(b Block, c Content) {
	top := w.top()
	if top.kind != Item && top.kind != Component || top.at > descriptors {
		w.failf("a descriptor inside %s, or after its other children", top.kind)
		return
	}
	top.at = descriptors
	w.x.Start("didl:Descriptor")
	w.block("didl:Statement", b, c)
	w.x.End("didl:Descriptor")
}

// Identifier writes a Descriptor with a dii:Identifier; uri must be a URI.
func (w *Writer) Identifier(uri string) {
	if !xmlstream.IsURI(uri) || uri == "" {
		w.failf("identifier %q is not a URI", uri)
	}
	w.Statement(Block{MIMEType: XML}, Element(func(x *xmlstream.Writer) error {
		x.Declare("dii", DIINamespace)
		x.Element("dii:Identifier", uri)
		return nil
	}))
}

// Resource writes a resource of the open component.
func (w *Writer) Resource(b Block, c Content) {
	top := w.top()
	if top.kind != Component {
		w.failf("a resource inside %s", top.kind)
		return
	}
	top.at, top.some = contents, true
	w.block("didl:Resource", b, c)
}

// block writes a Statement or Resource.
func (w *Writer) block(name string, b Block, c Content) {
	switch encoding := c.encoding(); {
	case b.MIMEType == "":
		w.failf("%s needs a media type", name)
	case b.Encoding != "" && encoding != "" && b.Encoding != encoding:
		w.failf("%s: the content is %s, not %s", name, encoding, b.Encoding)
	case slices.ContainsFunc(b.ContentEncoding, func(s string) bool { return !IsToken(s) }):
		w.failf("%s: content encodings %q: want names of letters, digits, . - _ :", name, b.ContentEncoding)
	}
	w.x.Start(name)
	w.x.Attr("mimeType", b.MIMEType)
	w.uri("ref", b.Ref)
	w.x.AttrOpt("encoding", cmp.Or(b.Encoding, c.encoding()))
	w.x.AttrOpt("contentEncoding", strings.Join(b.ContentEncoding, " "))
	c.write(w)
	w.x.End(name)
}

// End closes the document. The caller closes the XML writer, if the outer document is complete.
func (w *Writer) End() error {
	if top := w.top(); top.kind == "DIDL" && top.at == 0 {
		w.failf("a document without an item")
	}
	w.end("DIDL")
	return w.x.Err()
}

func (w *Writer) start(k Kind, id string) {
	w.x.Start("didl:" + string(k))
	if id != "" && !xmlstream.IsNCName(id) {
		w.failf("%q cannot be an ID: want a letter or _, then letters, digits, . _ -", id)
	}
	w.x.AttrOpt("id", id)
	w.open = append(w.open, level{kind: k})
}

func (w *Writer) end(k Kind) {
	if top := w.top(); top.kind != k {
		w.failf("end of %s inside %s", k, top.kind)
		return
	}
	w.open = w.open[:len(w.open)-1]
	w.x.End("didl:" + string(k))
}

// top returns the open element.
func (w *Writer) top() *level {
	if len(w.open) == 0 {
		return &level{kind: "nothing"}
	}
	return &w.open[len(w.open)-1]
}

func (w *Writer) uri(name, uri string) {
	if !xmlstream.IsURI(uri) {
		w.failf("%s: %q is not a URI", name, uri)
	}
	w.x.AttrOpt(name, uri)
}

func (w *Writer) failf(format string, args ...any) { w.x.Fail(fmt.Errorf("didl: "+format, args...)) }

// IsToken reports whether s is an NMTOKEN, of ASCII.
func IsToken(s string) bool { return s != "" && xmlstream.IsNCName("a"+strings.ReplaceAll(s, ":", "")) }
