package mets

import (
	"fmt"
	"io"

	"quire/metadata/xmlstream"
)

// Handler is told what a METS document says, in the order of the document. A nil function passes
// its part over; an error a function returns ends the reading. Slices and readers handed in are
// valid during the call.
type Handler struct {
	Root   func(Root) error
	Header func(Header) error

	// Section is told each dmdSec and each part of an amdSec. payload stands at an element that is
	// wrapped, and is nil when nothing is; where several are wrapped, Section is called for each.
	Section func(s Section, payload *xmlstream.Reader) error

	// File is told each file after the file it lies in.
	File func(f File, at FilePlace) error

	StructMap func(StructMap) error
	Div       func(d Div, depth int) error // depth is 0 for the division of the structMap
	EndDiv    func() error
	Mptr      func(Mptr) error
	Fptr      func(Fptr) error
	SmLink    func(SmLink) error

	// Other is told legal elements this package has no type for: FContent, stream, binData, par,
	// seq, smLinkGrp, behaviorSec. What it does not read of the element is skipped.
	Other func(e xmlstream.Element, r *xmlstream.Reader) error

	// Problem is told what breaks the schema of METS, as far as it can be seen without memory:
	// order, unknown elements, attributes that are required, not allowed or of the wrong type. When
	// it is nil the first problem ends the reading.
	Problem func(Problem)

	// ID and IDRef are told every ID, with the element that has it, and every reference to one, of
	// METS's own attributes. Whether IDs are unique and references lead to what they should takes
	// memory, and is for the caller to check.
	ID    func(element, id string)
	IDRef func(attribute, id string)

	Limits xmlstream.Limits
}

// FilePlace says where a file stands in the fileSec.
type FilePlace struct {
	Groups []FileGrp // from the outermost
	Files  []string  // IDs of the files it lies in, from the outermost
}

// Problem is one thing that breaks the schema of METS.
type Problem struct {
	Line, Column int    // one-based; just behind the place
	Path         string // the elements that were open: "/mets/fileSec"
	Message      string
}

// String writes the problem on one line.
func (p Problem) String() string {
	return fmt.Sprintf("line %d, column %d, in %s: %s", p.Line, p.Column, p.Path, p.Message)
}

// Read reads one METS document and tells h what it says. Memory does not grow with the document.
// The error is one of h's, or says where the document stops being XML, or METS when h.Problem is
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

// children visits the children of an element whose order METS binds, each checked, and tells what
// is out of order.
func (m *reader) children(k kind, visit func(xmlstream.Element) error) error {
	l := level{kind: k}
	if err := m.r.Each(func(e xmlstream.Element) error {
		if e.Space != Namespace {
			return m.stranger(e, string(k))
		}
		if wrong := l.admit(e.Local); wrong != "" {
			if err := m.problem("%s", wrong); err != nil || !known(k, e.Local) {
				return err
			}
		}
		if _, ours := specs[e.Local]; ours {
			if err := m.check(e); err != nil {
				return err
			}
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

// known reports whether the element has a place in k at all, be it out of order.
func known(k kind, name string) bool {
	for _, r := range order[k] {
		if r.name == name {
			return true
		}
	}
	return false
}

// stranger tells of an element where METS allows none.
func (m *reader) stranger(e xmlstream.Element, parent string) error {
	return m.problem("<%s> of namespace %q does not belong in %s", e.Local, e.Space, parent)
}

// leaf visits the children of an element that are few and free of order rules here.
func (m *reader) leaf(parent string, visit func(xmlstream.Element) error) error {
	return m.r.Each(func(e xmlstream.Element) error {
		if e.Space != Namespace {
			return m.stranger(e, parent)
		}
		if _, ours := specs[e.Local]; ours {
			if err := m.check(e); err != nil {
				return err
			}
		}
		return visit(e)
	})
}

// empty makes sure that an element has no children.
func (m *reader) empty(parent string) error {
	return m.leaf(parent, func(e xmlstream.Element) error { return m.stranger(e, parent) })
}

func (m *reader) other(e xmlstream.Element) error {
	if m.h.Other != nil {
		return m.h.Other(e, m.r)
	}
	return nil
}
