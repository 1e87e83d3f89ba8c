package mets

import (
	"quire/metadata/xmlstream"
)

// header reads metsHdr. It reads it even without a handler, to check its structure.
func (m *reader) header(e xmlstream.Element) error {
	h := Header{
		ID:           e.Attr("ID"),
		AdmID:        fields(e.Attr("ADMID")),
		RecordStatus: e.Attr("RECORDSTATUS"),
	}
	h.Created, _ = xmlstream.ParseTime(e.Attr("CREATEDATE")) // check has reported any error
	h.Modified, _ = xmlstream.ParseTime(e.Attr("LASTMODDATE"))
	err := m.r.Whole(func() error {
		return m.leaf("metsHdr", func(c xmlstream.Element) error { return m.headerPart(&h, c) })
	})
	if err != nil || m.h.Header == nil {
		return err
	}
	return m.h.Header(h)
}

func (m *reader) headerPart(h *Header, e xmlstream.Element) (err error) {
	switch e.Local {
	case "agent":
		var a Agent
		a, err = m.agent(e)
		h.Agents = append(h.Agents, a)
	case "altRecordID":
		id := Identifier{ID: e.Attr("ID"), Type: e.Attr("TYPE")}
		err = m.r.TextTo(&id.Value)
		h.AltRecordIDs = append(h.AltRecordIDs, id)
	case "metsDocumentID":
		h.DocumentID = Identifier{ID: e.Attr("ID"), Type: e.Attr("TYPE")}
		err = m.r.TextTo(&h.DocumentID.Value)
	default:
		err = m.unexpected(e, "metsHdr")
	}
	return err
}

func (m *reader) agent(e xmlstream.Element) (Agent, error) {
	a := Agent{ID: e.Attr("ID"), Role: e.Attr("ROLE"), OtherRole: e.Attr("OTHERROLE"), Type: e.Attr("TYPE"),
		OtherType: e.Attr("OTHERTYPE")}
	named := false
	err := m.leaf("agent", func(c xmlstream.Element) error {
		switch c.Local {
		case "name":
			named = true
			return m.r.TextTo(&a.Name)
		case "note":
			text, err := m.r.Text()
			a.Notes = append(a.Notes, text)
			return err
		}
		return m.unexpected(c, "agent")
	})
	if err == nil && !named {
		err = m.problem("agent needs a name")
	}
	return a, err
}

// metadata reads dmdSec, techMD and similar sections.
func (m *reader) metadata(e xmlstream.Element) error {
	s := Section{
		Kind: SectionKind(e.Local), AmdSec: m.amdSec, ID: e.Attr("ID"), GroupID: e.Attr("GROUPID"),
		AdmID: fields(e.Attr("ADMID")), Status: e.Attr("STATUS"),
	}
	s.Created, _ = xmlstream.ParseTime(e.Attr("CREATED"))
	told := false
	err := m.leaf(e.Local, func(c xmlstream.Element) error {
		switch {
		case c.Local == "mdRef" && s.Ref == nil:
			s.Ref = readRef(c)
			return m.empty("mdRef")
		case c.Local == "mdWrap" && s.Wrap == nil:
			s.Wrap = &Wrap{}
			if m.h.Section != nil {
				*s.Wrap = Wrap{ID: c.Attr("ID"), Label: c.Attr("LABEL"), MetadataType: readType(c),
					FileCore: readCore(c)}
			}
			return m.wrapped(&s, &told)
		}
		return m.problem("%s in %s: at most one mdRef and one mdWrap are allowed", c.Local, e.Local)
	})
	if err != nil || told || m.h.Section == nil {
		return err
	}
	return m.h.Section(s, nil)
}

// wrapped reads the content of an mdWrap and passes each payload to the handler.
func (m *reader) wrapped(s *Section, told *bool) error {
	return m.leaf("mdWrap", func(e xmlstream.Element) error {
		switch e.Local {
		case "binData":
			return m.other(e)
		case "xmlData":
		default:
			return m.unexpected(e, "mdWrap")
		}
		payloads := 0
		err := m.r.Each(func(xmlstream.Element) error {
			payloads++
			if m.h.Section == nil {
				return nil
			}
			*told = true
			return m.h.Section(*s, m.r)
		})
		if err == nil && payloads == 0 {
			err = m.problem("xmlData is empty")
		}
		return err
	})
}

func readType(e xmlstream.Element) MetadataType {
	return MetadataType{MDType: e.Attr("MDTYPE"), OtherMDType: e.Attr("OTHERMDTYPE"),
		MDTypeVersion: e.Attr("MDTYPEVERSION")}
}

func readCore(e xmlstream.Element) FileCore {
	var f FileCore
	for i := range e.Attrs {
		a := &e.Attrs[i]
		if a.Space != "" {
			continue
		}
		switch a.Local {
		case "MIMETYPE":
			f.MIMEType = a.Value
		case "CHECKSUM":
			f.Checksum = a.Value
		case "CHECKSUMTYPE":
			f.ChecksumType = a.Value
		case "SIZE":
			f.Size, _ = xmlstream.ParseInt(a.Value) // check has reported any error
		case "CREATED":
			f.Created, _ = xmlstream.ParseTime(a.Value)
		}
	}
	return f
}

func readLocation(e xmlstream.Element) Location {
	return Location{
		LocType: e.Attr("LOCTYPE"), OtherLocType: e.Attr("OTHERLOCTYPE"),
		Href:  e.AttrNS(XLinkNamespace, "href"),
		Role:  e.AttrNS(XLinkNamespace, "role"),
		Title: e.AttrNS(XLinkNamespace, "title"),
	}
}

func readRef(e xmlstream.Element) *Ref {
	return &Ref{ID: e.Attr("ID"), Label: e.Attr("LABEL"), XPtr: e.Attr("XPTR"), Location: readLocation(e),
		MetadataType: readType(e), FileCore: readCore(e)}
}
