package crate

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"quire/metadata/didl"
	"quire/metadata/xmlstream"
)

// ReadOptions say what is wanted of a document.
type ReadOptions struct {
	// Bytes is told of each resource whose bytes stand in the document, with all that was said
	// before it, which in a CRATE is everything. It gives the writer that the bytes go to as they
	// come; nil when they are not wanted. Read's caller looks at the Problem of the resource
	// afterwards: only then it is known whether they are whole. When Bytes is nil no bytes are
	// wanted.
	Bytes func(d *Document, r *Resource) (io.Writer, error)
}

// Read reads the DIDL element at hand: a CRATE, or what other providers make of DIDL. Memory does
// not grow with the bytes of resources; all else is bounded by the reader's limits
// ([xmlstream.Reader.Whole]). What is wrong in the document is told in it; an error is one of the
// XML around it, of the reader's source, or of a writer that Bytes gave.
func Read(x *xmlstream.Reader, o ReadOptions) (*Document, error) {
	r := &reading{Reader: x, o: o, doc: &Document{}, identifiers: map[int]string{}, twins: map[string]Fixity{}}
	err := x.Whole(func() error {
		return didl.Read(x, didl.Handler{Document: r.document, Info: r.info, Begin: r.begin, Statement: r.statement,
			Resource: r.resource, Other: r.other})
	})
	return r.doc, err
}

// reading reads one document.
type reading struct {
	*xmlstream.Reader
	o           ReadOptions
	doc         *Document
	identifiers map[int]string    // by the number of the level they identify
	components  int               // that have begun
	stated      Fixity            // of the bytes of this component
	twins       map[string]Fixity // of this component: the first bytes that were found in each content coding
}

func (r *reading) document(d didl.Document) error {
	r.doc.ID = d.ID
	return nil
}

func (r *reading) info(x *xmlstream.Reader) error {
	created, ok, err := didl.ReadInfo(x)
	if err != nil || !ok {
		return err
	}
	made, wrong := xmlstream.ParseTime(created)
	if wrong != nil {
		r.problem("%v", wrong)
	}
	r.doc.Created = made
	return nil
}

func (r *reading) begin(at didl.Place) error {
	if at[len(at)-1].Kind == didl.Component && !at.Described() {
		r.components++
		r.stated, r.twins = Fixity{Size: -1}, map[string]Fixity{}
	}
	return nil
}

// statement reads what a Statement holds: what is known here, and else what it is.
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
		r.problem("a Statement is encoded (%.20q) and stands here as it is", b.Encoding)
	}
	if strings.TrimSpace(s.Content) != "" || s.Ref != "" {
		r.doc.Statements = append(r.doc.Statements, s)
	}
	return nil
}

// known reads the element at hand if it is one of those that a CRATE is made of, and there is a
// place for it.
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
	case Namespace + " bytes":
		r.stated, err = r.bytes(e)
	default:
		return false, nil
	}
	return true, err
}

// identifier reads the dii:Identifier at hand, if it is the first one of what it stands in.
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

// other keeps an element that DIDL has and a CRATE has not, or that is of another vocabulary.
func (r *reading) other(at didl.Place, _ *xmlstream.Reader) error {
	var element bytes.Buffer
	if err := r.copyTo(&element); err != nil {
		return err
	}
	r.doc.Statements = append(r.doc.Statements, Statement{Place: at.String(), Content: element.String()})
	return nil
}

// copyTo copies the element at hand. That it cannot be written is a problem of this element alone.
func (r *reading) copyTo(out *bytes.Buffer) error {
	path := r.Path()
	w := xmlstream.NewWriter(out, xmlstream.Options{Fragment: true})
	err := r.CopyElement(w)
	if w.Err() == nil && err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		out.Reset()
		r.problem("%s cannot be kept: %v", path, err)
	}
	return nil
}

// unknown tells of the element at hand, which is skipped.
func (r *reading) unknown() error {
	e := r.Element()
	r.problem("element <%s> of namespace %q is not known here", e.Local, e.Space)
	return nil
}

// problem tells what is wrong in the document at this place.
func (r *reading) problem(format string, args ...any) {
	line, column := r.Place()
	r.doc.Problems = append(r.doc.Problems,
		fmt.Sprintf("line %d, column %d: ", line, column)+fmt.Sprintf(format, args...))
}
