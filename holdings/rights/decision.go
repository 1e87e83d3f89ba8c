package rights

import (
	"fmt"
	"slices"
)

// Class is the class of a reader.
type Class string

// The classes: each class includes the access of the previous classes.
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

// Reader is a reader who requests access.
type Reader struct {
	Class Class
	// for a capability: full class only in these packages; elsewhere public access; nil means no
	// limit
	Packages []string
	Name     string // for events; "" when unknown

	// Harvester marks a machine that forwards its copies: it never gets restricted parts of
	// containers, whatever its class.
	Harvester bool
}

// In returns a reader's class in a package: outside the packages of a capability, readers count as
// the public.
func (r *Reader) In(pkg string) Class {
	if r.Packages != nil && !slices.Contains(r.Packages, pkg) {
		return Public
	}
	return r.Class
}

// Decision is an access decision, with its reason.
type Decision struct {
	Verdict  Verdict `json:"verdict"`
	Allowed  bool    `json:"allowed"`            // to this reader
	Hidden   bool    `json:"hidden,omitempty"`   // its existence is hidden from this reader
	Infected bool    `json:"infected,omitempty"` // a virus scanner found something in the payload
	Message  string  `json:"message,omitempty"`  // for the public
	// the evidence, for staff: the rule with its line, the statement of the package
	Why   string `json:"why,omitempty"`
	Until string `json:"until,omitempty"` // day on which the decision changes, yyyy-mm-dd; "" if unknown

	// Unknown reports that the package, a collection or the rules are currently unreadable: access
	// stays closed until then.
	Unknown bool `json:"-"`

	// Part reports that the content is in a container, or a part of one, that is closed to the
	// public.
	Part bool `json:"-"`
}

// Gets reports whether a reader has access to a part of a package, by the decision on it.
func (r *Reader) Gets(pkg string, d *Decision) bool {
	return r.In(pkg).May(d.Verdict) && !(r.Harvester && d.Part)
}

// DeniedError reports that something is closed to a reader.
type DeniedError struct{ Decision }

// Error implements error.
func (e *DeniedError) Error() string {
	return fmt.Sprintf("this is %s: %s", e.Verdict, e.Message)
}

// For returns the decision as shown to a class of readers: without a message if access is given,
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

// Stricter returns the decision on a revisit, from those on the record itself and on its original
// payload.
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

// The default messages for the public.
const (
	onsiteMessage     = "This is available only in the reading rooms of the archive."
	RestrictedMessage = "This is not open to the public."
	blockedMessage    = "This is not available."
	infectedMessage   = "A virus scanner found something in this: it is preserved, but not available."
	unable            = "The archive cannot show this at the moment."
)

// InOwnWords reports whether the message is the institution's own, in any language; otherwise it is
// the English default for the verdict.
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
