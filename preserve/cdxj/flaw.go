package cdxj

import (
	"slices"
	"strings"

	"quire/format/arc"
	"quire/format/http1"
	"quire/format/warc"
	"quire/model"
	"quire/preserve/inspect"
)

// Flaw says why the payload of a response or resource cannot stand for that of others. "" is:
// nothing is wrong with it.
type Flaw string

// The flaws, in the order in which they are looked for: of several the first counts.
const (
	FlawTruncated Flaw = "truncated"         // the crawler stored a part of it
	FlawSegmented Flaw = "segmented"         // its payload is spread over several records
	FlawDigest    Flaw = "digest-wrong"      // a digest that it states is not that of its content
	FlawUnknown   Flaw = "digest-unverified" // a digest that it states cannot be computed, or is of no payload
	FlawBody      Flaw = "body-incomplete"   // its body is shorter than its head says, or its chunks break off
	FlawShort     Flaw = "short"             // its block ends too early
	FlawNoHead    Flaw = "no-head"           // it should be an HTTP message, and has no head
	FlawEmpty     Flaw = "empty"             // there is nothing to store
	FlawDamaged   Flaw = "damaged"           // the record, or its gzip member, is not written as the standard asks
)

var flaws = []Flaw{"", FlawTruncated, FlawSegmented, FlawDigest, FlawUnknown, FlawBody, FlawShort, FlawNoHead,
	FlawEmpty, FlawDamaged}

// Flaws collects the findings of a pass, and says of each record whether one of them is a flaw of
// it. The zero value is ready.
type Flaws struct {
	open []model.Finding // it is not settled yet whose they are
}

// maxOpen bounds the findings that wait for their record.
const maxOpen = 8 << 10

// Add takes a finding of the pass. It comes before its record, sometimes long before: a member is
// looked at ahead.
func (x *Flaws) Add(f model.Finding) {
	if flawOf(f) != "" && len(x.open) < maxOpen {
		f.Message = ""
		x.open = append(x.open, f)
	}
}

// flawOf is what a finding means for its record, "" when it means nothing.
func flawOf(f model.Finding) Flaw {
	switch f.Code {
	case string(inspect.FaultDigestBlock), string(inspect.FaultDigestPayload):
		return FlawDigest
	case string(inspect.FaultDigestForm), string(inspect.FaultDigestAlgorithm),
		string(inspect.FaultDigestPayloadOfBlock):
		return FlawUnknown
	case string(http1.BodyShort), string(http1.ChunkSyntax), string(http1.ChunkTruncated):
		return FlawBody
	case string(warc.FaultSeparator), string(warc.FaultLength), string(warc.FaultSpansMembers),
		string(warc.FaultTruncated),
		string(warc.FaultHeaderSyntax), string(warc.FaultHeaderLineEnd), string(warc.FaultHeaderTruncated):
		return FlawDamaged
	case string(arc.NoVersionBlock): // it is the file that lacks it
		return ""
	}
	if f.Severity == model.Error {
		return FlawDamaged
	}
	return ""
}

// settle takes the findings that are of a record, and forgets those of records before it.
func (x *Flaws) settle(r *model.Record) (found []Flaw) {
	end := r.Offset + max(r.Stored, 1)
	x.open = slices.DeleteFunc(x.open, func(f model.Finding) bool {
		ofMember := strings.HasPrefix(f.Code, "GZIP-") || strings.HasPrefix(f.Code, "ZSTD-")
		if f.Offset == r.Offset || ofMember && r.Offset <= f.Offset && f.Offset < end {
			found = append(found, flawOf(f))
		}
		return f.Offset < end && r.Stored > 0 || f.Offset < r.Offset
	})
	return found
}

// Of gives the flaw of a record; the pass has to visit all of them, in the order of the file, and
// to digest contents.
func (x *Flaws) Of(r *model.Record) Flaw {
	found := x.settle(r)
	has := func(f Flaw) bool { return slices.Contains(found, f) }
	switch {
	case r.Type != warc.TypeResponse && r.Type != warc.TypeResource:
		return ""
	case r.Truncated != "":
		return FlawTruncated
	case r.Segment != "" || r.Content == nil:
		return FlawSegmented
	case has(FlawDigest):
		return FlawDigest
	case has(FlawUnknown):
		return FlawUnknown
	case has(FlawBody):
		return FlawBody
	case !r.DigestsFit && !has(FlawDamaged):
		return FlawShort
	case r.Block == r.Payload && strings.HasPrefix(strings.ToLower(r.ContentType), "application/http"):
		return FlawNoHead
	case r.Content.Length == 0 || r.Payload == 0:
		return FlawEmpty
	case has(FlawDamaged):
		return FlawDamaged
	}
	return ""
}
