package premis

import "quire/metadata/xmlstream"

// WriteEvent writes a premis:event (entity 2).
func WriteEvent(x *xmlstream.Writer, e Event) error {
	w := writer{x}
	if e.DateTime == "" {
		w.failf("event %s needs a date", e.Identifier.Value)
	}
	w.root("premis:event", e.XMLID)
	w.identifier(&eventIdentifier, e.Identifier)
	w.required("premis:eventType", e.Type)
	w.Element("premis:eventDateTime", e.DateTime)
	for _, d := range e.Details {
		w.Start("premis:eventDetailInformation")
		w.Element("premis:eventDetail", d)
		w.End("premis:eventDetailInformation")
	}
	for i := range e.Outcomes {
		w.outcome(&e.Outcomes[i])
	}
	w.links(&linkingAgent, e.Agents)
	w.links(&linkingObject, e.Objects)
	w.End("premis:event")
	return w.Err()
}

func (w writer) outcome(o *Outcome) {
	if o.Outcome.Text == "" && len(o.Notes) == 0 {
		w.failf("eventOutcomeInformation needs an outcome or a note")
	}
	w.Start("premis:eventOutcomeInformation")
	w.term("premis:eventOutcome", o.Outcome)
	for _, n := range o.Notes {
		w.Start("premis:eventOutcomeDetail")
		w.Element("premis:eventOutcomeDetailNote", n)
		w.End("premis:eventOutcomeDetail")
	}
	w.End("premis:eventOutcomeInformation")
}

// WriteAgent writes a premis:agent (entity 3).
func WriteAgent(x *xmlstream.Writer, a Agent) error {
	w := writer{x}
	w.root("premis:agent", a.XMLID)
	w.identifiers(&agentIdentifier, a.Identifiers)
	for _, n := range a.Names {
		w.term("premis:agentName", n)
	}
	w.term("premis:agentType", a.Type)
	w.ElementOpt("premis:agentVersion", a.Version)
	w.texts("premis:agentNote", a.Notes)
	w.links(&linkingEvent, a.Events)
	w.links(&linkingRights, a.Rights)
	w.End("premis:agent")
	return w.Err()
}
