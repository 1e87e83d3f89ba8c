package premis

// This file reads the storage, environment and relationships of an object.

func (r reader) storage(o *Object) error {
	var s Storage
	err := r.each(func(local string) (err error) {
		switch local {
		case "contentLocation":
			s.Location, err = r.identifier(&contentLocation, nil)
			return err
		case "storageMedium":
			return r.termTo(&s.Medium)
		}
		return r.Unknown()
	})
	o.Storage = append(o.Storage, s)
	return err
}

func (r reader) environment(o *Object, local string) error {
	if o.Environment == nil {
		o.Environment = &Environment{}
	}
	switch local {
	case "environmentFunction":
		return r.environmentFunction(o.Environment)
	case "environmentDesignation":
		return r.environmentDesignation(o.Environment)
	}
	var reg Registry
	err := r.registryTo("environmentRegistry", &reg)
	o.Environment.Registries = append(o.Environment.Registries, reg)
	return err
}

func (r reader) environmentFunction(e *Environment) error {
	var f EnvironmentFunction
	err := r.each(func(local string) error {
		switch local {
		case "environmentFunctionType":
			return r.termTo(&f.Type)
		case "environmentFunctionLevel":
			return r.TextTo(&f.Level)
		}
		return r.Unknown()
	})
	e.Functions = append(e.Functions, f)
	return err
}

func (r reader) environmentDesignation(e *Environment) error {
	var d EnvironmentDesignation
	err := r.each(func(local string) error {
		switch local {
		case "environmentName":
			return r.termTo(&d.Name)
		case "environmentVersion":
			return r.TextTo(&d.Version)
		case "environmentOrigin":
			return r.TextTo(&d.Origin)
		case "environmentDesignationNote":
			return r.addText(&d.Notes)
		}
		return r.Unknown()
	})
	e.Designations = append(e.Designations, d)
	return err
}

func (r reader) relationship(o *Object) error {
	var rel Relationship
	object, event := bare(relatedObject.outer), bare(relatedEvent.outer)
	if r.old() {
		object, event = bare(relatedObject2.outer), bare(relatedEvent2.outer)
	}
	err := r.each(func(local string) error {
		switch local {
		case "relationshipType":
			return r.termTo(&rel.Type)
		case "relationshipSubType":
			return r.termTo(&rel.SubType)
		case object:
			return r.relatedObject(&rel)
		case event:
			return r.relatedEvent(&rel)
		}
		return r.Unknown()
	})
	o.Relationships = append(o.Relationships, rel)
	return err
}

func (r reader) relatedObject(rel *Relationship) error {
	o := RelatedObject{XMLID: r.Element().Attr(relatedObject.ref)}
	var err error
	o.Identifier, err = r.identifier(&relatedObject, func() error { return r.IntTo(&o.Sequence) })
	rel.Objects = append(rel.Objects, o)
	return err
}

func (r reader) relatedEvent(rel *Relationship) error {
	e := RelatedEvent{XMLID: r.Element().Attr(relatedEvent.ref)}
	var err error
	e.Identifier, err = r.identifier(&relatedEvent, func() error { return r.IntTo(&e.Sequence) })
	rel.Events = append(rel.Events, e)
	return err
}
