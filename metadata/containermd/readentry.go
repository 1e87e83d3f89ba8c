package containermd

import "quire/metadata/xmlstream"

func (r reader) entry(entry *Entry, e xmlstream.Element) (err error) {
	entry.ID, entry.Type, entry.Name = e.Attr("ID"), e.Attr("type"), e.Attr("name")
	var order xmlstream.Int
	if err = r.ints(e, map[string]*xmlstream.Int{"order": &order, "begin": &entry.Begin,
		"end": &entry.End}); err != nil {
		return err
	}
	entry.Order, _ = order.Get()
	if entry.Created, err = xmlstream.ParseTime(e.Attr("creationDateTime")); err != nil {
		return r.Errorf("creationDateTime: %w", err)
	}
	if entry.Modified, err = xmlstream.ParseTime(e.Attr("lastModificationDateTime")); err != nil {
		return r.Errorf("lastModificationDateTime: %w", err)
	}
	return r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "fixity":
			return r.fixity(&entry.Fixity, e)
		case "formatDesignation":
			return r.format(&entry.Formats)
		case "encoding":
			return r.encoding(&entry.Encodings, e)
		case "permission":
			return r.permission(entry)
		case "entryExtension":
			return r.entryExtension(entry)
		case "mdSec":
			known := entry.Record
			m, err := r.mdSec(e, entry)
			if entry.Record == known {
				entry.Metadata = append(entry.Metadata, m)
			}
			return err
		}
		return r.Unknown()
	})
}

// permission reads the schema's one exception: its children have no namespace.
func (r reader) permission(entry *Entry) error {
	var p Permission
	err := r.EachIn("", func(e xmlstream.Element) error {
		switch e.Local {
		case "mode":
			return r.TextTo(&p.Mode)
		case "owner":
			return r.addText(&p.Owners)
		case "group":
			return r.addText(&p.Groups)
		}
		return r.Unknown()
	})
	entry.Permissions = append(entry.Permissions, p)
	return err
}

func (r reader) entryExtension(entry *Entry) error {
	return r.each(func(e xmlstream.Element) error {
		if e.Local != "ARCEntry" {
			return r.Unknown()
		}
		a := &ARCEntry{}
		entry.ARC = a
		return r.each(func(e xmlstream.Element) error {
			switch e.Local {
			case "declaredMimeType":
				return r.TextTo(&a.DeclaredMIMEType)
			case "host":
				return r.TextTo(&a.Host)
			case "response":
				resp, err := r.response(e)
				a.Response = &resp
				return err
			}
			return r.Unknown()
		})
	})
}

func (r reader) containerExtension(c *Container) error {
	return r.each(func(e xmlstream.Element) error {
		if e.Local != "ARCContainer" {
			return r.Unknown()
		}
		c.ARC = &ARCContainer{}
		return r.arcContainer(c.ARC)
	})
}

func (r reader) arcContainer(a *ARCContainer) error {
	return r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "fileName":
			return r.TextTo(&a.FileName)
		case "ipAddress":
			return r.TextTo(&a.IPAddress)
		case "creationDateTime":
			return r.timeOf(a)
		case "profile":
			return r.TextTo(&a.Profile)
		case "originCode":
			return r.TextTo(&a.OriginCode)
		case "versionBlockPayload":
			return r.versionBlockPayload(a)
		case "mdSec":
			m, err := r.mdSec(e, nil)
			a.Metadata = &m
			return err
		}
		return r.Unknown()
	})
}

func (r reader) timeOf(a *ARCContainer) error {
	s, err := r.Text()
	if err != nil {
		return err
	}
	if a.Created, err = xmlstream.ParseTime(s); err != nil {
		return r.Errorf("creationDateTime: %w", err)
	}
	return nil
}

// versionBlockPayload reads an element of type xs:boolean.
func (r reader) versionBlockPayload(a *ARCContainer) error {
	s, err := r.Text()
	if err != nil {
		return err
	}
	a.VersionBlockPayload, err = r.boolean("versionBlockPayload", s)
	return err
}

// boolean parses an xs:boolean, which has two spellings for each value.
func (r reader) boolean(name, s string) (*bool, error) {
	var v bool
	switch s {
	case "true", "1":
		v = true
	case "false", "0":
	default:
		return nil, r.Errorf("%s: %q is neither true nor false", name, s)
	}
	return &v, nil
}

// mdSec reads the frame and passes its payload on; a RecordHeader goes to its entry.
func (r reader) mdSec(e xmlstream.Element, entry *Entry) (MDSec, error) {
	m := MDSec{ID: e.Attr("ID")}
	err := r.each(func(e xmlstream.Element) error {
		if e.Local != "mdWrap" {
			return r.Unknown()
		}
		m.MDType, m.OtherMDType = e.Attr("MDTYPE"), e.Attr("OTHERMDTYPE")
		m.MDTypeVersion = e.Attr("MDTYPEVERSION")
		return r.each(func(e xmlstream.Element) error {
			if e.Local != "xmlData" {
				return r.Unknown()
			}
			return r.Each(func(e xmlstream.Element) error {
				if entry != nil && m.OtherMDType == recordHeaderType && e.Is(RecordNamespace, "record") {
					entry.Record = &RecordHeader{}
					return r.recordHeader(entry.Record, e)
				}
				if r.opt.Metadata == nil {
					return r.Unknown()
				}
				return r.opt.Metadata(m, r.Reader)
			})
		})
	})
	return m, err
}

// recordHeader reads the element written by the writer's recordHeader.
func (r reader) recordHeader(h *RecordHeader, e xmlstream.Element) (err error) {
	h.Type, h.ID, h.ContentType, h.IdentifiedType = e.Attr("type"), e.Attr("id"), e.Attr("contentType"),
		e.Attr("identifiedPayloadType")
	h.BlockDigest, h.PayloadDigest, h.Truncated, h.Segment = e.Attr("blockDigest"), e.Attr("payloadDigest"),
		e.Attr("truncated"), e.Attr("segment")
	if sound := e.Attr("sound"); sound != "" {
		if h.Sound, err = r.boolean("sound", sound); err != nil {
			return err
		}
	}
	return r.ints(e, map[string]*xmlstream.Int{"blockSize": &h.BlockSize, "payloadSize": &h.PayloadSize})
}
