package premis

import (
	"strings"

	"quire/metadata/xmlstream"
)

// ReadObject reads the current premis:object. The content of an objectCharacteristicsExtension goes
// to ext, element by element.
func ReadObject(x *xmlstream.Reader, ext Extension) (Object, error) {
	r := newReader(x, ext)
	e := r.Element()
	o := Object{XMLID: e.Attr("xmlID")}
	kind := e.AttrNS(xsi, "type")
	o.Category = Category(kind[strings.LastIndexByte(kind, ':')+1:])
	err := r.root("object", func(e xmlstream.Element) error { return r.objectPart(&o, e.Local) })
	return o, err
}

func (r reader) objectPart(o *Object, local string) error {
	switch local {
	case "objectIdentifier":
		return r.addIdentifier(&objectIdentifier, &o.Identifiers)
	case "preservationLevel":
		return r.preservationLevel(o)
	case "significantProperties":
		return r.property(o)
	case "objectCharacteristics":
		return r.characteristics(o)
	case "originalName":
		return r.TextTo(&o.OriginalName)
	case "storage":
		return r.storage(o)
	case "environmentFunction", "environmentDesignation", "environmentRegistry":
		return r.environment(o, local)
	case "relationship":
		return r.relationship(o)
	case "linkingEventIdentifier":
		return r.addLink(&linkingEvent, &o.Events)
	case "linkingIntellectualEntityIdentifier":
		if !r.old() {
			return r.Unknown()
		}
		return r.addIdentifier(&linkingEntity, &o.Entities)
	case "linkingRightsStatementIdentifier":
		return r.addLink(&linkingRights, &o.Rights)
	}
	return r.Unknown()
}

func (r reader) preservationLevel(o *Object) error {
	var l PreservationLevel
	err := r.each(func(local string) error {
		switch local {
		case "preservationLevelType":
			return r.termTo(&l.Type)
		case "preservationLevelValue":
			return r.termTo(&l.Value)
		case "preservationLevelRole":
			return r.termTo(&l.Role)
		case "preservationLevelRationale":
			return r.addText(&l.Rationales)
		case "preservationLevelDateAssigned":
			return r.TextTo(&l.DateAssigned)
		}
		return r.Unknown()
	})
	o.PreservationLevels = append(o.PreservationLevels, l)
	return err
}

func (r reader) property(o *Object) error {
	var p Property
	err := r.each(func(local string) error {
		switch local {
		case "significantPropertiesType":
			return r.termTo(&p.Type)
		case "significantPropertiesValue":
			return r.TextTo(&p.Value)
		}
		return r.Unknown()
	})
	o.SignificantProperties = append(o.SignificantProperties, p)
	return err
}

func (r reader) characteristics(o *Object) error {
	var c Characteristics
	err := r.each(func(local string) error {
		switch local {
		case "compositionLevel":
			return r.IntTo(&c.CompositionLevel)
		case "fixity":
			return r.fixity(&c)
		case "size":
			return r.IntTo(&c.Size)
		case "format":
			return r.format(&c)
		case "creatingApplication":
			return r.application(&c)
		case "inhibitors":
			return r.inhibitor(&c)
		case "objectCharacteristicsExtension":
			return r.extensions()
		}
		return r.Unknown()
	})
	o.Characteristics = append(o.Characteristics, c)
	return err
}

// extensions passes the elements of an extension on.
func (r reader) extensions() error {
	return r.Each(func(xmlstream.Element) error {
		if r.extension == nil {
			return r.Unknown()
		}
		return r.extension(r.Reader)
	})
}

func (r reader) fixity(c *Characteristics) error {
	var f Fixity
	err := r.each(func(local string) error {
		switch local {
		case "messageDigestAlgorithm":
			return r.termTo(&f.Algorithm)
		case "messageDigest":
			return r.TextTo(&f.Digest)
		case "messageDigestOriginator":
			return r.termTo(&f.Originator)
		}
		return r.Unknown()
	})
	c.Fixity = append(c.Fixity, f)
	return err
}

func (r reader) format(c *Characteristics) error {
	var f Format
	err := r.each(func(local string) error {
		switch local {
		case "formatDesignation":
			return r.each(func(local string) error {
				switch local {
				case "formatName":
					return r.termTo(&f.Name)
				case "formatVersion":
					return r.TextTo(&f.Version)
				}
				return r.Unknown()
			})
		case "formatRegistry":
			return r.registryTo("formatRegistry", &f.Registry)
		case "formatNote":
			return r.addText(&f.Notes)
		}
		return r.Unknown()
	})
	c.Formats = append(c.Formats, f)
	return err
}

func (r reader) registryTo(name string, dst *Registry) error {
	return r.each(func(local string) error {
		switch local {
		case name + "Name":
			return r.termTo(&dst.Name)
		case name + "Key":
			return r.termTo(&dst.Key)
		case name + "Role":
			return r.termTo(&dst.Role)
		}
		return r.Unknown()
	})
}

func (r reader) application(c *Characteristics) error {
	var a Application
	err := r.each(func(local string) error {
		switch local {
		case "creatingApplicationName":
			return r.termTo(&a.Name)
		case "creatingApplicationVersion":
			return r.TextTo(&a.Version)
		case "dateCreatedByApplication":
			return r.TextTo(&a.Date)
		}
		return r.Unknown()
	})
	c.Applications = append(c.Applications, a)
	return err
}

func (r reader) inhibitor(c *Characteristics) error {
	var i Inhibitor
	err := r.each(func(local string) error {
		switch local {
		case "inhibitorType":
			return r.termTo(&i.Type)
		case "inhibitorTarget":
			return r.addTerm(&i.Targets)
		case "inhibitorKey":
			return r.TextTo(&i.Key)
		}
		return r.Unknown()
	})
	c.Inhibitors = append(c.Inhibitors, i)
	return err
}
