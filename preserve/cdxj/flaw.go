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

// Flaw is the reason why the payload of a response or resource cannot serve for its revisits or
// duplicates. "" means no flaw.
type Flaw string

// The flaws, in order of precedence: if there are several, the first is stored.
const (
	FlawTruncated Flaw = "truncated"         // the crawler stored only a part
	FlawSegmented Flaw = "segmented"         // its payload is spread over several records
	FlawDigest    Flaw = "digest-wrong"      // a stated digest differs from the digest of the content
	FlawUnknown   Flaw = "digest-unverified" // a stated digest cannot be computed, or is of no payload
	FlawBody      Flaw = "body-incomplete"   // the body is shorter than its head states, or its chunks end early
	FlawShort     Flaw = "short"             // the block ends too early
	FlawNoHead    Flaw = "no-head"           // it should be an HTTP message, but has no head
	FlawEmpty     Flaw = "empty"             // nothing was stored
	FlawDamaged   Flaw = "damaged"           // the record, or its gzip member, violates the standard
)

var flaws = []Flaw{"", FlawTruncated, FlawSegmented, FlawDigest, FlawUnknown, FlawBody, FlawShort, FlawNoHead,
	FlawEmpty, FlawDamaged}

// Flaws collects the findings of a pass, and determines which records have a flaw. The zero value
// is ready to use.
type Flaws struct {
	open []model.Finding // not yet assigned to a record
}

// maxOpen bounds the findings that wait for their record.
const maxOpen = 8 << 10

// Add adds a finding of the pass. It comes before its record, sometimes long before, because
// members are checked ahead.
func (x *Flaws) Add(f model.Finding) {
	if flawOf(f) != "" && len(x.open) < maxOpen {
		f.Message = ""
		x.open = append(x.open, f)
	}
}

// flawOf returns the flaw that a finding means for its record, or "".
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
	case string(arc.NoVersionBlock): // a property of the file, not of the record
		return ""
	}
	if f.Severity == model.Error {
		return FlawDamaged
	}
	return ""
}

// settle returns the flaws of a record, and drops the findings of earlier records.
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

// Of returns the flaw of a record. The pass must visit all records, in the order of the file, and
// digest their content.
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
