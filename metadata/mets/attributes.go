package mets

import (
	"fmt"
	"strconv"
	"strings"

	"quire/metadata/xmlstream"
)

// attributeSpec is METS 1.12.1's definition of one attribute.
type attributeSpec struct {
	name     string
	required bool
	kind     string // a type below, or the name of a closed list; "" means any string
	list     []string
}

// specs lists the attributes of each METS element. "!" marks required attributes, and a type
// follows a colon. Attributes of other namespaces are not listed: METS allows them on most
// elements.
var specs = parseSpecs(map[string]string{
	"mets":           "ID:id OBJID LABEL TYPE PROFILE",
	"metsHdr":        "ID:id ADMID:idrefs CREATEDATE:time LASTMODDATE:time RECORDSTATUS",
	"agent":          "ID:id ROLE!:role OTHERROLE TYPE:agentType OTHERTYPE",
	"name":           "",
	"note":           "",
	"altRecordID":    "ID:id TYPE",
	"metsDocumentID": "ID:id TYPE",

	"dmdSec": mdSecAttrs, "techMD": mdSecAttrs, "rightsMD": mdSecAttrs, "sourceMD": mdSecAttrs,
	"digiprovMD": mdSecAttrs,
	"amdSec":     "ID:id",
	"mdRef":      "ID:id LABEL XPTR" + locationAttrs + metadataAttrs + fileCoreAttrs,
	"mdWrap":     "ID:id LABEL" + metadataAttrs + fileCoreAttrs,
	"xmlData":    "",

	"fileSec": "ID:id",
	"fileGrp": "ID:id VERSDATE:time ADMID:idrefs USE",
	"file": "ID!:id SEQ:integer OWNERID ADMID:idrefs DMDID:idrefs GROUPID USE BEGIN:offset END:offset BETYPE:byte" +
		fileCoreAttrs,
	"FLocat": "ID:id USE" + locationAttrs,
	"transformFile": "ID:id TRANSFORMTYPE!:transform TRANSFORMALGORITHM! TRANSFORMKEY TRANSFORMBEHAVIOR:idref " +
		"TRANSFORMORDER!:positive",

	"structMap": "ID:id TYPE LABEL",
	"div":       "ID:id ORDER:integer ORDERLABEL LABEL DMDID:idrefs ADMID:idrefs TYPE CONTENTIDS",
	"mptr":      "ID:id CONTENTIDS" + locationAttrs,
	"fptr":      "ID:id FILEID:idref CONTENTIDS",
	"area": "ID:id FILEID!:idref SHAPE:shape COORDS BEGIN END BETYPE:betype EXTENT EXTTYPE:exttype ADMID:idrefs " +
		"CONTENTIDS " +
		"ORDER:integer ORDERLABEL LABEL",
	"structLink": "ID:id",
	"smLink":     "ID:id",
})

// The attribute groups of the schema.
const (
	mdSecAttrs    = "ID!:id GROUPID ADMID:idrefs CREATED:time STATUS"
	locationAttrs = " LOCTYPE!:loctype OTHERLOCTYPE"
	metadataAttrs = " MDTYPE!:mdtype OTHERMDTYPE MDTYPEVERSION"
	fileCoreAttrs = " MIMETYPE SIZE:integer CREATED:time CHECKSUM CHECKSUMTYPE:checksumtype"
)

var lists = map[string][]string{
	"role": agentRoles, "agentType": agentTypes, "mdtype": mdTypes, "loctype": locTypes, "checksumtype": checksumTypes,
	"transform": transformTypes, "shape": shapes, "betype": beTypes, "exttype": extTypes, "byte": {"BYTE"},
}

func parseSpecs(table map[string]string) map[string][]attributeSpec {
	out := map[string][]attributeSpec{}
	for element, list := range table {
		out[element] = []attributeSpec{}
		for field := range strings.FieldsSeq(list) {
			name, kind, _ := strings.Cut(field, ":")
			name, required := strings.CutSuffix(name, "!")
			out[element] = append(out[element], attributeSpec{name, required, kind, lists[kind]})
		}
	}
	return out
}

// recentSpecs are the attributes of recent elements: few names repeat in a document.
type recentSpecs [64]struct {
	element string
	list    []attributeSpec
}

// of returns the attributes of an element, and whether METS has it.
func (r *recentSpecs) of(element string) (list []attributeSpec, ours bool) {
	if element == "" {
		return nil, false
	}
	slot := &r[(11*len(element)+int(element[0]))%len(r)]
	if slot.element == element {
		return slot.list, true
	}
	if list, ours = specs[element]; ours {
		slot.element, slot.list = element, list
	}
	return list, ours
}

// check validates an element's attributes by the schema, and passes IDs and references on.
func (m *reader) check(e xmlstream.Element) error {
	list, ours := m.specs.of(e.Local)
	if !ours {
		return nil // an element without a type in this package
	}
	for i := range list {
		s := &list[i]
		if !s.required {
			continue
		}
		if _, has := e.Lookup("", s.name); !has {
			if err := m.problem("%s needs the attribute %s", e.Local, s.name); err != nil {
				return err
			}
		}
	}
	for i := range e.Attrs {
		a := &e.Attrs[i]
		if a.Space != "" {
			continue
		}
		if err := m.checkAttr(e.Local, list, a); err != nil {
			return err
		}
	}
	return nil
}

func (m *reader) checkAttr(element string, list []attributeSpec, a *xmlstream.Attribute) error {
	for i := range list {
		s := &list[i]
		if s.name != a.Local {
			continue
		}
		if wrong := m.checkValue(element, s, a.Value); wrong != "" {
			return m.problem("%s: %s=%q %s", element, a.Local, a.Value, wrong)
		}
		return nil
	}
	return m.problem("%s cannot have the attribute %s", element, a.Local)
}

// checkValue returns the error in a value, or "".
func (m *reader) checkValue(element string, s *attributeSpec, v string) string {
	switch s.kind {
	case "":
		return ""
	case "id":
		if m.h.ID != nil {
			m.h.ID(element, v)
		}
		return wrongID(v)
	case "idref", "idrefs":
		return m.checkRefs(s, v)
	case "time":
		_, err := xmlstream.ParseTime(v)
		return wrongIf(v == "" || err != nil, "is no xs:dateTime")
	case "integer":
		_, err := strconv.ParseInt(v, 10, 64)
		return wrongIf(err != nil, "is not a whole number")
	case "offset":
		n, err := strconv.ParseInt(v, 10, 64)
		return wrongIf(err != nil || n < 0, "is not a byte offset")
	case "positive":
		n, err := strconv.ParseInt(v, 10, 64)
		return wrongIf(err != nil || n < 1, "is not a number from 1")
	}
	if v == "" || !allowed(s.list, v) {
		return "is not one of " + strings.Join(s.list, ", ")
	}
	return ""
}

func (m *reader) checkRefs(s *attributeSpec, v string) string {
	if xmlstream.IsNCName(v) { // the usual list of one
		if m.h.IDRef != nil {
			m.h.IDRef(s.name, v)
		}
		return ""
	}
	refs := fields(v)
	if len(refs) == 0 || s.kind == "idref" && len(refs) > 1 {
		return "is no reference"
	}
	for _, ref := range refs {
		if m.h.IDRef != nil {
			m.h.IDRef(s.name, ref)
		}
		if wrong := wrongID(ref); wrong != "" {
			return wrong
		}
	}
	return ""
}

func wrongIf(wrong bool, text string) string {
	if wrong {
		return text
	}
	return ""
}

// wrongID checks xs:ID. Letters beyond ASCII are accepted unchecked, because only the schema lists
// them.
func wrongID(id string) string {
	if xmlstream.IsNCName(id) {
		return ""
	}
	ascii := strings.Map(func(r rune) rune {
		if r >= 0x80 {
			return 'x'
		}
		return r
	}, id)
	return wrongIf(!xmlstream.IsNCName(ascii), "cannot be an ID")
}

// problem reports a breach of METS. Without a listener it is an error, so that no breach goes
// unnoticed.
func (m *reader) problem(format string, args ...any) error {
	if m.h.Problem == nil {
		return m.r.Errorf(format, args...)
	}
	line, column := m.r.Place()
	m.h.Problem(Problem{Line: line, Column: column, Path: m.r.Path(), Message: fmt.Sprintf(format, args...)})
	return nil
}
