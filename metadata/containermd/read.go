package containermd

import "quire/metadata/xmlstream"

// ReadOptions handle the parts of a document that have no field in [ContainerMD].
type ReadOptions struct {
	// Entry receives each entry. With nil, the entries are collected in ContainerMD.Entries, in
	// memory.
	Entry func(Entry) error

	// Metadata reads an element inside an mdSec; the reader is at that element. With nil, the
	// reader's OnUnknown gets it.
	Metadata func(m MDSec, r *xmlstream.Reader) error
}

// Read reads the current containerMD element, of version 1.1 or 1.2. Only the name of the
// environment shows the version, which Read does not return.
func Read(x *xmlstream.Reader, opt ReadOptions) (ContainerMD, error) {
	r := reader{x, opt}
	var c ContainerMD
	if e := r.Element(); !e.Is(Namespace, "containerMD") {
		return c, r.Errorf("want containerMD, found <%s> of namespace %q", e.Local, e.Space)
	}
	err := r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "container":
			return r.Whole(func() error { return r.container(&c.Container, e) })
		case "entries":
			return r.entries(&c)
		}
		return r.Unknown()
	})
	return c, err
}

// reader adds the elements of containerMD to an XML reader.
type reader struct {
	*xmlstream.Reader
	opt ReadOptions
}

func (r reader) each(visit func(xmlstream.Element) error) error { return r.EachIn(Namespace, visit) }

func (r reader) entries(c *ContainerMD) error {
	return r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "entriesInformation":
			c.Information = &Information{}
			return r.Whole(func() error { return r.information(c.Information, e) })
		case "entry":
			var entry Entry
			if err := r.Whole(func() error { return r.entry(&entry, e) }); err != nil {
				return err
			}
			if r.opt.Entry != nil {
				return r.opt.Entry(entry)
			}
			c.Entries = append(c.Entries, entry)
			return nil
		}
		return r.Unknown()
	})
}

func (r reader) addText(dst *[]string) error {
	s, err := r.Text()
	*dst = append(*dst, s)
	return err
}

// ints reads attributes of type xs:nonNegativeInteger.
func (r reader) ints(e xmlstream.Element, fields map[string]*xmlstream.Int) error {
	for name, dst := range fields {
		v, err := xmlstream.ParseInt(e.Attr(name))
		if err != nil {
			return r.Errorf("attribute %s: %w", name, err)
		}
		*dst = v
	}
	return nil
}

// container reads the container element.
func (r reader) container(c *Container, e xmlstream.Element) (err error) {
	c.ID = e.Attr("ID")
	if c.Created, err = xmlstream.ParseTime(e.Attr("creationDateTime")); err != nil {
		return r.Errorf("creationDateTime: %w", err)
	}
	if c.Modified, err = xmlstream.ParseTime(e.Attr("lastModificationDateTime")); err != nil {
		return r.Errorf("lastModificationDateTime: %w", err)
	}
	return r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "fixity":
			return r.fixity(&c.Fixity, e)
		case "originalName":
			return r.TextTo(&c.OriginalName)
		case "formatDesignation":
			return r.format(&c.Formats)
		case "encoding":
			return r.encoding(&c.Encodings, e)
		case "creatingEnvironment", "encodingEnvironment":
			return r.environment(&c.Environments)
		case "assessmentInformation":
			return r.assessment(c, e)
		case "containerExtension":
			return r.containerExtension(c)
		}
		return r.Unknown()
	})
}

func (r reader) fixity(dst *[]Fixity, e xmlstream.Element) error {
	f := Fixity{Digest: e.Attr("messageDigest"), Algorithm: e.Attr("messageDigestAlgorithm")}
	err := r.ints(e, map[string]*xmlstream.Int{"size": &f.Size})
	*dst = append(*dst, f)
	return err
}

func (r reader) format(dst *[]FormatDesignation) error {
	var f FormatDesignation
	err := r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "formatName":
			return r.addText(&f.Names)
		case "formatVersion":
			return r.TextTo(&f.Version)
		}
		return r.Unknown()
	})
	*dst = append(*dst, f)
	return err
}

func (r reader) encoding(dst *[]Encoding, e xmlstream.Element) error {
	enc := Encoding{Type: e.Attr("type"), Method: e.Attr("method")}
	err := r.ints(e, map[string]*xmlstream.Int{"order": &enc.Order, "originalSize": &enc.OriginalSize})
	*dst = append(*dst, enc)
	return err
}

// environment reads creatingEnvironment (1.2) or encodingEnvironment (1.0, 1.1).
func (r reader) environment(dst *[]Environment) error {
	var env Environment
	err := r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "creatingPlatform", "encodingPlatform":
			return r.addText(&env.Platforms)
		case "creatingSoftware", "encodingSoftware":
			return r.software(&env)
		}
		return r.Unknown()
	})
	*dst = append(*dst, env)
	return err
}

func (r reader) software(env *Environment) error {
	var s Software
	err := r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "creatingSoftwareName", "encodingSoftwareName":
			return r.TextTo(&s.Name)
		case "creatingSoftwareVersion", "encodingSoftwareVersion":
			return r.TextTo(&s.Version)
		}
		return r.Unknown()
	})
	env.Software = append(env.Software, s)
	return err
}

func (r reader) assessment(c *Container, e xmlstream.Element) error {
	a := &Assessment{AgentName: e.Attr("agentName"), AgentVersion: e.Attr("agentVersion")}
	c.Assessment = a
	return r.each(func(e xmlstream.Element) error {
		switch e.Local {
		case "outcome":
			return r.TextTo(&a.Outcome)
		case "outcomeDetailNote":
			return r.addText(&a.Notes)
		}
		return r.Unknown()
	})
}
