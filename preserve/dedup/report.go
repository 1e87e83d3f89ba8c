package dedup

import (
	"time"

	"quire/model"
)

// MaxListed is how many records a report lists for each reason. All are counted.
const MaxListed = 100

// Report is the result for a source.
type Report struct {
	Source     string             `json:"source"`
	Out        string             `json:"out"`
	Containers []ContainerReport  `json:"containers"`
	Copied     []Object           `json:"copied"`     // logs and other files of the harvests, unchanged
	NotCopied  []string           `json:"not_copied"` // indexes of the containers of before
	Records    int64              `json:"records"`
	Contents   int64              `json:"contents"` // responses and resources
	Replaced   int64              `json:"replaced"` // now revisit records; after Undo, now full records
	Evidence   map[Evidence]int64 `json:"evidence"` // how the stored payloads were identified
	Left       map[Reason]int64   `json:"left"`     // records left unchanged, by reason
	// inflated bytes of content that are no longer stored; after Undo, inflated bytes that are
	// stored again
	Payload int64 `json:"payload"`
	// reduction of the file sizes in bytes; negative if they have grown
	Saved int64 `json:"saved"`
	// of records left for an important reason, at most MaxListed of each
	Examples  []Example          `json:"examples"`
	Denied    []Denied           `json:"denied"` // index lines that records contradict, at most MaxListed
	DeniedAll int64              `json:"denied_total"`
	LinesLost int64              `json:"lines_unread"` // unreadable index lines
	Lost      []Example          `json:"lost"`         // records that cannot be restored, at most MaxListed
	LostAll   int64              `json:"lost_total"`
	Event     EventFacts         `json:"event"`
	Outcome   model.EventOutcome `json:"outcome"`
}

// ContainerReport is the result for one container.
type ContainerReport struct {
	Path        string           `json:"path"` // within the source, and within the result
	Records     int64            `json:"records"`
	Replaced    int64            `json:"replaced"`
	Left        map[Reason]int64 `json:"left"`
	Payload     int64            `json:"payload"`
	Size        int64            `json:"size"` // before, in bytes
	SHA512      string           `json:"sha512"`
	Written     int64            `json:"written"` // after, in bytes
	WrittenSum  string           `json:"written_sha512"`
	MembersMade bool             `json:"members_made"` // records that shared a member now have one each
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

// EventFacts is the data for a PREMIS event: its type, time, agent and objects.
type EventFacts struct {
	Type    string             `json:"type"`
	Detail  string             `json:"detail"`
	Start   time.Time          `json:"start"`
	End     time.Time          `json:"end"`
	Agent   string             `json:"agent"`
	Version string             `json:"agent_version"`
	Outcome model.EventOutcome `json:"outcome"`
	Sources []Object           `json:"sources"` // the containers before
	Results []Object           `json:"results"` // the containers after
	Against []string           `json:"against"` // places searched for originals
}

// Object is a file of an event.
type Object struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA512 string `json:"sha512"`
}

func newReport(source, out string) *Report {
	return &Report{
		Source: source, Out: out, Containers: []ContainerReport{}, Copied: []Object{}, NotCopied: []string{},
		Evidence: map[Evidence]int64{},
		Left:     map[Reason]int64{},
		Examples: []Example{}, Denied: []Denied{}, Lost: []Example{}, Outcome: model.Success,
		Event: EventFacts{Sources: []Object{}, Results: []Object{}, Against: []string{}},
	}
}

// leave counts a record that stays unchanged.
func (r *Report) leave(c *ContainerReport, s *recordFacts, why Reason) {
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

// add adds the result of a container.
func (r *Report) add(c *ContainerReport) {
	r.Containers = append(r.Containers, *c)
	r.Records += c.Records
	r.Replaced += c.Replaced
	r.Payload += c.Payload
	r.Saved += c.Size - c.Written
}

// lose counts a record that could not be restored.
func (r *Report) lose(c *ContainerReport, e Example) {
	r.Outcome = model.Fail
	if r.LostAll++; len(r.Lost) < MaxListed {
		e.Container = c.Path
		r.Lost = append(r.Lost, e)
	}
}
