package rights

import (
	"fmt"
	"slices"
)

// Class is the class of a reader.
type Class string

// The classes: each has all access of those before it.
const (
	Public      Class = "public"
	ReadingRoom Class = "onsite" // in the reading rooms
	Staff       Class = "staff"  // curators
)

// May reports whether a verdict gives access to a class of readers.
func (c Class) May(v Verdict) bool {
	switch v {
	case Open:
		return true
	case OnSite:
		return c == ReadingRoom || c == Staff
	case Restricted:
		return c == Staff
	}
	return false
}

// Reader is the reader that asks.
type Reader struct {
	Class Class
	// access to these only, and to open captures of others: as a capability names them; nil means
	// no such bound
	Packages []string
	Name     string // for events; "" when unknown

	// Harvester is a machine that forwards its copies: it never gets restricted parts of
	// containers, whatever its class.
	Harvester bool
}

// In returns the class that a reader has in a package: outside the packages that a capability
// names, readers count as the public.
func (r *Reader) In(pkg string) Class {
	if r.Packages != nil && !slices.Contains(r.Packages, pkg) {
		return Public
	}
	return r.Class
}

// Decision says whether a reader gets something, and why.
type Decision struct {
	Verdict  Verdict `json:"verdict"`
	Allowed  bool    `json:"allowed"`            // to this reader
	Hidden   bool    `json:"hidden,omitempty"`   // the existence is hidden from this reader
	Infected bool    `json:"infected,omitempty"` // a virus scanner found something in its payload
	Message  string  `json:"message,omitempty"`  // for the public
	// the evidence, for staff: the rule with its line, the statement of the package
	Why   string `json:"why,omitempty"`
	Until string `json:"until,omitempty"` // day on which another answer holds, yyyy-mm-dd; "" when none is known

	// Unknown reports that the package, a collection or the rules cannot be read at the moment: it
	// is closed until they can.
	Unknown bool `json:"-"`

	// Part reports that it lies in a container, or a part of one, that must not be shown to
	// everyone.
	Part bool `json:"-"`
}

// Gets reports whether a reader has access to a part of a package, by the decision on it.
func (r *Reader) Gets(pkg string, d *Decision) bool {
	return r.In(pkg).May(d.Verdict) && !(r.Harvester && d.Part)
}

// DeniedError says that a reader may not have something.
type DeniedError struct{ Decision }

// Error implements error.
func (e *DeniedError) Error() string {
	return fmt.Sprintf("this is %s: %s", e.Verdict, e.Message)
}

// For returns the decision as shown to a class of readers: without a message where access is given,
// and with reasons for staff only.
func (d Decision) For(class Class) Decision {
	if d.Allowed {
		d.Hidden, d.Message = false, ""
	}
	if class == Staff {
		d.Hidden = false // curators know their holdings
	} else {
		d.Why = ""
	}
	return d
}

// Stricter returns the decision that holds of a revisit, of those on the record itself and on the
// payload that it stands for.
func (d Decision) Stricter(of Decision) Decision {
	if of.Allowed != d.Allowed && !of.Allowed || of.Allowed == d.Allowed &&
		of.Verdict.Strictness() > d.Verdict.Strictness() {
		of.Infected = of.Infected || d.Infected
		of.Hidden = of.Hidden || d.Hidden
		d, of = of, d
	}
	d.Unknown = d.Unknown || of.Unknown
	return d
}

// The messages for the public, where the institution has written none.
const (
	onsiteMessage     = "This can be seen in the reading rooms of the archive only."
	RestrictedMessage = "This is not open to the public."
	blockedMessage    = "This is not shown to anybody."
	infectedMessage   = "A virus scanner found something in this: it is kept, and not shown to anybody."
	unable            = "The archive cannot show this at the moment."
)

// InOwnWords reports whether the institution has written the message, in whatever language that is;
// otherwise it is the message of this program for the verdict in English.
func (d *Decision) InOwnWords() bool {
	switch d.Message {
	case "", onsiteMessage, RestrictedMessage, blockedMessage, infectedMessage:
		return false
	}
	return true
}

func messageOf(v Verdict) string {
	switch v {
	case OnSite:
		return onsiteMessage
	case Restricted:
		return RestrictedMessage
	case Blocked:
		return blockedMessage
	}
	return ""
}
