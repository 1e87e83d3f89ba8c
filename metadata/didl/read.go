package didl

import (
	"fmt"
	"strings"

	"quire/metadata/xmlstream"
)

// Kind is the name of an element that can contain a statement or resource.
type Kind string

// The container elements.
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
	N    int // number of the element in the document, from 1: distinguishes elements without ID
}

// Place is the elements around a statement or resource, the outermost first.
type Place []Level

// String returns the place for people: "Item Component Descriptor".
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

// About returns the subject of a statement: the level outside its descriptors.
func (p Place) About() Level {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i].Kind != Descriptor {
			return p[i]
		}
	}
	return Level{}
}

// Described reports whether this is about a description and not about the declared item: a
// component in a descriptor.
func (p Place) Described() bool {
	for i := range p {
		if p[i].Kind == Descriptor && i < len(p)-1 && p[i+1].Kind != Descriptor {
			return true
		}
	}
	return false
}

// Handler receives the parts of a document, in order. Each function gets a reader at the current
// element and can read its content: text, elements, Base64 or anything else that [xmlstream.Reader]
// supports. Unread content is skipped. The slices are valid only during the call. A nil function
// skips.
type Handler struct {
	Document  func(d Document) error // only the attributes: Info gets the rest
	Info      func(x *xmlstream.Reader) error
	Statement func(b Block, at Place, x *xmlstream.Reader) error
	Resource  func(b Block, at Place, x *xmlstream.Reader) error

	// Begin receives the start of each container element. The element is at's last level.
	Begin func(at Place) error

	// Other receives elements without a function here: conditions, choices, anchors, annotations,
	// elements of other namespaces. It may read them. With nil they are unknown to the reader: see
	// xmlstream.Reader.OnUnknown.
	Other func(at Place, x *xmlstream.Reader) error
}

// Read reads the current DIDL element.
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

// level reads a container element.
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

// ReadInfo returns the document's creation time from a DIDLInfo; ok is false if the DIDLInfo has
// other content.
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
