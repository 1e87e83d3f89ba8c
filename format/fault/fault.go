// Package fault says what a reader met that the standard it reads by does not allow.
//
// The readers below format/ are lenient: they go on after damage and hand out what is there. What
// they had to forgive they report as a [Fault], in the order they met it.
//
// A fault names the rule (its code) and the place; how bad it is depends on who asks and is decided
// elsewhere (quire/preserve/inspect). Codes are stable: scripts and policies are written against
// them.
package fault

import "strconv"

// Code names one rule that can be broken, such as "GZIP-CRC32" or "WARC-LENGTH". The family before
// the first hyphen is the standard the rule stands in.
type Code string

// Fault is one broken rule at one place.
type Fault struct {
	Code   Code
	Offset int64  // first byte, in the file as stored, of the gzip member or record it is about
	Record string // WARC-Record-ID or ARC URL of the record it is about, where one is known
	Detail string // what was found, in words; the code says what was expected
}

// Sink takes faults as they are met. A nil Sink discards them: see [Sink.Add].
type Sink func(Fault)

// Add hands f to the sink, if there is one.
func (s Sink) Add(f Fault) {
	if s != nil {
		s(f)
	}
}

// String writes the fault on one line: code, offset, detail.
func (f Fault) String() string {
	return string(f.Code) + " at " + strconv.FormatInt(f.Offset, 10) + ": " + f.Detail
}

// Error makes a fault usable as an error.
func (f Fault) Error() string { return f.String() }
