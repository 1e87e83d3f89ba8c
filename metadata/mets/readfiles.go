package mets

import (
	"fmt"

	"quire/metadata/xmlstream"
)

// maxParts bounds the locations and transformations of one file kept in memory.
const maxParts = 10000

// fileGrp reads a group, or a file in a group.
func (m *reader) fileGrp(e xmlstream.Element) error {
	if e.Local == "file" {
		return m.file(e)
	}
	g := FileGrp{ID: e.Attr("ID"), AdmID: fields(e.Attr("ADMID")), Use: e.Attr("USE")}
	g.VersDate, _ = xmlstream.ParseTime(e.Attr("VERSDATE"))
	m.groups = append(m.groups, g)
	err := m.children(kFileGrp, m.fileGrp)
	m.groups = m.groups[:len(m.groups)-1]
	return err
}

// file reads a file. It passes the file on as soon as its own data is complete: before the first
// file inside it, or at its end.
func (m *reader) file(e xmlstream.Element) error {
	f := File{ID: e.Attr("ID")}
	if m.h.File != nil {
		f = readFile(e)
	}
	told := false
	tell := func() error {
		if told || m.h.File == nil {
			return nil
		}
		told = true
		return m.h.File(f, FilePlace{Groups: m.groups, Files: m.files})
	}
	err := m.children(kFile, func(c xmlstream.Element) error {
		if len(f.Locations)+len(f.Transforms) > maxParts {
			return fmt.Errorf("%w: file %s has more than %d locations and transformations", xmlstream.ErrLimit, f.ID,
				maxParts)
		}
		switch c.Local {
		case "FLocat":
			f.Locations = append(f.Locations, FLocat{ID: c.Attr("ID"), Use: c.Attr("USE"), Location: readLocation(c)})
			return m.empty("FLocat")
		case "transformFile":
			f.Transforms = append(f.Transforms, readTransform(c))
			return m.empty("transformFile")
		case "file":
			if err := tell(); err != nil {
				return err
			}
			m.files = append(m.files, f.ID)
			defer func() { m.files = m.files[:len(m.files)-1] }()
			return m.file(c)
		}
		return m.other(c)
	})
	if err != nil {
		return err
	}
	return tell()
}

func readFile(e xmlstream.Element) File {
	f := File{FileCore: readCore(e)}
	for i := range e.Attrs {
		a := &e.Attrs[i]
		if a.Space != "" {
			continue
		}
		switch v := a.Value; a.Local {
		case "ID":
			f.ID = v
		case "OWNERID":
			f.OwnerID = v
		case "ADMID":
			f.AdmID = fields(v)
		case "DMDID":
			f.DmdID = fields(v)
		case "GROUPID":
			f.GroupID = v
		case "USE":
			f.Use = v
		case "SEQ":
			f.Seq, _ = xmlstream.ParseInt(v) // check has reported any error
		case "BEGIN":
			f.Begin, _ = xmlstream.ParseInt(v)
		case "END":
			f.End, _ = xmlstream.ParseInt(v)
		}
	}
	return f
}

func readTransform(e xmlstream.Element) Transform {
	t := Transform{
		ID: e.Attr("ID"), Type: e.Attr("TRANSFORMTYPE"), Algorithm: e.Attr("TRANSFORMALGORITHM"),
		Key: e.Attr("TRANSFORMKEY"), Behavior: e.Attr("TRANSFORMBEHAVIOR"),
	}
	order, _ := xmlstream.ParseInt(e.Attr("TRANSFORMORDER"))
	t.Order, _ = order.Get()
	return t
}
