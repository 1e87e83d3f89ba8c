package premis

import "quire/metadata/xmlstream"

// ReadEvent reads the current premis:event.
func ReadEvent(x *xmlstream.Reader) (Event, error) { return ReadEventWith(x, nil) }

// ReadEventWith reads the current premis:event. The content of each eventOutcomeDetailExtension goes
// to ext, element by element. With nil, the reader's OnUnknown gets it.
func ReadEventWith(x *xmlstream.Reader, ext Extension) (Event, error) {
	r := newReader(x, ext)
	e := Event{XMLID: r.Element().Attr("xmlID")}
	err := r.root("event", func(c xmlstream.Element) (err error) {
		switch c.Local {
		case "eventIdentifier":
			e.Identifier, err = r.identifier(&eventIdentifier, nil)
			return err
		case "eventType":
			return r.termTo(&e.Type)
		case "eventDateTime":
			return r.TextTo(&e.DateTime)
		case "eventDetailInformation", "eventDetail":
			return r.eventDetail(&e, c.Local)
		case "eventOutcomeInformation":
			return r.outcome(&e)
		case "linkingAgentIdentifier":
			return r.addLink(&linkingAgent, &e.Agents)
		case "linkingObjectIdentifier":
			return r.addLink(&linkingObject, &e.Objects)
		}
		return r.Unknown()
	})
	return e, err
}

// eventDetail reads the details of an event, which PREMIS 2 does not wrap.
func (r reader) eventDetail(e *Event, local string) error {
	switch {
	case r.old() != (local == "eventDetail"):
		return r.Unknown()
	case r.old():
		return r.addText(&e.Details)
	}
	return r.each(func(local string) error {
		if local == "eventDetail" {
			return r.addText(&e.Details)
		}
		return r.Unknown()
	})
}

func (r reader) outcome(e *Event) error {
	var o Outcome
	err := r.each(func(local string) error {
		switch local {
		case "eventOutcome":
			return r.termTo(&o.Outcome)
		case "eventOutcomeDetail":
			return r.each(func(local string) error {
				switch local {
				case "eventOutcomeDetailNote":
					return r.addText(&o.Notes)
				case "eventOutcomeDetailExtension":
					return r.extensions()
				}
				return r.Unknown()
			})
		}
		return r.Unknown()
	})
	e.Outcomes = append(e.Outcomes, o)
	return err
}

// ReadAgent reads the current premis:agent.
func ReadAgent(x *xmlstream.Reader) (Agent, error) {
	r := newReader(x, nil)
	a := Agent{XMLID: r.Element().Attr("xmlID")}
	err := r.root("agent", func(c xmlstream.Element) error {
		switch c.Local {
		case "agentIdentifier":
			return r.addIdentifier(&agentIdentifier, &a.Identifiers)
		case "agentName":
			return r.addTerm(&a.Names)
		case "agentType":
			return r.termTo(&a.Type)
		case "agentVersion":
			return r.TextTo(&a.Version)
		case "agentNote":
			return r.addText(&a.Notes)
		case "linkingEventIdentifier":
			return r.addLink(&linkingEvent, &a.Events)
		case "linkingRightsStatementIdentifier":
			return r.addLink(&linkingRights, &a.Rights)
		}
		return r.Unknown()
	})
	return a, err
}
