package pack

import (
	"strings"

	"quire/metadata/premis"
	"quire/model"
	"quire/preserve/aip"
)

// checkFact begins the facts about the checks of a received package: its hashes and signers
// (docs/reference/420_wacz.md). The certificates of a signature expire, so the result must be
// recorded at ingest.
const checkFact = "check: "

// signatures returns the checks of the harvests with hashes or signatures, as events.
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

// checked lists the steps of the check with their results. A failed step makes the outcome a
// failure, a skipped step a warning.
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
