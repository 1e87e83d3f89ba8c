package premis

import (
	"strings"

	"quire/metadata/xmlstream"
)

// WriteEvent writes a premis:event (entity 2) in PREMIS 3.0.
func WriteEvent(x *xmlstream.Writer, e Event) error { return V3.WriteEvent(x, e) }

// WriteEvent writes a premis:event (entity 2).
func (d Dialect) WriteEvent(x *xmlstream.Writer, e Event) error {
	w := writer{x, d}
	if e.DateTime == "" {
		w.failf("event %s needs a date", e.Identifier.Value)
	}
	w.root("premis:event", e.XMLID)
	w.identifier(&eventIdentifier, e.Identifier)
	w.required("premis:eventType", e.Type)
	w.date("premis:eventDateTime", e.DateTime)
	w.details(e.Details)
	for i := range e.Outcomes {
		w.outcome(&e.Outcomes[i])
	}
	w.links(&linkingAgent, e.Agents)
	w.links(&linkingObject, e.Objects)
	w.End("premis:event")
	return w.Err()
}

// details writes the details of an event. 2.2 has one element for them, so they become one text.
func (w writer) details(list []string) {
	if w.old() {
		w.ElementOpt("premis:eventDetail", strings.Join(list, "\n"))
		return
	}
	for _, d := range list {
		w.Start("premis:eventDetailInformation")
		w.Element("premis:eventDetail", d)
		w.End("premis:eventDetailInformation")
	}
}

func (w writer) outcome(o *Outcome) {
	if o.Outcome.Text == "" && len(o.Notes)+len(o.Extensions) == 0 {
		w.failf("eventOutcomeInformation needs an outcome or a note, or an extension")
	}
	w.Start("premis:eventOutcomeInformation")
	w.term("premis:eventOutcome", o.Outcome)
	for _, n := range o.Notes {
		w.Start("premis:eventOutcomeDetail")
		w.Element("premis:eventOutcomeDetailNote", n)
		w.End("premis:eventOutcomeDetail")
	}
	for _, write := range o.Extensions {
		w.Start("premis:eventOutcomeDetail")
		w.extension("premis:eventOutcomeDetailExtension", write)
		w.End("premis:eventOutcomeDetail")
	}
	w.End("premis:eventOutcomeInformation")
}

// WriteAgent writes a premis:agent (entity 3) in PREMIS 3.0.
func WriteAgent(x *xmlstream.Writer, a Agent) error { return V3.WriteAgent(x, a) }

// WriteAgent writes a premis:agent (entity 3).
func (d Dialect) WriteAgent(x *xmlstream.Writer, a Agent) error {
	w := writer{x, d}
	w.root("premis:agent", a.XMLID)
	w.identifiers(&agentIdentifier, a.Identifiers)
	for _, n := range a.Names {
		w.term("premis:agentName", n)
	}
	w.term("premis:agentType", a.Type)
	switch {
	case !w.old():
		w.ElementOpt("premis:agentVersion", a.Version)
	case a.Version != "":
		w.Element("premis:agentNote", "version: "+a.Version)
	}
	w.texts("premis:agentNote", a.Notes)
	w.links(&linkingEvent, a.Events)
	w.links(&linkingRights, a.Rights)
	w.End("premis:agent")
	return w.Err()
}
