package policy

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"quire/metadata/premis"
	"quire/model"
	"quire/preserve/aip"
)

// HarvestOf extracts the harvest facts for policies from a capture event. agents has the names of
// agents by their identifiers. When making a package, the input is the event about to be written;
// when checking one, the event as read: so both use the same facts.
func HarvestOf(e premis.Event, agents map[string]string) *HarvestFacts {
	h := &HarvestFacts{}
	start, end, span := strings.Cut(e.DateTime, "/")
	if !span {
		end = start
	}
	h.Start, h.End = moments(start, end)
	for _, l := range e.Agents {
		for _, role := range l.Roles {
			switch role.Text {
			case "executing program":
				h.Software = append(h.Software, agents[l.Value])
			case "implementer":
				h.Operators = append(h.Operators, agents[l.Value])
			}
		}
	}
	for _, o := range e.Outcomes {
		for _, note := range o.Notes {
			h.note(note)
		}
	}
	return h
}

func moments(start, end string) (time.Time, time.Time) {
	from, err := time.Parse(time.RFC3339Nano, start)
	until, wrong := time.Parse(time.RFC3339Nano, end)
	if err != nil || wrong != nil {
		return time.Time{}, time.Time{}
	}
	return from.UTC(), until.UTC()
}

// note parses a note of a capture: "kind: value", or "kind: value (from source)".
func (h *HarvestFacts) note(note string) {
	kind, value, ok := strings.Cut(note, ": ")
	if !ok {
		return
	}
	fact := value
	if at := strings.LastIndex(value, " (from "); at >= 0 {
		fact = value[:at]
	}
	switch kind {
	case "system":
		h.System, h.Documentation, _ = strings.Cut(value, "; harvest documentation: ")
	case "identifier there":
		h.ID = value
	case "robots policy":
		h.Robots = append(h.Robots, fact)
	case "user agent":
		h.UserAgents = append(h.UserAgents, fact)
	case "seed":
		if !andMore.MatchString(value) {
			h.Seeds = append(h.Seeds, value)
		}
	}
}

// andMore matches the end of a list that is too long for the METS.
var andMore = regexp.MustCompile(`^and [0-9]+ more, which its files hold$`)

// HarvestNumber returns the harvest of a capture event, from the ID of its section or its
// identifier; 0 for none.
func HarvestNumber(id string) int {
	id = id[strings.LastIndexByte(id, '#')+1:]
	if id == aip.CaptureEventID {
		return 1
	}
	n, err := strconv.Atoi(strings.TrimPrefix(id, aip.CaptureEventID+"-"))
	if err != nil || n < 2 || aip.HarvestEventID(n) != id {
		return 0
	}
	return n
}

// The numbers in the first note of a virus check (docs/reference/310_package-format.md, 3.5).
var (
	numberScanned  = regexp.MustCompile(`([0-9]+)(?: bytestreams?)? scanned|detected in ([0-9]+) `)
	numberLeft     = regexp.MustCompile(`([0-9]+)(?: bytestreams?)? not scanned|^not scanned.* ([0-9]+) bytestreams?$`)
	numberCleaned  = regexp.MustCompile(`^viral, cleaned: ([0-9]+) of them$`)
	numberInfected = regexp.MustCompile(`^viral[^0-9]*([0-9]+) bytestreams?`)
)

// ScanOf extracts the facts for policies from a virus check event. It returns an error if the first
// note is unknown to the package format.
func ScanOf(e premis.Event) (*Scan, error) {
	note := ""
	if len(e.Outcomes) > 0 && len(e.Outcomes[0].Notes) > 0 {
		note = e.Outcomes[0].Notes[0]
	}
	s := &Scan{Scanned: counted(numberScanned, note), NotScanned: counted(numberLeft, note)}
	switch {
	case strings.HasPrefix(note, "no virus detected;"):
		s.Outcome = model.ScanClean
	case strings.HasPrefix(note, "no virus detected in "):
		s.Outcome = model.ScanIncomplete
	case strings.HasPrefix(note, "viral"):
		s.Outcome, s.Infected = model.ScanInfected, counted(numberInfected, note)
		for _, further := range e.Outcomes[0].Notes[1:] {
			s.Cleaned += counted(numberCleaned, further)
		}
		if strings.HasPrefix(note, "viral, cleaned:") {
			s.Cleaned = s.Infected
		}
	case strings.HasPrefix(note, "not scanned"):
		s.Outcome = model.ScanNotDone
	default:
		return nil, fmt.Errorf("virus check %s: the first note does not follow clause 3.5: %.100q", e.Identifier.Value,
			note)
	}
	return s, nil
}

// counted returns the number matched by a pattern; 0 without a match.
func counted(p *regexp.Regexp, note string) int64 {
	for _, digits := range p.FindStringSubmatch(note) {
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil { // the first is the whole match
			return n
		}
	}
	return 0
}
