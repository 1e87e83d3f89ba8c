package pack

import (
	"strings"

	"quire/metadata/premis"
	"quire/model"
	"quire/preserve/aip"
)

// checkFact begins the facts that say what came of checking a package as it was received: its
// hashes, and who signed it (docs/reference/420_wacz.md). The certificates of a signature run out;
// what holds at ingest must be on record then.
const checkFact = "check: "

// signatures are the checks of the harvests that came with hashes or signatures, as events.
func (b *builder) signatures() []event {
	var events []event
	for i := range b.facts.harvests {
		h := &b.facts.harvests[i]
		steps, outcome := h.checked()
		if len(steps) == 0 {
			continue
		}
		events = append(events, event{aip.SignatureEventID(i + 1), premis.Event{
			Type: premis.EventType(string(model.SignatureCheck)), DateTime: premis.Time(b.started),
			Details:  []string{"hashes and signatures of the package as it was received, step by step"},
			Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(string(outcome)), Notes: steps}},
			Agents:   []premis.Link{b.link(packerID, "executing program", premis.AgentRole)},
			Objects:  []premis.Link{b.link(aip.PackageObjID, "source", premis.ObjectRole)},
		}})
	}
	return events
}

// checked lists the steps of the check, with what came of each. A step that failed makes it fail;
// one that could not be taken, a warning.
func (h *harvest) checked() (steps []string, outcome model.EventOutcome) {
	outcome = model.Success
	if h.about == nil {
		return nil, outcome
	}
	for _, e := range h.about.Evidence {
		step, ok := strings.CutPrefix(e.Fact, checkFact)
		if !ok {
			continue
		}
		steps = append(steps, step+": "+e.Value)
		switch {
		case strings.HasPrefix(e.Value, "fail"):
			outcome = model.Fail
		case !strings.HasPrefix(e.Value, "pass") && outcome == model.Success:
			outcome = model.Warned
		}
	}
	return steps, outcome
}
