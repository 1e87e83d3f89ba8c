package mets

import "quire/metadata/xmlstream"

// Dmd writes a dmdSec: descriptive metadata. payload writes the wrapped content, and is nil if
// s.Ref refers to the metadata.
func (w *Writer) Dmd(s Section, payload Payload) {
	if w.admit(kMets, string(DmdSec)) {
		w.section("mets:dmdSec", s, payload)
	}
}

// StartAmdSec opens an amdSec: administrative metadata. The id may be empty.
func (w *Writer) StartAmdSec(id string) {
	if w.begin(kMets, kAmdSec) {
		w.id(id, false)
	}
}

// EndAmdSec closes the amdSec.
func (w *Writer) EndAmdSec() { w.end(kAmdSec) }

// Tech writes a techMD into the open amdSec: technical metadata of a file.
func (w *Writer) Tech(s Section, payload Payload) {
	if w.admit(kAmdSec, string(TechMD)) {
		w.section("mets:techMD", s, payload)
	}
}

// Rights writes a rightsMD into the open amdSec: the permitted uses.
func (w *Writer) Rights(s Section, payload Payload) {
	if w.admit(kAmdSec, string(RightsMD)) {
		w.section("mets:rightsMD", s, payload)
	}
}

// Source writes a sourceMD into the open amdSec: the source of the content.
func (w *Writer) Source(s Section, payload Payload) {
	if w.admit(kAmdSec, string(SourceMD)) {
		w.section("mets:sourceMD", s, payload)
	}
}

// Digiprov writes a digiprovMD into the open amdSec: the events and agents of the content.
func (w *Writer) Digiprov(s Section, payload Payload) {
	if w.admit(kAmdSec, string(DigiprovMD)) {
		w.section("mets:digiprovMD", s, payload)
	}
}

// section writes the frame, and the metadata in it or the reference to it.
func (w *Writer) section(name string, s Section, payload Payload) {
	if (payload != nil) != (s.Wrap != nil) {
		w.failf("%s %s: Wrap and payload must be set together", name, s.ID)
		return
	}
	if s.Wrap == nil && s.Ref == nil {
		w.failf("%s %s: neither wraps metadata nor refers to it", name, s.ID)
		return
	}
	w.x.Start(name)
	w.id(s.ID, true)
	w.x.AttrOpt("GROUPID", s.GroupID)
	w.x.AttrListOpt("ADMID", s.AdmID)
	w.x.AttrTimeOpt("CREATED", s.Created)
	w.x.AttrOpt("STATUS", s.Status)
	if s.Ref != nil {
		w.mdRef(s.Ref)
	}
	if s.Wrap != nil {
		w.mdWrap(s.Wrap, payload)
	}
	w.x.End(name)
}

func (w *Writer) mdRef(r *Ref) {
	w.x.Start("mets:mdRef")
	w.id(r.ID, false)
	w.location(&r.Location)
	w.metadataType(&r.MetadataType)
	w.fileCore(&r.FileCore)
	w.x.AttrOpt("LABEL", r.Label)
	w.x.AttrOpt("XPTR", r.XPtr)
	w.x.End("mets:mdRef")
}

func (w *Writer) mdWrap(m *Wrap, payload Payload) {
	w.x.Start("mets:mdWrap")
	w.id(m.ID, false)
	w.metadataType(&m.MetadataType)
	w.fileCore(&m.FileCore)
	w.x.AttrOpt("LABEL", m.Label)
	w.x.Start("mets:xmlData")
	if err := w.x.Err(); err == nil {
		if err := payload(w.x); err != nil {
			w.x.Fail(err)
		}
	}
	w.x.End("mets:xmlData")
	w.x.End("mets:mdWrap")
}

func (w *Writer) metadataType(t *MetadataType) {
	w.oneOf("MDTYPE", t.MDType, mdTypes, true)
	w.x.AttrOpt("OTHERMDTYPE", t.OtherMDType)
	w.x.AttrOpt("MDTYPEVERSION", t.MDTypeVersion)
}

// location writes the location of an object. METS makes the href optional.
func (w *Writer) location(l *Location) {
	w.oneOf("LOCTYPE", l.LocType, locTypes, true)
	w.x.AttrOpt("OTHERLOCTYPE", l.OtherLocType)
	if !xmlstream.IsURI(l.Href) || !xmlstream.IsURI(l.Role) {
		w.failf("xlink:href %q with role %q: both must be URIs; for a file of the package, Href makes one", l.Href,
			l.Role)
	}
	w.x.Attr("xlink:type", "simple")
	w.x.AttrOpt("xlink:href", l.Href)
	w.x.AttrOpt("xlink:role", l.Role)
	w.x.AttrOpt("xlink:title", l.Title)
}

func (w *Writer) fileCore(f *FileCore) {
	w.x.AttrOpt("MIMETYPE", f.MIMEType)
	if size, ok := f.Size.Get(); ok && size < 0 {
		w.failf("SIZE %d is negative", size)
	}
	w.x.AttrIntOpt("SIZE", f.Size)
	w.x.AttrTimeOpt("CREATED", f.Created)
	w.x.AttrOpt("CHECKSUM", f.Checksum)
	w.oneOf("CHECKSUMTYPE", f.ChecksumType, checksumTypes, false)
}
