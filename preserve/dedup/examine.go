package dedup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"quire/format/arc"
	"quire/format/http1"
	"quire/format/warc"
	"quire/model"
	"quire/preserve/inspect"
)

// seen is what was learnt of one record: enough to decide, and small enough to wait on the disk for millions of others.
type seen struct {
	Item     int // of the job
	Attempt  int
	Type     string
	ID       string
	URI      string
	Date     string // as stated
	Offset   int64
	Inflated int64 // offset when the container is inflated
	Stored   int64 // -1 when it shares its member
	Head     int64 // bytes of the block before the body
	Why      Reason
	Content  bool // it carries a payload, whether or not it may be replaced
	Payload  Payload
	Span     instant
	Refers   []string // of a revisit: what it is looked up by as noted in an Index
}

// examiner reads containers and says of each record with content whether it could be replaced or stand as an original.
type examiner struct {
	viral    *ViralList
	smallest int64
	progress func(bytes int64)
	open     []model.Finding // not yet settled whose they are
}

// errEnough ends a pass that has shown what was asked for.
var errEnough = errors.New("enough")

// examine visits the records of a container in the order of the file.
func (x *examiner) examine(ctx context.Context, name string, content io.ReadSeeker, visit func(*seen) error) (*model.Container, error) {
	x.open = x.open[:0]
	o := inspect.Options{
		Name: name, MaxFindings: -1, Contents: true, Finding: x.finding, Progress: x.progress,
		Record: func(r model.Record) error { return visit(x.judge(&r)) },
	}
	c, err := inspect.Reader(ctx, content, o)
	if err != nil && !errors.Is(err, errEnough) {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return c, err
}

// maxOpen bounds the findings that wait for their record.
const maxOpen = 8 << 10

// finding takes what the pass noticed. It is told before its record, sometimes long before: a member is looked at ahead.
func (x *examiner) finding(f model.Finding) {
	if reasonOf(f) != "" && len(x.open) < maxOpen {
		f.Message = ""
		x.open = append(x.open, f)
	}
}

// reasonOf is what a finding means for its record, "" when it means nothing.
func reasonOf(f model.Finding) Reason {
	switch f.Code {
	case string(inspect.FaultDigestBlock), string(inspect.FaultDigestPayload):
		return DigestWrong
	case string(inspect.FaultDigestForm), string(inspect.FaultDigestAlgorithm), string(inspect.FaultDigestPayloadOfBlock):
		return DigestUnknown
	case string(http1.BodyShort), string(http1.ChunkSyntax), string(http1.ChunkTruncated):
		return BodyBroken
	case string(warc.FaultSeparator), string(warc.FaultLength), string(warc.FaultSpansMembers), string(warc.FaultTruncated),
		string(warc.FaultHeaderSyntax), string(warc.FaultHeaderLineEnd), string(warc.FaultHeaderTruncated):
		return Damaged
	case string(arc.NoVersionBlock): // it is the file that lacks it
		return ""
	}
	if f.Severity == model.Error {
		return Damaged
	}
	return ""
}

// settle takes the findings that are of a record, and forgets those of records before it.
func (x *examiner) settle(r *model.Record) map[Reason]bool {
	var found map[Reason]bool
	end := r.Offset + max(r.Stored, 1)
	x.open = slices.DeleteFunc(x.open, func(f model.Finding) bool {
		ofMember := strings.HasPrefix(f.Code, "GZIP-") || strings.HasPrefix(f.Code, "ZSTD-")
		if f.Offset == r.Offset || ofMember && r.Offset <= f.Offset && f.Offset < end {
			if found == nil {
				found = map[Reason]bool{}
			}
			found[reasonOf(f)] = true
		}
		return f.Offset < end && r.Stored > 0 || f.Offset < r.Offset
	})
	return found
}

// judge says what is known of a record by itself.
func (x *examiner) judge(r *model.Record) *seen {
	found := x.settle(r)
	s := &seen{Type: r.Type, ID: r.ID, URI: r.URI, Offset: r.Offset, Inflated: r.Inflated, Stored: r.Stored, Head: r.Block - r.Payload}
	if r.Type == warc.TypeRevisit {
		s.Refers = references(r)
	}
	if r.Type != warc.TypeResponse && r.Type != warc.TypeResource {
		return s
	}
	s.Content = true
	if r.Content != nil {
		s.Payload, s.Date = payloadOf(r), r.Content.Dated
		s.Span, _ = datedAs(s.Date)
	}
	s.Why = x.why(r, s, found)
	return s
}

// references are the names of the record that a revisit refers to.
func references(r *model.Record) (names []string) {
	if r.RefersTo != "" {
		names = append(names, nameOfID(r.RefersTo))
	}
	if r.RefersToURI != "" && r.RefersToDate != "" {
		names = append(names, nameOfCapture(r.RefersToURI, r.RefersToDate))
	}
	return names
}

func nameOfID(id string) string { return "id " + bareID(id) }

func nameOfCapture(uri, date string) string { return "capture " + date + " " + bareID(uri) }

func (x *examiner) why(r *model.Record, s *seen, found map[Reason]bool) Reason {
	switch {
	case x.viral.Has(r.ID) || r.Content != nil && x.viral.hasPayload(r, &s.Payload):
		return Viral
	case r.Truncated != "":
		return Truncated
	case r.Segment != "" || r.Content == nil:
		return Segmented
	case found[DigestWrong]:
		return DigestWrong
	case found[DigestUnknown]:
		return DigestUnknown
	case found[BodyBroken]:
		return BodyBroken
	case !r.DigestsFit && !found[Damaged]:
		return Short
	case s.Head == 0 && strings.HasPrefix(strings.ToLower(r.ContentType), "application/http"):
		return NoHead
	case s.Payload.Length == 0 || s.Payload.BodyLength == 0:
		return Empty
	case s.Payload.Length < x.smallest:
		return Small
	case s.Span == instant{}:
		return Undated
	case s.URI == "":
		return NoURI
	case found[Damaged]:
		return Damaged
	}
	return ""
}
