// Package holdings is a repository as its readers may see it: which packages and captures there are, what each reader may have of them
// and why, and their bytes. All that hands something out (replay, CDX server, pages, search, exports) asks here and nowhere else, so that
// one verdict holds everywhere (docs/access-rules.md).
//
//	h, err := holdings.Of(ctx, repository, holdings.Options{Dir: "repo/access", Rules: "rules.yaml"})
//	for c, err := range h.Captures(ctx, who, captures.Query{URL: "http://a.example/"}) {
//		if c.Allowed {
//			content, err := h.Read(ctx, who, c.Capture)
//		}
//	}
package holdings

import (
	"fmt"
	"io"

	"quire/holdings/captures"
	"quire/holdings/rights"
)

// Class is what kind of reader somebody is.
type Class string

// The classes: each may see what those before it may.
const (
	Public Class = "public"
	OnSite Class = "onsite" // in the reading rooms
	Staff  Class = "staff"  // curators
)

// Reader is who asks.
type Reader struct {
	Class    Class
	Packages []string // only these may be seen, and what is open of all others: what a capability names; nil means no such bound
	Name     string   // who he is, for events; "" when that is not known
}

// Verdict is who may have something.
type Verdict = rights.Verdict

// The verdicts, each stricter than the one before it.
const (
	Open       = rights.Open
	Reading    = rights.OnSite     // in the reading rooms
	Restricted = rights.Restricted // curators
	Blocked    = rights.Blocked    // nobody: by a rule, by law, or because it is infected
)

// Decision is what one reader gets of one capture, and why.
type Decision struct {
	Verdict  Verdict `json:"verdict"`
	Allowed  bool    `json:"allowed"`            // to this reader
	Hidden   bool    `json:"hidden,omitempty"`   // he must not even be told that it is there
	Infected bool    `json:"infected,omitempty"` // a virus scanner found something in its payload
	Message  string  `json:"message,omitempty"`  // for the public
	Why      string  `json:"why,omitempty"`      // the evidence, for staff: the rule with its line, the statement of the package
	Until    string  `json:"until,omitempty"`    // day on which another answer holds, yyyy-mm-dd; "" when none is known
}

// Judged is a capture with what the reader who asked gets of it.
type Judged struct {
	*captures.Capture
	Decision
}

// DeniedError says that a reader may not have something.
type DeniedError struct{ Decision }

// Error implements error.
func (e *DeniedError) Error() string {
	return fmt.Sprintf("this is %s: %s", e.Verdict, e.Message)
}

// Content is what a record holds: the answer as it was captured.
type Content struct {
	Proto  string  // "HTTP/1.1"; "" when there was no HTTP
	Status int     // 200 where there was no HTTP
	Header []Field // as captured, in order, doubles and all; of a resource or conversion record, its Content-Type
	Length int64   // of Body; -1 when it is not known before it was read

	// Body is what was captured without transfer coding, and with its content codings (see Header): Decoded gives it without.
	// It is compared with its digest: one of up to a MiB before any of it is given, a longer one while it is read, so that the error
	// comes at the end.
	Body io.ReadCloser

	Note string // what has to be said of it: the crawler kept a part only; the body is that of another capture
}

// Field is one field of a head.
type Field struct{ Name, Value string }
