package dedup

import (
	"time"

	"quire/model"
)

// MaxListed is how many records a report lists one by one for each reason. All are counted.
const MaxListed = 100

// Report says what was done to a source.
type Report struct {
	Source     string             `json:"source"`
	Out        string             `json:"out"`
	Containers []ContainerReport  `json:"containers"`
	Records    int64              `json:"records"`
	Contents   int64              `json:"contents"` // of these, responses and resources
	Replaced   int64              `json:"replaced"` // became revisit records; or, undone, are full records again
	Evidence   map[Evidence]int64 `json:"evidence"` // how it is known that their payloads are stored
	Left       map[Reason]int64   `json:"left"`     // contents that stay as they are, and why
	// bytes of content that are not stored again, inflated; or that are again
	Payload int64 `json:"payload"`
	// bytes by which the files are smaller; less than 0 where they have grown
	Saved int64 `json:"saved"`
	// of what was left for a reason worth knowing, at most MaxListed of each
	Examples  []Example          `json:"examples"`
	Denied    []Denied           `json:"denied"` // lines of indexes that records do not bear out, at most MaxListed
	DeniedAll int64              `json:"denied_total"`
	LinesLost int64              `json:"lines_unread"` // lines of indexes that cannot be read
	Lost      []Example          `json:"lost"`         // what cannot be brought back, at most MaxListed
	LostAll   int64              `json:"lost_total"`
	Event     EventFacts         `json:"event"`
	Outcome   model.EventOutcome `json:"outcome"`
}

// ContainerReport is what was done to one container.
type ContainerReport struct {
	Path        string           `json:"path"` // within the source, and within the result
	Records     int64            `json:"records"`
	Replaced    int64            `json:"replaced"`
	Left        map[Reason]int64 `json:"left"`
	Payload     int64            `json:"payload"`
	Size        int64            `json:"size"` // as it was, in bytes
	SHA512      string           `json:"sha512"`
	Written     int64            `json:"written"` // bytes of the result
	WrittenSum  string           `json:"written_sha512"`
	MembersMade bool             `json:"members_made"` // one member held many records, and each has one of its own now
}

// Example is one record.
type Example struct {
	Reason    Reason `json:"reason,omitempty"`
	Container string `json:"container"`
	Offset    int64  `json:"offset"`
	Record    string `json:"record"`
	URI       string `json:"uri"`
	Message   string `json:"message,omitempty"`
}

// EventFacts is the fact for a PREMIS event: what was done, when, by whom, to what.
type EventFacts struct {
	Type    string             `json:"type"`
	Detail  string             `json:"detail"`
	Start   time.Time          `json:"start"`
	End     time.Time          `json:"end"`
	Agent   string             `json:"agent"`
	Version string             `json:"agent_version"`
	Outcome model.EventOutcome `json:"outcome"`
	Sources []Object           `json:"sources"` // the containers as they were
	Results []Object           `json:"results"` // and as they are
	Against []string           `json:"against"` // where originals were looked for
}

// Object is a file of an event.
type Object struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA512 string `json:"sha512"`
}

func newReport(source, out string) *Report {
	return &Report{
		Source: source, Out: out, Containers: []ContainerReport{}, Evidence: map[Evidence]int64{},
		Left:     map[Reason]int64{},
		Examples: []Example{}, Denied: []Denied{}, Lost: []Example{}, Outcome: model.Success,
		Event: EventFacts{Sources: []Object{}, Results: []Object{}, Against: []string{}},
	}
}

// leave counts a record that stays as it is.
func (r *Report) leave(c *ContainerReport, s *seen, why Reason) {
	r.Left[why]++
	c.Left[why]++
	if why.Problem() {
		r.Outcome = model.Warned
	}
	if why == NotStored || why == Empty || why == Small || r.Left[why] > MaxListed {
		return
	}
	r.Examples = append(r.Examples, Example{Reason: why, Container: c.Path, Offset: s.Offset, Record: s.ID, URI: s.URI})
}

// add takes in what was done to a container.
func (r *Report) add(c *ContainerReport) {
	r.Containers = append(r.Containers, *c)
	r.Records += c.Records
	r.Replaced += c.Replaced
	r.Payload += c.Payload
	r.Saved += c.Size - c.Written
}

// lose counts a record that cannot be brought back.
func (r *Report) lose(c *ContainerReport, e Example) {
	r.Outcome = model.Fail
	if r.LostAll++; len(r.Lost) < MaxListed {
		e.Container = c.Path
		r.Lost = append(r.Lost, e)
	}
}
