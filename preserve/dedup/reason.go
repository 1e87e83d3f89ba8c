package dedup

import "quire/preserve/cdxj"

// Reason is why a record with content was left unchanged.
type Reason string

// The reasons, in the order of the checks.
const (
	Viral         Reason = "viral"                    // the list names its id or digest
	Truncated     Reason = Reason(cdxj.FlawTruncated) // the crawler stored only a part
	Segmented     Reason = Reason(cdxj.FlawSegmented) // its payload is spread over several records
	DigestWrong   Reason = Reason(cdxj.FlawDigest)    // a stated digest differs from the digest of the content
	DigestUnknown Reason = Reason(cdxj.FlawUnknown)   // a stated digest cannot be computed, or is of no payload
	BodyBroken    Reason = Reason(cdxj.FlawBody)      // its body is shorter than stated, or its chunks end early
	NoHead        Reason = Reason(cdxj.FlawNoHead)    // it should be an HTTP message, but has no head
	Short         Reason = Reason(cdxj.FlawShort)     // the block ends too early
	Empty         Reason = Reason(cdxj.FlawEmpty)     // nothing was stored
	Small         Reason = "small"                    // the payload is smaller than Options.Smallest
	Undated       Reason = "undated"                  // it has no date to compare
	NoURI         Reason = "no-uri"                   // it has no URI
	// the record, or its gzip member, violates the standard
	Damaged      Reason = Reason(cdxj.FlawDamaged)
	SharedMember Reason = "member-shared" // it shares its gzip member, and the file is damaged
	OddHeader    Reason = "header"        // its header could not be restored byte for byte
	ReferredTo   Reason = "referred-to"   // a revisit of the source refers to it
	NotEarlier   Reason = "not-earlier"   // its payload is stored, but was not captured earlier
	Unchecked    Reason = "unchecked"     // only an index states that its payload is stored
	HasRecord    Reason = "has-record"    // of a log line: the source has a record of the capture
	// of a log line: it has no SHA-1, so the content cannot be identified
	NoDigest     Reason = "no-digest"
	Contradicted Reason = "contradicted" // of a log line: the named record has another payload
	NotStored    Reason = "not-stored"   // its payload is new
)

// Reasons are all reasons, in that order.
var Reasons = []Reason{
	Viral, Truncated, Segmented, DigestWrong, DigestUnknown, BodyBroken, NoHead, Short, Empty, Small,
	Undated, NoURI, Damaged, SharedMember, OddHeader, ReferredTo, NotEarlier, Unchecked, HasRecord, NoDigest,
	Contradicted, NotStored,
}

// reasonTexts are the texts of the reasons for reports.
var reasonTexts = map[Reason]string{
	Viral:         "the list names its id or digest",
	Truncated:     "the crawler stored a part of it",
	Segmented:     "its payload is spread over several records",
	DigestWrong:   "a stated digest differs from that of the content",
	DigestUnknown: "a stated digest cannot be computed, or is of no payload",
	BodyBroken:    "the body is shorter than its head states, or its chunks end early",
	NoHead:        "it should be an HTTP message, and has no head",
	Short:         "its block ends too early",
	Empty:         "there is nothing to store",
	Small:         "its payload is smaller than was asked for",
	Undated:       "it has no date that could be compared",
	NoURI:         "it has no URI",
	Damaged:       "the record, or its gzip member, violates the standard",
	SharedMember:  "it shares its gzip member with others, and the file is damaged",
	OddHeader:     "its header could not be restored byte for byte",
	ReferredTo:    "a revisit of the source leads to it",
	NotEarlier:    "its payload is stored, but was not captured earlier",
	Unchecked:     "only an index says that its payload is stored",
	HasRecord:     "the source has a record of the capture",
	NoDigest:      "the line has no SHA-1, so its content cannot be identified",
	Contradicted:  "the record that the line names has another payload",
	NotStored:     "its payload is new",
}

// Text returns the text of the reason for people.
func (r Reason) Text() string { return reasonTexts[r] }

// Problem reports whether the reason is a fault of the content.
func (r Reason) Problem() bool {
	switch r {
	case Short, Damaged, DigestWrong, BodyBroken, Contradicted:
		return true
	}
	return false
}
