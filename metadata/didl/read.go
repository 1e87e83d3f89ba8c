package didl

import (
	"fmt"
	"strings"

	"quire/metadata/xmlstream"
)

// Kind is the name of an element that a statement or resource may stand in.
type Kind string

// The elements that hold others.
const (
	Container  Kind = "Container"
	Item       Kind = "Item"
	Component  Kind = "Component"
	Descriptor Kind = "Descriptor"
)

// Level is one of the elements around a statement or resource.
type Level struct {
	Kind Kind
	ID   string
	N    int // counts the elements of the document, from 1: two of one kind and without ID are told apart by it
}

// Place is the elements around a statement or resource, the outermost first.
type Place []Level

// String writes the place for people: "Item Component Descriptor".
func (p Place) String() string {
	names := make([]string, len(p))
	for i, l := range p {
		names[i] = string(l.Kind)
		if l.ID != "" {
			names[i] += "#" + l.ID
		}
	}
	return strings.Join(names, " ")
}

// About is what a statement is about: the level outside the descriptors that it stands in.
func (p Place) About() Level {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i].Kind != Descriptor {
			return p[i]
		}
	}
	return Level{}
}

// Described says whether this is about a description and not about what is declared: a component
// that is itself a descriptor.
func (p Place) Described() bool {
	for i := range p {
		if p[i].Kind == Descriptor && i < len(p)-1 && p[i+1].Kind != Descriptor {
			return true
		}
	}
	return false
}

// Handler is told of a document, in its order. With the reader it is handed, a function reads what
// the element at hand holds: as text, elements, Base64 or all that [xmlstream.Reader] knows; what
// it leaves is skipped. The slices are valid during the call. A function that is nil skips.
type Handler struct {
	Document  func(d Document) error // the attributes alone: Info is told of the rest
	Info      func(x *xmlstream.Reader) error
	Statement func(b Block, at Place, x *xmlstream.Reader) error
	Resource  func(b Block, at Place, x *xmlstream.Reader) error

	// Begin is told of each element that holds others, when it begins. At's last level is the
	// element.
	Begin func(at Place) error

	// Other is told of what has no function here: conditions, choices, anchors, annotations,
	// elements of other namespaces. It may read them. When it is nil they are unknown to the
	// reader: see xmlstream.Reader.OnUnknown.
	Other func(at Place, x *xmlstream.Reader) error
}

// Read reads the DIDL element at hand.
func Read(x *xmlstream.Reader, h Handler) error {
	e := x.Element()
	if e.Local != "DIDL" || e.Space != Namespace && e.Space != FirstEdition {
		return x.Errorf("want a DIDL of MPEG-21, found <%s> of namespace %q", e.Local, e.Space)
	}
	r := reader{Reader: x, h: h, space: e.Space}
	d := Document{Space: e.Space}
	for _, a := range e.Attrs {
		switch {
		case a.Space == "" && a.Local == "DIDLDocumentId":
			d.ID = a.Value
		case a.Space != xsi:
			d.Other = append(d.Other, a)
		}
	}
	if h.Document != nil {
		if err := h.Document(d); err != nil {
			return err
		}
	}
	return r.Each(r.child)
}

// reader reads one document.
type reader struct {
	*xmlstream.Reader
	h     Handler
	space string
	at    Place
	n     int
}

// child reads a child of the element that is open.
func (r *reader) child(e xmlstream.Element) error {
	if e.Space != r.space {
		return r.other()
	}
	switch e.Local {
	case "DIDLInfo":
		if r.h.Info != nil {
			return r.h.Info(r.Reader)
		}
		return nil
	case "Declarations":
		return r.Each(r.child)
	case string(Container), string(Item), string(Component), string(Descriptor):
		return r.level(e)
	case "Statement":
		return r.block(e, r.h.Statement)
	case "Resource":
		return r.block(e, r.h.Resource)
	}
	return r.other()
}

// level reads an element that holds others.
func (r *reader) level(e xmlstream.Element) error {
	r.n++
	r.at = append(r.at, Level{Kind(e.Local), e.Attr("id"), r.n})
	defer func() { r.at = r.at[:len(r.at)-1] }()
	if r.h.Begin != nil {
		if err := r.h.Begin(r.at); err != nil {
			return err
		}
	}
	return r.Each(r.child)
}

func (r *reader) block(e xmlstream.Element, told func(Block, Place, *xmlstream.Reader) error) error {
	if told == nil {
		return nil
	}
	var b Block
	for _, a := range e.Attrs {
		switch {
		case a.Space == xsi:
		case a.Space != "":
			b.Other = append(b.Other, a)
		case a.Local == "mimeType":
			b.MIMEType = a.Value
		case a.Local == "ref":
			b.Ref = a.Value
		case a.Local == "encoding":
			b.Encoding = a.Value
		case a.Local == "contentEncoding":
			b.ContentEncoding = strings.Fields(a.Value)
		default:
			b.Other = append(b.Other, a)
		}
	}
	return told(b, r.at, r.Reader)
}

func (r *reader) other() error {
	if r.h.Other == nil {
		return r.Unknown()
	}
	return r.h.Other(r.at, r.Reader)
}

// ReadInfo reads what a DIDLInfo says of when the document was made; ok is false when it says
// something else.
func ReadInfo(x *xmlstream.Reader) (created string, ok bool, err error) {
	err = x.Each(func(e xmlstream.Element) error {
		if !e.Is(DCTerms, "created") {
			return nil
		}
		ok = true
		return x.TextTo(&created)
	})
	if err != nil {
		err = fmt.Errorf("DIDLInfo: %w", err)
	}
	return strings.TrimSpace(created), ok, err
}
