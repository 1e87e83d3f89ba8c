package pack

import (
	"fmt"

	"quire/preserve/aip"
	"quire/preserve/identify"
	"quire/preserve/inspect"
)

// Profile is the level of detail of the METS (docs/reference/310_package-format.md, 2.1).
type Profile string

// The profiles.
const (
	Compact Profile = ""       // the containers, and only their derived or infected records
	Full    Profile = "full"   // each record and bytestream too: its position, digest and format; pages
	Linked  Profile = "linked" // and the hyperlinks between pages
)

func (p Profile) check() error {
	switch p {
	case Compact, Full, Linked:
		return nil
	}
	return fmt.Errorf("unknown profile %q: use compact, full or linked", string(p))
}

// name returns mets/@PROFILE.
func (p Profile) name(form METSForm) string {
	compact, full, linked := aip.Profile, aip.ProfileFull, aip.ProfileLinked
	if form == Single {
		compact, full, linked = aip.SingleProfile, aip.SingleProfileFull, aip.SingleProfileLinked
	}
	switch p {
	case Full:
		return full
	case Linked:
		return linked
	}
	return compact
}

// itemized reports whether the METS lists each bytestream.
func (p Profile) itemized() bool { return p != Compact }

// remembered is the number of payloads that the format identification remembers, in about 4 MB. A
// crawl often has the same payload several times.
const remembered = 10_000

// bodies returns which records need digests of their bodies during the pass.
func (o *Options) bodies() inspect.Bodies {
	if o.Profile.itemized() || o.Scan != nil { // every profile describes infected content
		return inspect.AllBodies
	}
	return inspect.MirrorBodies
}

// identifier returns the format identification, if the METS or the policy needs formats; otherwise
// nil.
func (o *Options) identifier() (*identify.Identifier, error) {
	switch {
	case !o.Profile.itemized() && (o.Policy == nil || !o.Policy.Needs().Formats):
		return nil, nil
	case o.Identify != nil:
		return o.Identify, nil
	}
	return identify.New(identify.Options{Remember: remembered})
}
