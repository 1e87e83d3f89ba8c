package mets

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"quire/metadata/xmlstream"
)

// Options are the layout options. The zero value indents the document, one element per line.
type Options struct {
	Compact bool // no line breaks: smaller by a tenth, harder to read
}

// Payload writes the content of an mdWrap: one or more elements. Its error becomes the writer's.
type Payload func(*xmlstream.Writer) error

// Writer writes one METS document. Call its methods in the order of METS. After the first mistake
// or failed write, later calls do nothing, and Err and Close return the error. Memory does not grow
// with the document.
type Writer struct {
	x    *xmlstream.Writer
	open []level
	done bool // the root has ended
	part bool // writes a part for an existing document, without a root
	lent bool // x belongs to the caller, who writes more after the METS
}

// NewWriter returns a Writer of one document to out. Close does not close out.
func NewWriter(out io.Writer, opt Options) *Writer {
	return &Writer{x: xmlstream.NewWriter(out, xmlstream.Options{Indent: !opt.Compact})}
}

// NewInside returns a Writer that writes one METS document into x. The METS is inside another
// document, such as an OAI-PMH response. Close ends the METS and leaves x open.
func NewInside(x *xmlstream.Writer) *Writer { return &Writer{x: x, lent: true} }

// Err returns the error that stopped the writer, or nil. Callers in a long loop should check it
// regularly.
func (w *Writer) Err() error { return w.x.Err() }

// Start opens the document.
func (w *Writer) Start(r Root) {
	if w.x.Err() != nil {
		return
	}
	if len(w.open) > 0 || w.done {
		w.failf("the root element was already started")
		return
	}
	spaces := r.Namespaces
	if spaces == nil {
		spaces = WebArchive
	}
	w.x.Declare("mets", Namespace)
	w.x.Declare("xlink", XLinkNamespace)
	w.x.Declare("xsi", XSINamespace)
	locations := []string{Namespace + " " + cmp.Or(r.Schema, "http://www.loc.gov/standards/mets/mets.xsd")}
	for _, s := range spaces {
		w.x.Declare(s.Prefix, s.URI)
		if s.SchemaLocation != "" {
			locations = append(locations, s.URI+" "+s.SchemaLocation)
		}
	}
	w.x.Start("mets:mets")
	w.open = append(w.open, newLevel(kMets))
	w.x.Attr("xsi:schemaLocation", strings.Join(locations, " "))
	w.id(r.ID, false)
	w.x.AttrOpt("OBJID", r.ObjID)
	w.x.AttrOpt("LABEL", r.Label)
	w.x.AttrOpt("TYPE", r.Type)
	w.x.AttrOpt("PROFILE", r.Profile)
	w.foreign(r.Foreign)
}

// Header writes metsHdr.
func (w *Writer) Header(h Header) {
	if !w.admit(kMets, "metsHdr") {
		return
	}
	w.x.Start("mets:metsHdr")
	w.id(h.ID, false)
	w.x.AttrListOpt("ADMID", h.AdmID)
	w.x.AttrTimeOpt("CREATEDATE", h.Created)
	w.x.AttrTimeOpt("LASTMODDATE", h.Modified)
	w.x.AttrOpt("RECORDSTATUS", h.RecordStatus)
	w.foreign(h.Foreign)
	for _, a := range h.Agents {
		w.agent(a)
	}
	for _, id := range h.AltRecordIDs {
		w.identifier("mets:altRecordID", id)
	}
	if h.DocumentID.Value != "" {
		w.identifier("mets:metsDocumentID", h.DocumentID)
	}
	w.x.End("mets:metsHdr")
}

func (w *Writer) agent(a Agent) {
	w.x.Start("mets:agent")
	w.id(a.ID, false)
	w.oneOf("ROLE", a.Role, agentRoles, true)
	w.x.AttrOpt("OTHERROLE", a.OtherRole)
	w.oneOf("TYPE", a.Type, agentTypes, false)
	w.x.AttrOpt("OTHERTYPE", a.OtherType)
	w.x.Element("mets:name", a.Name)
	for _, n := range a.Notes {
		w.x.Start("mets:note")
		w.foreign(a.NotesForeign)
		w.x.Text(n)
		w.x.End("mets:note")
	}
	w.x.End("mets:agent")
}

func (w *Writer) identifier(name string, id Identifier) {
	w.x.Start(name)
	w.id(id.ID, false)
	w.x.AttrOpt("TYPE", id.Type)
	w.x.Text(id.Value)
	w.x.End(name)
}

// Close ends the document: it closes the root element and flushes the buffer. It fails if a part is
// missing or open, or after an earlier failure.
func (w *Writer) Close() error {
	if w.x.Err() == nil && len(w.open) != 1 {
		if len(w.open) == 0 {
			w.failf("the document was closed before it was started")
		} else {
			w.failf("the document was closed inside %s", w.open[len(w.open)-1].kind)
		}
	}
	if !w.part {
		w.end(kMets)
	}
	w.done = true
	if w.lent {
		return w.x.Err()
	}
	return w.x.Close()
}

// begin opens an element with children: child of parent, checked against the order of METS.
func (w *Writer) begin(parent kind, child kind) bool {
	if !w.admit(parent, string(child)) {
		return false
	}
	w.open = append(w.open, newLevel(child))
	w.x.Start(child.prefixed())
	return true
}

// end closes an element that begin opened.
func (w *Writer) end(k kind) {
	if w.x.Err() != nil {
		return
	}
	if len(w.open) == 0 || w.open[len(w.open)-1].kind != k {
		w.failf("%s ends, but %s is open", k, w.innermost())
		return
	}
	if lacks := w.open[len(w.open)-1].missing(); lacks != "" {
		w.failf("%s", lacks)
		return
	}
	w.open = w.open[:len(w.open)-1]
	w.x.End(k.prefixed())
}

// prefixed returns the name as written. Frequent calls join no strings.
func (k kind) prefixed() string {
	switch k {
	case kMets:
		return "mets:mets"
	case kAmdSec:
		return "mets:amdSec"
	case kFileSec:
		return "mets:fileSec"
	case kFileGrp:
		return "mets:fileGrp"
	case kFile:
		return "mets:file"
	case kStructMap:
		return "mets:structMap"
	case kDiv:
		return "mets:div"
	}
	return "mets:structLink"
}

// admit checks that child is allowed next inside parent.
func (w *Writer) admit(parent kind, child string) bool {
	if w.x.Err() != nil {
		return false
	}
	if len(w.open) == 0 || w.open[len(w.open)-1].kind != parent {
		w.failf("%s belongs in %s, but %s is open", child, parent, w.innermost())
		return false
	}
	if wrong := w.open[len(w.open)-1].admit(child); wrong != "" {
		w.failf("%s", wrong)
		return false
	}
	return true
}

func (w *Writer) innermost() string {
	if len(w.open) == 0 {
		return "nothing"
	}
	return string(w.open[len(w.open)-1].kind)
}

// id writes an ID attribute, which must be an NCName (type xs:ID).
func (w *Writer) id(id string, required bool) {
	if id == "" && !required {
		return
	}
	if !xmlstream.IsNCName(id) {
		w.failf("%q cannot be an ID: want a letter or _, then letters, digits, . _ -", id)
		return
	}
	w.x.Attr("ID", id)
}

// idref writes an attribute that points to an ID.
func (w *Writer) idref(name, id string) {
	if id == "" {
		return
	}
	if !xmlstream.IsNCName(id) {
		w.failf("%s: %q cannot be an ID", name, id)
		return
	}
	w.x.Attr(name, id)
}

// oneOf writes an attribute with a value from a closed list.
func (w *Writer) oneOf(name, value string, list []string, required bool) {
	switch {
	case value == "" && required:
		w.failf("attribute %s is required: one of %s", name, strings.Join(list, ", "))
	case !allowed(list, value):
		w.failf("%s=%q: want one of %s", name, value, strings.Join(list, ", "))
	default:
		w.x.AttrOpt(name, value)
	}
}

func (w *Writer) failf(format string, args ...any) {
	w.x.Fail(fmt.Errorf("mets: "+format, args...))
}
