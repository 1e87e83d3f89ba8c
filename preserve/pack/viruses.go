package pack

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"quire/internal/humanize"
	"quire/metadata/premis"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/inspect"
)

// Scan is the result of scanning all containers of a package for viruses. The METS lists the
// infected records.
type Scan struct {
	Outcome    model.ScanOutcome `json:"outcome"`
	Scanned    int64             `json:"scanned"` // payloads
	Infected   int64             `json:"infected"`
	Cleaned    int64             `json:"cleaned"` // of the infected
	NotScanned int64             `json:"not_scanned"`
	// reasons of the cleaner's failures, at most 100; null without a cleaner, or without infections
	NotCleaned []string `json:"not_cleaned"`
}

// checkScanner checks, before anything is copied, that a required virus scanner is reachable.
func checkScanner(ctx context.Context, o Options) error {
	if o.Scan == nil || o.Scan.Optional() {
		return nil
	}
	return o.Scan.Ping(ctx)
}

// scanned adds the virus scanner's results for a container, if it was scanned.
func (b *builder) scanned(s *model.Scan) {
	if s == nil {
		return
	}
	for _, by := range s.Scanners {
		if !slices.Contains(b.scanners, by) {
			b.scanners = append(b.scanners, by)
		}
	}
	if b.result.Scan == nil {
		b.result.Scan = &Scan{Outcome: s.Outcome}
	}
	all := b.result.Scan
	all.Scanned, all.Infected, all.NotScanned = all.Scanned+s.Scanned, all.Infected+s.Infected,
		all.NotScanned+s.NotScanned
	switch {
	case all.Infected > 0:
		all.Outcome = model.ScanInfected
	case s.Outcome != all.Outcome:
		all.Outcome = model.ScanIncomplete
	}
}

// scannerID returns the ID of the scanner agent with that index.
func scannerID(i int) string { return aip.AgentIDPrefix + "scanner-" + strconv.Itoa(i+1) }

// scannerAgents returns the virus scanners: one for each version of the program and of its
// database.
func (b *builder) scannerAgents() []agent {
	var list []agent
	for i, by := range b.scanners {
		list = append(list, agent{id: scannerID(i), agent: premis.Agent{
			Identifiers: []premis.Identifier{b.identify(scannerID(i))},
			Names:       []premis.Term{premis.Text(by.Name)}, Type: premis.AgentType("software"), Version: by.Release(),
		}})
	}
	return list
}

// virusCheck returns the event of scanning the payloads of one container (2.5, 3.5).
func (b *builder) virusCheck(p packed) premis.Event {
	s := p.Container.Scan
	id := aip.VirusEventID(p.N)
	outcome, notes := checked(s, b.infections.of(p.N))
	e := premis.Event{
		Identifier: b.identify(id), Type: premis.EventType(string(model.VirusCheck)), DateTime: premis.Time(p.Done),
		Details: []string{"payload of each record scanned as it would be served, without chunked framing and " +
			"content codings"},
		Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(string(outcome)), Notes: notes}},
		Objects:  []premis.Link{b.link(aip.ContainerObjID(p.N), "source", premis.ObjectRole)},
	}
	for _, by := range s.Scanners {
		e.Agents = append(e.Agents, b.link(scannerID(slices.Index(b.scanners, by)), "executing program",
			premis.AgentRole))
	}
	if len(e.Agents) == 0 { // no scanner was reachable
		e.Agents = []premis.Link{b.link(packerID, "executing program", premis.AgentRole)}
	}
	return e
}

// checked returns the outcome, the infected records, and the reasons for payloads not scanned.
func checked(s *model.Scan, c *infectedContainer) (model.EventOutcome, []string) {
	outcome := model.Fail
	var notes []string
	switch s.Outcome {
	case model.ScanClean:
		outcome, notes = model.NoVirus,
			[]string{"no virus detected; " + humanize.Count(s.Scanned, "bytestream") + " scanned"}
	case model.ScanIncomplete:
		outcome = model.Warned
		notes = []string{"no virus detected in " + humanize.Count(s.Scanned, "bytestream") + "; " +
			humanize.Count(s.NotScanned, "bytestream") + " not scanned"}
	case model.ScanInfected:
		if c != nil && c.cleaned == s.Infected {
			outcome = model.ViralCleaned
			notes = []string{fmt.Sprintf("viral, cleaned: %s of %d scanned, kept as received beside what the cleaner "+
				"made of them; %d not scanned", humanize.Count(s.Infected, "bytestream"), s.Scanned, s.NotScanned)}
			break
		}
		outcome = model.ViralForced
		notes = []string{fmt.Sprintf("viral, failed but forced: %s of %d scanned, kept as received; %d not scanned",
			humanize.Count(s.Infected, "bytestream"), s.Scanned, s.NotScanned)}
		if c != nil {
			notes = append(notes, fmt.Sprintf("viral, cleaned: %d of them", c.cleaned))
		}
	default:
		notes = []string{"not scanned: clamd was away, or there was nothing it could scan; " +
			humanize.Count(s.NotScanned, "bytestream")}
	}
	for _, f := range s.Found {
		notes = append(notes, fmt.Sprintf("infected: %s, record %s at byte %d, %d bytes, %s", f.Signature, f.Record,
			f.Offset, f.Bytes, f.URI))
	}
	if more := s.Infected - int64(len(s.Found)); more > 0 {
		notes = append(notes, fmt.Sprintf("infected: %d more", more))
	}
	for _, r := range s.Reasons {
		notes = append(notes, "not scanned: "+humanize.Count(r.Count, "bytestream")+", "+r.Name)
	}
	return outcome, notes
}

// ofStructure reports whether a finding is about the container, not from a virus scanner.
func ofStructure(f model.Finding) bool {
	return f.Code != string(inspect.FaultInfected) && f.Code != string(inspect.FaultNotScanned)
}
