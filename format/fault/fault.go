// Package fault describes the rules of a standard that a file breaks.
//
// The readers below format/ are lenient: after damage they continue and return the data that they
// find. They report each broken rule as a [Fault], in the order of the file.
//
// A fault names the rule (its code) and the place. Its severity depends on the use and is decided
// elsewhere (quire/preserve/inspect). Codes are stable: scripts and policies depend on them.
package fault

import "strconv"

// Code names one rule that can be broken, such as "GZIP-CRC32" or "WARC-LENGTH". The part before
// the first hyphen names the standard that contains the rule.
type Code string

// Fault is one broken rule at one place.
type Fault struct {
	Code   Code
	Offset int64  // first byte of the gzip member or record concerned, in the stored file
	Record string // WARC-Record-ID or ARC URL of the record concerned, if known
	Detail string // the data found, for people; the code implies the expected data
}

// Sink receives faults as the reader meets them. A nil Sink discards them: see [Sink.Add].
type Sink func(Fault)

// Add passes f to the sink, if there is one.
func (s Sink) Add(f Fault) {
	if s != nil {
		s(f)
	}
}

// String returns the fault on one line: code, offset, detail.
func (f Fault) String() string {
	return string(f.Code) + " at " + strconv.FormatInt(f.Offset, 10) + ": " + f.Detail
}

// Error returns the fault on one line, so that a fault is an error.
func (f Fault) Error() string { return f.String() }
