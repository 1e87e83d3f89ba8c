package model

// Rights is what is known of who allowed a harvest, and of who may see it. All of it is as the curators' system has it; dates are
// as written there, mostly yyyy-mm-dd, because none of these systems writes a time zone.
type Rights struct {
	Permissions []Permission
	Access      []Access
}

// Permission is leave to harvest, to keep and to show, as a rights holder or a law gave it; or what came of asking.
type Permission struct {
	State     string // in the system's own word: "Granted", "Denied"
	Basis     string // law or contract it rests on: name of the harvest authorisation, type of the permission
	BasisNote string // what is said of that
	Order     string // the library's number for it
	Published string // whether the basis may be shown: "true", "false"; "" when not told

	Start, End     string // of the time for which it holds; "" when open, or not told
	Requested      string // dates
	Decided        string // when it was granted or refused
	AccessStatus   string // "Open (unrestricted) access"
	OpenAccessDate string // from which anyone may see it
	Special        string // special requirements
	Copyright      string // statement to be shown
	CopyrightURL   string
	FileReference  string // where the correspondence is
	Note           string

	Agent      string // who authorises: a person or a body
	Contact    string // personal data, mostly
	Patterns   []string
	Exclusions []Exclusion
	Seeds      []string

	Source string // where this stands
}

// Exclusion is what a Permission leaves out.
type Exclusion struct {
	Pattern string
	Reason  string
}

// Zone is who may see a harvest. The words are those of the package: open, onsite, restricted.
type Zone string

// The zones. What no system's word means is "".
const (
	Open       Zone = "open"       // everyone
	Onsite     Zone = "onsite"     // in the reading rooms
	Restricted Zone = "restricted" // by leave only
)

// Access is one rule of who may see a harvest, or the whole of which it is part.
type Access struct {
	Of        string // what it is about: "target", "target instance", "title", "instance"
	Zone      Zone
	Written   string // as the system has it: "0 Public"
	Displayed string // whether it is listed: "true", "false"; "" when not told
	Note      string // to be shown with it
	Reason    string // of the last change
	From, To  string // dates between which the rule holds; "" when open
	For       string // whom it is about: a location, an agency, readers who log in
	State     string // of the rule: "enabled"
	Source    string
}
