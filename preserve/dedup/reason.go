package dedup

import "quire/preserve/cdxj"

// Reason says why a record with content was left as it is.
type Reason string

// The reasons, in the order in which they are looked for.
const (
	Viral         Reason = "viral"                    // the list names its id or digest
	Truncated     Reason = Reason(cdxj.FlawTruncated) // the crawler stored a part of it
	Segmented     Reason = Reason(cdxj.FlawSegmented) // its payload is spread over several records
	DigestWrong   Reason = Reason(cdxj.FlawDigest)    // a digest that it states is not that of its content
	DigestUnknown Reason = Reason(cdxj.FlawUnknown)   // a digest that it states cannot be computed, or is of no payload
	BodyBroken    Reason = Reason(cdxj.FlawBody)      // its body is shorter than its head says, or its chunks break off
	NoHead        Reason = Reason(cdxj.FlawNoHead)    // it should be an HTTP message, and has no head
	Short         Reason = Reason(cdxj.FlawShort)     // its block ends too early
	Empty         Reason = Reason(cdxj.FlawEmpty)     // there is nothing to store
	Small         Reason = "small"                    // its payload is smaller than was asked for
	Undated       Reason = "undated"                  // it has no date that could be compared
	NoURI         Reason = "no-uri"                   // it says not what it is of
	// the record, or its gzip member, is not written as the standard asks
	Damaged      Reason = Reason(cdxj.FlawDamaged)
	SharedMember Reason = "member-shared" // it shares its gzip member with others, and the file is damaged
	OddHeader    Reason = "header"        // its header could not be brought back to the byte
	ReferredTo   Reason = "referred-to"   // a revisit of the source leads to it
	NotEarlier   Reason = "not-earlier"   // its payload is stored, but was not captured earlier
	Unchecked    Reason = "unchecked"     // only an index says that its payload is stored
	HasRecord    Reason = "has-record"    // of a log line: the source has a record of the capture
	// of a log line: it has no SHA-1, without which nothing shows what was there
	NoDigest     Reason = "no-digest"
	Contradicted Reason = "contradicted" // of a log line: the record that it names has another payload
	NotStored    Reason = "not-stored"   // its payload is new
)

// Reasons are all of them, in that order.
var Reasons = []Reason{
	Viral, Truncated, Segmented, DigestWrong, DigestUnknown, BodyBroken, NoHead, Short, Empty, Small,
	Undated, NoURI, Damaged, SharedMember, OddHeader, ReferredTo, NotEarlier, Unchecked, HasRecord, NoDigest,
	Contradicted, NotStored,
}

// words are what a report says for a reason.
var words = map[Reason]string{
	Viral:         "the list names its id or digest",
	Truncated:     "the crawler stored a part of it",
	Segmented:     "its payload is spread over several records",
	DigestWrong:   "a digest that it states is not that of its content",
	DigestUnknown: "a digest that it states cannot be computed, or is of no payload",
	BodyBroken:    "its body is shorter than its head says, or its chunks break off",
	NoHead:        "it should be an HTTP message, and has no head",
	Short:         "its block ends too early",
	Empty:         "there is nothing to store",
	Small:         "its payload is smaller than was asked for",
	Undated:       "it has no date that could be compared",
	NoURI:         "it says not what it is of",
	Damaged:       "the record, or its gzip member, is not written as the standard asks",
	SharedMember:  "it shares its gzip member with others, and the file is damaged",
	OddHeader:     "its header could not be brought back to the byte",
	ReferredTo:    "a revisit of the source leads to it",
	NotEarlier:    "its payload is stored, but was not captured earlier",
	Unchecked:     "only an index says that its payload is stored",
	HasRecord:     "the source has a record of the capture",
	NoDigest:      "the line has no SHA-1, without which nothing shows what was there",
	Contradicted:  "the record that the line names has another payload",
	NotStored:     "its payload is new",
}

// Words says the reason to a person.
func (r Reason) Words() string { return words[r] }

// Problem says whether the reason is something wrong with the content.
func (r Reason) Problem() bool {
	switch r {
	case Short, Damaged, DigestWrong, BodyBroken, Contradicted:
		return true
	}
	return false
}
