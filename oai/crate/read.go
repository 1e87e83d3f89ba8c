package crate

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"quire/metadata/didl"
	"quire/metadata/xmlstream"
)

// ReadOptions are the options of Read.
type ReadOptions struct {
	// Bytes is called for each resource whose bytes are in the document, with the document read so
	// far; in a CRATE that is all of it. It returns a writer for the bytes, or nil to skip them.
	// Afterwards the caller must check the resource's Problem: only then is it known whether the
	// bytes are complete. A nil Bytes skips all bytes.
	Bytes func(d *Document, r *Resource) (io.Writer, error)
}

// Read reads the current DIDL element: a CRATE, or another provider's DIDL. Memory does not grow
// with the bytes of resources; the reader's limits bound the rest ([xmlstream.Reader.Whole]).
// Document.Problems lists errors in the document. Read returns only errors of the XML around it,
// the reader's source, or a writer from Bytes.
func Read(x *xmlstream.Reader, o ReadOptions) (*Document, error) {
	r := &reading{Reader: x, o: o, doc: &Document{}, identifiers: map[int]string{}, twins: map[string]Fixity{}}
	err := x.Whole(func() error {
		return didl.Read(x, didl.Handler{Document: r.document, Info: r.info, Begin: r.begin, Statement: r.statement,
			Resource: r.resource, Other: r.other})
	})
	return r.doc, err
}

// reading is the reading of one document.
type reading struct {
	*xmlstream.Reader
	o           ReadOptions
	doc         *Document
	identifiers map[int]string    // by the number of their level
	components  int               // number of components begun
	stated      Fixity            // of the bytes of this component
	name        string            // of them
	modified    time.Time         // likewise
	twins       map[string]Fixity // of this component: the first bytes found in each content coding
}

func (r *reading) document(d didl.Document) error {
	r.doc.ID = d.ID
	return nil
}

func (r *reading) begin(at didl.Place) error {
	if at[len(at)-1].Kind == didl.Component && !at.Described() {
		r.components++
		r.stated, r.twins = Fixity{Size: -1}, map[string]Fixity{}
		r.name, r.modified = "", time.Time{}
	}
	return nil
}

// statement reads the content of a Statement, interpreted if possible.
func (r *reading) statement(b didl.Block, at didl.Place, x *xmlstream.Reader) error {
	var text strings.Builder
	var elements bytes.Buffer
	err := x.Mixed(func(s string) error {
		text.WriteString(s)
		return nil
	}, func(e xmlstream.Element) error {
		if known, err := r.known(e, at); known || err != nil {
			return err
		}
		return r.copyTo(&elements)
	})
	if err != nil {
		return err
	}
	s := Statement{Place: at.String(), MIMEType: b.MIMEType, Ref: b.Ref, Content: elements.String()}
	switch said := text.String(); {
	case elements.Len() == 0:
		s.Content = said
	case strings.TrimSpace(said) != "":
		r.problem("text beside an element in a Statement: %.100q", said)
	}
	if b.Encoding != "" {
		r.problem("a Statement is encoded (%.20q); it is kept undecoded", b.Encoding)
	}
	if strings.TrimSpace(s.Content) != "" || s.Ref != "" {
		r.doc.Statements = append(r.doc.Statements, s)
	}
	return nil
}

// known reads the current element if it is part of a CRATE in a valid position.
func (r *reading) known(e xmlstream.Element, at didl.Place) (known bool, err error) {
	switch e.Space + " " + e.Local {
	case didl.DIINamespace + " Identifier":
		return r.identifier(at)
	case HeadNamespace + " header":
		if r.doc.Head != nil {
			return false, nil
		}
		r.doc.Head, err = r.head(e)
	case Namespace + " plugin":
		said, err := r.plugin(e)
		r.doc.Results = append(r.doc.Results, said)
		return true, err
	case Namespace + " notice":
		n := Notice{Code: Code(e.Attr("code"))}
		err := r.TextTo(&n.Text)
		r.doc.Notices = append(r.doc.Notices, n)
		return true, err
	case Namespace + " source":
		return true, r.source(e)
	case Namespace + " bytes":
		r.name, r.modified = e.Attr("name"), r.timeAttr(e, "modified")
		r.stated, err = r.bytes(e)
	default:
		return false, nil
	}
	return true, err
}

// identifier reads the current dii:Identifier if it is the first one of its parent.
func (r *reading) identifier(at didl.Place) (known bool, err error) {
	about := at.About()
	if _, again := r.identifiers[about.N]; again || at.Described() {
		return false, nil
	}
	var id string
	if err := r.TextTo(&id); err != nil {
		return true, err
	}
	id = strings.TrimSpace(id)
	r.identifiers[about.N] = id
	if r.doc.Identifier == "" && about.Kind == didl.Item && at[0] == about {
		r.doc.Identifier = id
	}
	return true, nil
}

// other keeps an element of DIDL, or of another vocabulary, that is not part of a CRATE.
func (r *reading) other(at didl.Place, _ *xmlstream.Reader) error {
	var element bytes.Buffer
	if err := r.copyTo(&element); err != nil {
		return err
	}
	r.doc.Statements = append(r.doc.Statements, Statement{Place: at.String(), Content: element.String()})
	return nil
}

// copyTo copies the current element. If it cannot be written, only this element has a problem.
func (r *reading) copyTo(out *bytes.Buffer) error {
	path := r.Path()
	w := xmlstream.NewWriter(out, xmlstream.Options{Fragment: true})
	err := r.CopyElement(w)
	if w.Err() == nil && err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		out.Reset()
		r.problem("%s cannot be stored: %v", path, err)
	}
	return nil
}

// unknown reports the current element, which is skipped.
func (r *reading) unknown() error {
	e := r.Element()
	r.problem("unknown element <%s> of namespace %q", e.Local, e.Space)
	return nil
}

// problem reports an error at the current position of the document.
func (r *reading) problem(format string, args ...any) {
	line, column := r.Place()
	r.doc.Problems = append(r.doc.Problems,
		fmt.Sprintf("line %d, column %d: ", line, column)+fmt.Sprintf(format, args...))
}
