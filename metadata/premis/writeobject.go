package premis

import "quire/metadata/xmlstream"

// WriteObject writes a premis:object (data dictionary 3.0, entity 1) in PREMIS 3.0.
func WriteObject(x *xmlstream.Writer, o Object) error { return V3.WriteObject(x, o) }

// WriteObject writes a premis:object (entity 1).
func (d Dialect) WriteObject(x *xmlstream.Writer, o Object) error {
	w := writer{x, d}
	w.checkObject(&o)
	w.root("premis:object", o.XMLID)
	w.Attr("xsi:type", o.xsiType())
	w.identifiers(&objectIdentifier, o.Identifiers)
	for i := range o.PreservationLevels {
		w.preservationLevel(&o.PreservationLevels[i])
	}
	for i := range o.SignificantProperties {
		w.property(&o.SignificantProperties[i])
	}
	for i := range o.Characteristics {
		w.characteristics(&o.Characteristics[i])
	}
	w.ElementOpt("premis:originalName", o.OriginalName)
	for i := range o.Storage {
		w.storage(&o.Storage[i])
	}
	w.environment(o.Environment)
	for i := range o.Relationships {
		w.relationship(&o.Relationships[i])
	}
	w.links(&linkingEvent, o.Events)
	for _, e := range o.Entities {
		w.identifier(&linkingEntity, e)
	}
	w.links(&linkingRights, o.Rights)
	w.End("premis:object")
	return w.Err()
}

// xsiType returns the xsi:type as written, with the prefix that this package declares.
func (o *Object) xsiType() string {
	switch o.Category {
	case File:
		return "premis:file"
	case Bitstream:
		return "premis:bitstream"
	case Representation:
		return "premis:representation"
	}
	return "premis:intellectualEntity"
}

// checkObject refuses fields that the schema does not allow in an object of this category.
func (w writer) checkObject(o *Object) {
	bytes := o.Category == File || o.Category == Bitstream
	switch {
	case !bytes && o.Category != Representation && o.Category != IntellectualEntity:
		w.failf("object category %q: want file, bitstream, representation or intellectualEntity", o.Category)
	case bytes && len(o.Characteristics) == 0:
		w.failf("a %s needs objectCharacteristics", o.Category)
	case !bytes && len(o.Characteristics) > 0:
		w.failf("a %s cannot have objectCharacteristics", o.Category)
	case o.Category == Bitstream && (o.OriginalName != "" || len(o.PreservationLevels) > 0):
		w.failf("a bitstream cannot have originalName or preservationLevel")
	case o.Category == IntellectualEntity && len(o.Storage) > 0:
		w.failf("an intellectualEntity cannot have storage")
	case o.Category != IntellectualEntity && o.Environment != nil:
		w.failf("only an intellectualEntity can have an environment")
	case !w.old() && len(o.Entities) > 0:
		w.failf("PREMIS 3 has no linkingIntellectualEntityIdentifier: write an object for the entity, " +
			"with a relationship to it")
	case w.old():
		w.checkObject22(o)
	}
}

// checkObject22 refuses fields that PREMIS 2.2 lacks.
func (w writer) checkObject22(o *Object) {
	switch {
	case o.Category == IntellectualEntity:
		w.failf("PREMIS 2.2 has no intellectualEntity: link to it from the object that represents it")
	case o.Category == Representation && len(o.Storage) > 0:
		w.failf("a representation cannot have storage in PREMIS 2.2")
	}
	for i := range o.PreservationLevels {
		if o.PreservationLevels[i].Type.Text != "" {
			w.failf("PREMIS 2.2 has no preservationLevelType")
		}
	}
	for i := range o.Characteristics {
		if _, stated := o.Characteristics[i].CompositionLevel.Get(); !stated {
			w.failf("PREMIS 2.2 needs a compositionLevel")
		}
	}
}

func (w writer) preservationLevel(l *PreservationLevel) {
	w.Start("premis:preservationLevel")
	w.term("premis:preservationLevelType", l.Type)
	w.required("premis:preservationLevelValue", l.Value)
	w.term("premis:preservationLevelRole", l.Role)
	w.texts("premis:preservationLevelRationale", l.Rationales)
	w.date("premis:preservationLevelDateAssigned", l.DateAssigned)
	w.End("premis:preservationLevel")
}

func (w writer) property(p *Property) {
	if p.Type.Text == "" && p.Value == "" {
		w.failf("significantProperties needs a type or a value")
	}
	w.Start("premis:significantProperties")
	w.term("premis:significantPropertiesType", p.Type)
	w.ElementOpt("premis:significantPropertiesValue", p.Value)
	w.End("premis:significantProperties")
}

func (w writer) characteristics(c *Characteristics) {
	w.Start("premis:objectCharacteristics")
	if level, ok := c.CompositionLevel.Get(); ok && level < 0 {
		w.failf("compositionLevel %d is negative", level)
	}
	w.ElementIntOpt("premis:compositionLevel", c.CompositionLevel)
	for i := range c.Fixity {
		w.fixity(&c.Fixity[i])
	}
	w.ElementIntOpt("premis:size", c.Size)
	if len(c.Formats) == 0 {
		w.failf("objectCharacteristics needs a format; if it is unknown, name it \"unknown\"")
	}
	for i := range c.Formats {
		w.format(&c.Formats[i])
	}
	for i := range c.Applications {
		w.application(&c.Applications[i])
	}
	for i := range c.Inhibitors {
		w.inhibitor(&c.Inhibitors[i])
	}
	w.extension("premis:objectCharacteristicsExtension", c.Extension)
	w.End("premis:objectCharacteristics")
}

func (w writer) extension(name string, write func(*xmlstream.Writer) error) {
	if write == nil || w.Err() != nil {
		return
	}
	w.Start(name)
	if err := write(w.Writer); err != nil {
		w.Fail(err)
	}
	w.End(name)
}

func (w writer) fixity(f *Fixity) {
	if f.Digest == "" {
		w.failf("fixity needs a digest")
	}
	w.Start("premis:fixity")
	w.required("premis:messageDigestAlgorithm", f.Algorithm)
	w.Element("premis:messageDigest", f.Digest)
	w.term("premis:messageDigestOriginator", f.Originator)
	w.End("premis:fixity")
}

func (w writer) format(f *Format) {
	if f.Name.Text == "" && f.Registry.Key.Text == "" {
		w.failf("format needs a name or a registry key")
	}
	w.Start("premis:format")
	if f.Name.Text != "" {
		w.Start("premis:formatDesignation")
		w.term("premis:formatName", f.Name)
		w.ElementOpt("premis:formatVersion", f.Version)
		w.End("premis:formatDesignation")
	}
	if f.Registry.Key.Text != "" {
		w.Start("premis:formatRegistry")
		w.required("premis:formatRegistryName", f.Registry.Name)
		w.term("premis:formatRegistryKey", f.Registry.Key)
		w.term("premis:formatRegistryRole", f.Registry.Role)
		w.End("premis:formatRegistry")
	}
	w.texts("premis:formatNote", f.Notes)
	w.End("premis:format")
}

func (w writer) application(a *Application) {
	if a.Name.Text == "" && a.Version == "" && a.Date == "" {
		w.failf("creatingApplication needs a name, a version or a date")
	}
	w.Start("premis:creatingApplication")
	w.term("premis:creatingApplicationName", a.Name)
	w.ElementOpt("premis:creatingApplicationVersion", a.Version)
	w.date("premis:dateCreatedByApplication", a.Date)
	w.End("premis:creatingApplication")
}

func (w writer) inhibitor(i *Inhibitor) {
	w.Start("premis:inhibitors")
	w.required("premis:inhibitorType", i.Type)
	for _, t := range i.Targets {
		w.term("premis:inhibitorTarget", t)
	}
	w.ElementOpt("premis:inhibitorKey", i.Key)
	w.End("premis:inhibitors")
}

func (w writer) storage(s *Storage) {
	if s.Location.Value == "" && s.Medium.Text == "" {
		w.failf("storage needs a location or a medium")
	}
	w.Start("premis:storage")
	if s.Location.Value != "" {
		w.identifier(&contentLocation, s.Location)
	}
	w.term("premis:storageMedium", s.Medium)
	w.End("premis:storage")
}

func (w writer) environment(e *Environment) {
	if e == nil {
		return
	}
	for _, f := range e.Functions {
		w.Start("premis:environmentFunction")
		w.required("premis:environmentFunctionType", f.Type)
		w.Element("premis:environmentFunctionLevel", f.Level)
		w.End("premis:environmentFunction")
	}
	for _, d := range e.Designations {
		w.Start("premis:environmentDesignation")
		w.required("premis:environmentName", d.Name)
		w.ElementOpt("premis:environmentVersion", d.Version)
		w.ElementOpt("premis:environmentOrigin", d.Origin)
		w.texts("premis:environmentDesignationNote", d.Notes)
		w.End("premis:environmentDesignation")
	}
	for _, r := range e.Registries {
		w.Start("premis:environmentRegistry")
		w.Element("premis:environmentRegistryName", r.Name.Text)
		w.Element("premis:environmentRegistryKey", r.Key.Text)
		w.term("premis:environmentRegistryRole", r.Role)
		w.End("premis:environmentRegistry")
	}
}

func (w writer) relationship(r *Relationship) {
	if len(r.Objects) == 0 {
		w.failf("a relationship needs a related object")
	}
	w.Start("premis:relationship")
	w.required("premis:relationshipType", r.Type)
	w.required("premis:relationshipSubType", r.SubType)
	object, event := &relatedObject, &relatedEvent
	if w.old() {
		object, event = &relatedObject2, &relatedEvent2
	}
	for _, o := range r.Objects {
		w.openIdentifier(object, o.Identifier, o.XMLID)
		w.ElementIntOpt(object.extra, o.Sequence)
		w.End(object.outer)
	}
	for _, e := range r.Events {
		w.openIdentifier(event, e.Identifier, e.XMLID)
		w.ElementIntOpt(event.extra, e.Sequence)
		w.End(event.outer)
	}
	w.End("premis:relationship")
}
