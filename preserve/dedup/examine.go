package dedup

import (
	"context"
	"errors"
	"fmt"
	"io"

	"quire/format/warc"
	"quire/model"
	"quire/preserve/cdxj"
	"quire/preserve/inspect"
)

// recordFacts is the data of one record: enough to decide, and small enough to keep millions on disk.
type recordFacts struct {
	Item     int // index in the job
	Attempt  int
	Type     string
	ID       string
	URI      string
	Date     string // as stated
	Offset   int64
	Inflated int64 // offset in the inflated container
	Stored   int64 // -1 if it shares its member
	Head     int64 // bytes of the block before the body
	Why      Reason
	Content  bool // it has a payload, whether or not it may be replaced
	Payload  Payload
	Span     instant
	Refers   []string // of a revisit: its lookup keys in an Index
}

// examiner reads containers and decides for each record with content whether it can be replaced or
// be an original.
type examiner struct {
	viral    *ViralList
	smallest int64
	progress func(bytes int64)
	flaws    cdxj.Flaws
}

// errEnough ends a pass that has its result.
var errEnough = errors.New("enough")

// examine visits the records of a container in the order of the file.
func (x *examiner) examine(ctx context.Context, name string, content io.ReadSeeker,
	visit func(*recordFacts) error) (*model.Container, error) {
	x.flaws = cdxj.Flaws{}
	o := inspect.Options{
		Name: name, MaxFindings: -1, Contents: true, Finding: x.flaws.Add, Progress: x.progress,
		Record: func(r model.Record) error { return visit(x.judge(&r)) },
	}
	c, err := inspect.Reader(ctx, content, o)
	if err != nil && !errors.Is(err, errEnough) {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return c, err
}

// judge returns the facts of a record on its own.
func (x *examiner) judge(r *model.Record) *recordFacts {
	flaw := x.flaws.Of(r)
	s := &recordFacts{Type: r.Type, ID: r.ID, URI: r.URI, Offset: r.Offset, Inflated: r.Inflated, Stored: r.Stored,
		Head: r.Block - r.Payload}
	if r.Type == warc.TypeRevisit {
		s.Refers = references(r)
	}
	if r.Type != warc.TypeResponse && r.Type != warc.TypeResource {
		return s
	}
	s.Content = true
	if r.Content != nil {
		s.Payload, s.Date = payloadOf(r), r.Dated
		s.Span, _ = datedAs(s.Date)
	}
	s.Why = x.why(r, s, flaw)
	return s
}

// references returns the names of the record that a revisit refers to.
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

func (x *examiner) why(r *model.Record, s *recordFacts, flaw cdxj.Flaw) Reason {
	if x.viral.Has(r.ID) || r.Content != nil && x.viral.hasPayload(r, &s.Payload) {
		return Viral
	}
	if (flaw == "" || flaw == cdxj.FlawDamaged) && s.Payload.Length < x.smallest {
		return Small
	}
	return whyOf(flaw, s.Span, s.URI)
}

// whyOf returns why a record with content stays unchanged and cannot be an original: because of its
// flaw, its date, or its URL.
func whyOf(flaw cdxj.Flaw, dated instant, uri string) Reason {
	switch {
	case flaw != "" && flaw != cdxj.FlawDamaged:
		return Reason(flaw)
	case dated == instant{}:
		return Undated
	case uri == "":
		return NoURI
	}
	return Reason(flaw)
}
