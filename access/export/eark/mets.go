package eark

import (
	"io"

	"quire/metadata/mets"
)

// Names of the specifications.
const (
	csipNamespace = "https://DILCIS.eu/XML/METS/CSIPExtensionMETS"
	csipSchema    = "https://earkcsip.dilcis.eu/schema/DILCISExtensionMETS.xsd"
	dipProfile    = "https://earkdip.dilcis.eu/profile/E-ARK-DIP-v2-2-0.xml"
)

// WARC is the content information type, because CSIP's list has no entry for web archives (CSIP5,
// CSIP63).
const WARC = "Web archive: WARC (ISO 28500)"

// category is the DILCIS term for the content (CSIP2; vocabulary of content categories). Some
// validators do not know the newer "Web Archives" yet.
const category = "Websites"

// contentType returns our own description of the content, because the list has none.
func contentType(words string) []mets.Foreign {
	return []mets.Foreign{{Name: "csip:CONTENTINFORMATIONTYPE", Value: "OTHER"},
		{Name: "csip:OTHERCONTENTINFORMATIONTYPE", Value: words}}
}

// rep is the only representation.
const rep = "representations/rep1"

// Paths of the METS of the package, and of the representation.
const (
	metsName = "METS.xml"
	repName  = rep + "/METS.xml"
)

// start writes the start of the METS of the package, or of the representation (CSIP1 to CSIP16).
func (p *packer) start(w *mets.Writer, path, id, label string) {
	w.Start(mets.Root{ObjID: id, Label: label, Type: category, Profile: dipProfile, Foreign: contentType(WARC),
		Schema: schemaFor(path, metsXSD),
		Namespaces: []mets.NamespaceDecl{{Prefix: "csip", URI: csipNamespace,
			SchemaLocation: schemaFor(path, csipXSD)}}})
	name, version := p.software()
	w.Header(mets.Header{Created: p.date, Modified: p.date, RecordStatus: "NEW",
		Foreign: []mets.Foreign{{Name: "csip:OAISPACKAGETYPE", Value: "DIP"}},
		Agents: []mets.Agent{{Role: "CREATOR", Type: "OTHER", OtherType: "SOFTWARE", Name: name,
			Notes:        []string{version},
			NotesForeign: []mets.Foreign{{Name: "csip:NOTETYPE", Value: "SOFTWARE VERSION"}}}}})
}

// section is one metadata file, for the sections of METS.
type section struct {
	id   string
	kind mets.SectionKind
	meta mets.MetadataType
	file entry
}

// sections writes the dmdSecs and the amdSec; each refers to a file (CSIP17 to CSIP57).
func (p *packer) sections(w *mets.Writer, list []section) {
	frame := func(s *section) mets.Section {
		return mets.Section{ID: s.id, Created: p.date, Status: "CURRENT",
			Ref: &mets.Ref{Location: location(s.file.Path), MetadataType: s.meta, FileCore: p.core(&s.file)}}
	}
	for i := range list {
		if list[i].kind == mets.DmdSec {
			w.Dmd(frame(&list[i]), nil)
		}
	}
	w.StartAmdSec("AMD")
	for _, kind := range []mets.SectionKind{mets.RightsMD, mets.DigiprovMD} {
		for i := range list {
			switch s := frame(&list[i]); {
			case list[i].kind != kind:
			case kind == mets.RightsMD:
				w.Rights(s, nil)
			default:
				w.Digiprov(s, nil)
			}
		}
	}
	w.EndAmdSec()
}

// ids returns the IDs of the sections of descriptive metadata, or of the others.
func ids(list []section, descriptive bool) (all []string) {
	for _, s := range list {
		if (s.kind == mets.DmdSec) == descriptive {
			all = append(all, s.id)
		}
	}
	return all
}

// group writes a group of files (CSIP60 to CSIP79).
func (p *packer) group(w *mets.Writer, id, use string, foreign []mets.Foreign, l *ledger) error {
	w.StartFileGrp(mets.FileGrp{ID: id, Use: use, Foreign: foreign})
	err := l.list.Each(func(e entry) error {
		w.File(mets.File{ID: e.ID, FileCore: p.core(&e), OwnerID: e.Note,
			Locations: []mets.FLocat{{Location: location(e.Path)}}})
		return w.Err()
	})
	w.EndFileGrp()
	return err
}

// rootMETS writes the METS of the package.
func (p *packer) rootMETS(out io.Writer) error {
	w := mets.NewWriter(out, mets.Options{})
	p.start(w, metsName, p.objID, p.title)
	p.sections(w, p.meta)
	w.StartFileSec("FILES")
	if err := p.group(w, "GRP-documentation", "Documentation", contentType("Documentation"), p.documents); err != nil {
		return err
	}
	if err := p.group(w, "GRP-schemas", "Schemas", contentType("Schemas"), p.schemas); err != nil {
		return err
	}
	if err := p.group(w, "GRP-rep1", "Representations/rep1", contentType(WARC), p.reps); err != nil {
		return err
	}
	w.EndFileSec()
	w.StartStructMap(mets.StructMap{ID: "STRUCT", Type: "PHYSICAL", Label: "CSIP"})
	w.StartDiv(mets.Div{ID: "DIV", Label: p.objID})
	div(w, mets.Div{ID: "DIV-metadata", Label: "Metadata", DmdID: ids(p.meta, true), AdmID: ids(p.meta, false)}, "")
	div(w, mets.Div{ID: "DIV-documentation", Label: "Documentation"}, "GRP-documentation")
	div(w, mets.Div{ID: "DIV-schemas", Label: "Schemas"}, "GRP-schemas")
	w.StartDiv(mets.Div{ID: "DIV-representations", Label: "Representations"})
	w.Fptr(mets.Fptr{FileID: "GRP-rep1"})
	w.StartDiv(mets.Div{ID: "DIV-rep1", Label: "Representations/rep1"})
	l := location(repName)
	l.Title = "GRP-rep1" // CSIP108: the group of the pointer
	w.Mptr(mets.Mptr{Location: l})
	w.EndDiv()
	w.EndDiv()
	w.EndDiv()
	w.EndStructMap()
	return w.Close()
}

// repMETS writes the METS of the representation.
func (p *packer) repMETS(out io.Writer) error {
	w := mets.NewWriter(out, mets.Options{})
	p.start(w, repName, "rep1", p.title)
	p.sections(w, p.repMeta)
	hasData := p.data.count > 0
	if hasData {
		w.StartFileSec("FILES")
		if err := p.group(w, "GRP-data", "Data", contentType(WARC), p.data); err != nil {
			return err
		}
		w.EndFileSec()
	}
	w.StartStructMap(mets.StructMap{ID: "STRUCT", Type: "PHYSICAL", Label: "CSIP"})
	w.StartDiv(mets.Div{ID: "DIV", Label: "rep1"})
	div(w, mets.Div{ID: "DIV-metadata", Label: "Metadata", DmdID: ids(p.repMeta, true), AdmID: ids(p.repMeta, false)},
		"")
	if hasData {
		div(w, mets.Div{ID: "DIV-data", Label: "Data"}, "GRP-data")
	}
	w.EndDiv()
	w.EndStructMap()
	return w.Close()
}

// div writes a division with its file group: in CSIP, pointers name groups.
func div(w *mets.Writer, d mets.Div, group string) {
	w.StartDiv(d)
	if group != "" {
		w.Fptr(mets.Fptr{FileID: group})
	}
	w.EndDiv()
}
