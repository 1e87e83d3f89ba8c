package aip

import (
	"cmp"
	"encoding/json"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
)

// isPremis reports whether an element is one of PREMIS that holds entities.
func isPremis(e xmlstream.Element) bool {
	for _, local := range []string{"object", "event", "agent", "rights", "premis"} {
		if premis.IsEntity(e, local) {
			return true
		}
	}
	return false
}

// premis reads the entities of a section. It keeps their identifiers and links, and all that is
// compared.
func (d *description) premis(s *mets.Section, payload *xmlstream.Reader) (err error) {
	payload.OnUnknown = func(string) {} // the schemas decide whether PREMIS allows it
	switch payload.Element().Local {
	case "premis": // the entities of a section together
		return payload.Each(func(e xmlstream.Element) error {
			if e.Local == "premis" || !isPremis(e) {
				return nil
			}
			return d.premis(s, payload)
		})
	case "object":
		var object premis.Object
		if object, err = premis.ReadObject(payload, nil); err == nil {
			if s.Kind == mets.TechMD {
				d.object(*s, &object)
			}
			d.objectEntity(s, &object)
		}
	case "event":
		var event premis.Event
		if event, err = premis.ReadEvent(payload); err == nil {
			d.eventEntity(s, &event)
		}
	case "agent":
		var agent premis.Agent
		if agent, err = premis.ReadAgent(payload); err == nil {
			d.agentEntity(s, &agent)
		}
	case "rights":
		var rights premis.Rights
		if rights, err = premis.ReadRights(payload, nil); err == nil {
			d.rightsEntity(s, &rights)
		}
	}
	return cmp.Or(err, d.refs.err, d.entities.failed)
}

// premisElsewhere records sections of PREMIS whose content is not in the document.
func (d *description) premisElsewhere(s *mets.Section) {
	external := s.Ref != nil && strings.HasPrefix(s.Ref.MDType, "PREMIS")
	if external || s.Wrap != nil && strings.HasPrefix(s.Wrap.MDType, "PREMIS") {
		d.entities.incomplete("the PREMIS of section " + clip(s.ID) + " is not in the METS as XML")
	}
}

func (d *description) objectEntity(s *mets.Section, o *premis.Object) {
	d.content = appendContent(d.content[:0], o)
	for _, id := range o.Identifiers {
		d.entities.define(d.document, spaceObject, id, d.content, false)
	}
	d.entities.names(d.document, s.ID, spaceEvent, o.Events, entityOfObject)
	d.entities.names(d.document, s.ID, spaceRights, o.Rights, entityNamed)
	for i := range o.Relationships {
		r := &o.Relationships[i]
		for j := range r.Objects {
			d.entities.name(d.document, s.ID, spaceObject, r.Objects[j].Identifier, entityNamed)
		}
		for j := range r.Events {
			d.entities.name(d.document, s.ID, spaceEvent, r.Events[j].Identifier, entityOfObject)
		}
	}
	if d.within == nil {
		d.described.object(s, o)
	}
}

// appendContent appends the statements of an object, to compare two elements about one object.
func appendContent(b []byte, o *premis.Object) []byte {
	b = appendText(appendState(b, o), string(o.Category))
	b = appendText(b, o.OriginalName)
	b = appendLinks(appendLinks(b, o.Events), o.Rights)
	for i := range o.Relationships {
		for _, to := range o.Relationships[i].Objects {
			b = appendText(b, to.Value)
		}
	}
	for i := range o.Characteristics {
		for _, f := range o.Characteristics[i].Formats {
			b = appendText(appendText(appendText(b, f.Name.Text), f.Version), f.Registry.Key.Text)
		}
	}
	return b
}

// contentOfEvent returns the statements of an event, without the extensions of its outcomes.
func contentOfEvent(e *premis.Event) []byte {
	b := appendText(appendText(nil, e.Type.Text), e.DateTime)
	for _, detail := range e.Details {
		b = appendText(b, detail)
	}
	for i := range e.Outcomes {
		b = appendText(b, e.Outcomes[i].Outcome.Text)
		for _, note := range e.Outcomes[i].Notes {
			b = appendText(b, note)
		}
	}
	return appendLinks(appendLinks(b, e.Agents), e.Objects)
}

func appendLinks(b []byte, links []premis.Link) []byte {
	for i := range links {
		b = appendText(b, links[i].Value)
	}
	return b
}

func (d *description) eventEntity(s *mets.Section, e *premis.Event) {
	d.entities.define(d.document, spaceEvent, e.Identifier, contentOfEvent(e), len(e.Objects) > 0)
	d.entities.names(d.document, s.ID, spaceAgent, e.Agents, entityNamed)
	d.entities.names(d.document, s.ID, spaceObject, e.Objects, entityNamed)
	for date := range strings.SplitSeq(e.DateTime, "/") {
		d.future(parseDate(date), "the event "+clip(s.ID))
	}
	if d.within == nil {
		d.described.event(s, e)
		d.linksOf(s, e)
	}
}

func (d *description) agentEntity(s *mets.Section, a *premis.Agent) {
	content, _ := json.Marshal(a) // it has only texts
	for _, id := range a.Identifiers {
		d.entities.define(d.document, spaceAgent, id, content, false)
	}
	d.entities.names(d.document, s.ID, spaceEvent, a.Events, entityNamed)
	d.entities.names(d.document, s.ID, spaceRights, a.Rights, entityNamed)
}

func (d *description) rightsEntity(s *mets.Section, r *premis.Rights) {
	for i := range r.Statements {
		t := &r.Statements[i]
		content, _ := json.Marshal(t) // it has only texts
		d.entities.define(d.document, spaceRights, t.Identifier, content, false)
		d.entities.names(d.document, s.ID, spaceAgent, t.Agents, entityNamed)
		d.entities.names(d.document, s.ID, spaceObject, t.Objects, entityNamed)
	}
}
