package rights

import "quire/model"

// Verdict is the class of readers with access.
type Verdict string

// The verdicts, each stricter than the one before it.
const (
	Open       Verdict = "open"
	OnSite     Verdict = "onsite"     // only in the reading rooms
	Restricted Verdict = "restricted" // curators
	Blocked    Verdict = "blocked"    // closed to all: by a rule, by law, or because of a virus
)

// Strictness orders verdicts; "" means no verdict, and is below all others.
func (v Verdict) Strictness() int {
	switch v {
	case Open:
		return 1
	case OnSite:
		return 2
	case Restricted:
		return 3
	case Blocked:
		return 4
	}
	return 0
}

// Stricter returns the stricter of two verdicts.
func Stricter(a, b Verdict) Verdict {
	if b.Strictness() > a.Strictness() {
		return b
	}
	return a
}

// Of returns the verdict of a rights zone; "" if the zone is not stated.
func Of(z model.Zone) Verdict { return Verdict(z) }
