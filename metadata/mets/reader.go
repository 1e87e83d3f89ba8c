package mets

import (
	"fmt"
	"io"
	"strings"

	"quire/metadata/xmlstream"
)

// Handler receives the parts of a METS document, in the order of the document. A nil function skips
// its part; an error from a function ends the reading. Slices, pointers and readers are valid only
// during the call.
type Handler struct {
	Root   func(Root) error
	Header func(Header) error

	// Section receives each dmdSec and each part of an amdSec. payload is at a wrapped element, or
	// is nil if nothing is wrapped. If several elements are wrapped, Section is called for each.
	Section func(s Section, payload *xmlstream.Reader) error

	// File receives each file, after the file that contains it.
	File func(f File, at FilePlace) error

	StructMap func(StructMap) error
	Div       func(d Div, depth int) error // depth is 0 for the division of the structMap
	EndDiv    func() error
	Mptr      func(Mptr) error
	Fptr      func(Fptr) error
	SmLink    func(SmLink) error

	// Other receives valid elements without a type in this package: FContent, stream, binData, par,
	// seq, smLinkGrp, behaviorSec. Unread content of the element is skipped.
	Other func(e xmlstream.Element, r *xmlstream.Reader) error

	// Problem receives breaches of the METS schema that are visible without memory: order, unknown
	// elements, attributes that are missing, not allowed or of the wrong type. With nil, the first
	// problem ends the reading.
	Problem func(Problem)

	// ID and IDRef receive every ID, with its element, and every reference to one, of METS's own
	// attributes. The caller must check that IDs are unique and that references are valid, because
	// that takes memory.
	ID    func(element, id string)
	IDRef func(attribute, id string)

	Limits xmlstream.Limits
}

// FilePlace is the place of a file in the fileSec.
type FilePlace struct {
	Groups []FileGrp // from the outermost
	Files  []string  // IDs of the files that contain it, from the outermost
}

// Problem is one breach of the METS schema.
type Problem struct {
	Line, Column int    // one-based; just after the place
	Path         string // the open elements: "/mets/fileSec"
	Message      string
}

// String returns the problem on one line.
func (p Problem) String() string {
	return fmt.Sprintf("line %d, column %d, in %s: %s", p.Line, p.Column, p.Path, p.Message)
}

// Read reads one METS document and passes its parts to h. Memory does not grow with the document.
// The error comes from h, or reports where the document stops being XML, or METS if h.Problem is
// nil.
func Read(in io.Reader, h Handler) error {
	m := &reader{r: xmlstream.NewReader(in, h.Limits), h: h}
	root, err := m.r.Root()
	if err != nil {
		return err
	}
	if !root.Is(Namespace, "mets") {
		return m.r.Errorf("the root is <%s> of namespace %q, not METS 1", root.Local, root.Space)
	}
	if err := m.root(root); err != nil {
		return err
	}
	return m.r.Finish()
}

type reader struct {
	r      *xmlstream.Reader
	h      Handler
	groups []FileGrp
	files  []string
	amdSec string
	area   Area // of the current fptr
	specs  recentSpecs
}

func (m *reader) root(e xmlstream.Element) error {
	if err := m.check(e); err != nil {
		return err
	}
	if m.h.Root != nil {
		root := Root{ID: e.Attr("ID"), ObjID: e.Attr("OBJID"), Label: e.Attr("LABEL"), Type: e.Attr("TYPE"),
			Profile: e.Attr("PROFILE")}
		if err := m.h.Root(root); err != nil {
			return err
		}
	}
	return m.children(kMets, m.section)
}

// section reads one of the sections of the document.
func (m *reader) section(e xmlstream.Element) error {
	switch e.Local {
	case "metsHdr":
		return m.header(e)
	case "dmdSec":
		return m.metadata(e)
	case "amdSec":
		m.amdSec = e.Attr("ID")
		defer func() { m.amdSec = "" }()
		return m.children(kAmdSec, m.metadata)
	case "fileSec":
		return m.children(kFileSec, m.fileGrp)
	case "structMap":
		return m.structMap(e)
	case "structLink":
		return m.children(kStructLink, m.smLink)
	}
	return m.other(e)
}

// children visits and checks the children of an element with a fixed order, and reports those out
// of order.
func (m *reader) children(k kind, visit func(xmlstream.Element) error) error {
	l := newLevel(k)
	if err := m.r.Each(func(e xmlstream.Element) error {
		if e.Space != Namespace {
			return m.unexpected(e, string(k))
		}
		if wrong := l.admit(e.Local); wrong != "" {
			if err := m.problem("%s", wrong); err != nil || !known(k, e.Local) {
				return err
			}
		}
		if err := m.check(e); err != nil {
			return err
		}
		return visit(e)
	}); err != nil {
		return err
	}
	if lacks := l.missing(); lacks != "" {
		return m.problem("%s", lacks)
	}
	return nil
}

// known reports whether the element may occur in k, in any order.
func known(k kind, name string) bool {
	for _, r := range k.order() {
		if r.name == name {
			return true
		}
	}
	return false
}

// unexpected reports an element that METS does not allow.
func (m *reader) unexpected(e xmlstream.Element, parent string) error {
	return m.problem("<%s> of namespace %q does not belong in %s", e.Local, e.Space, parent)
}

// leaf visits the few children of an element without a fixed order.
func (m *reader) leaf(parent string, visit func(xmlstream.Element) error) error {
	return m.r.Each(func(e xmlstream.Element) error {
		if e.Space != Namespace {
			return m.unexpected(e, parent)
		}
		if err := m.check(e); err != nil {
			return err
		}
		return visit(e)
	})
}

// empty checks that an element has no children.
func (m *reader) empty(parent string) error {
	return m.leaf(parent, func(e xmlstream.Element) error { return m.unexpected(e, parent) })
}

func (m *reader) other(e xmlstream.Element) error {
	if m.h.Other != nil {
		return m.h.Other(e, m.r)
	}
	return nil
}

// fields splits a list of references, or of URIs.
func fields(list string) []string {
	switch {
	case list == "":
		return nil
	case isOne(list):
		return []string{list}
	}
	return strings.Fields(list)
}

// isOne reports whether a list certainly is one word, as most are: it is ASCII without white space.
func isOne(list string) bool {
	for i := range len(list) {
		if c := list[i]; c <= ' ' || c >= 0x80 {
			return false
		}
	}
	return true
}
