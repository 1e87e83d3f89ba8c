package pack

import (
	"fmt"

	"quire/preserve/aip"
	"quire/preserve/identify"
	"quire/preserve/inspect"
)

// Profile says how much the METS tells (docs/reference/310_package-format.md, 2.1).
type Profile string

// The profiles.
const (
	Compact Profile = ""       // the containers, and of what is in them only what was made or is dangerous
	Full    Profile = "full"   // each record and bytestream too: where it lies, its digest and format; pages
	Linked  Profile = "linked" // and the hyperlinks from page to page
)

func (p Profile) check() error {
	switch p {
	case Compact, Full, Linked:
		return nil
	}
	return fmt.Errorf("there is no profile %q: say compact, full or linked", string(p))
}

// name is mets/@PROFILE.
func (p Profile) name() string {
	switch p {
	case Full:
		return aip.ProfileFull
	case Linked:
		return aip.ProfileLinked
	}
	return aip.Profile
}

// itemized says whether the METS has each bytestream.
func (p Profile) itemized() bool { return p != Compact }

// remembered is how many payloads the identifying of formats remembers: some 4 MB of them, for what
// a crawl meets again and again.
const remembered = 10_000

// bodies says of which records the pass has to digest what they hold.
func (o *Options) bodies() inspect.Bodies {
	if o.Profile.itemized() || o.Scan != nil { // what is infected is described in every profile
		return inspect.AllBodies
	}
	return inspect.MirrorBodies
}

// identifier gives what identifies formats, where the METS tells them or the policy asks for them;
// nil otherwise.
func (o *Options) identifier() (*identify.Identifier, error) {
	switch {
	case !o.Profile.itemized() && (o.Policy == nil || !o.Policy.Needs().Formats):
		return nil, nil
	case o.Identify != nil:
		return o.Identify, nil
	}
	return identify.New(identify.Options{Remember: remembered})
}
