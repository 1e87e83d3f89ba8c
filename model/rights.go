package model

// Rights are the known permissions of a harvest, and the rules of access to it. All of it is as the
// curators' system has it; dates are as written there, mostly yyyy-mm-dd, because none of these
// systems writes a time zone.
type Rights struct {
	Permissions []Permission `json:"permissions"`
	Access      []Access     `json:"access"`
}

// Permission is leave to harvest, to keep and to show, given by a rights holder or a law; or the
// outcome of a request.
type Permission struct {
	State string `json:"state"` // in the system's own word: "Granted", "Denied"
	// law or contract it rests on: name of the harvest authorisation, type of the permission
	Basis     string `json:"basis"`
	BasisNote string `json:"basis_note"` // note on the basis
	Order     string `json:"order"`      // the library's number for it
	Published string `json:"published"`  // whether the basis may be shown: "true", "false"; "" when unknown

	Start          string `json:"start"`
	End            string `json:"end"`              // of the time for which it holds; "" when open or unknown
	Requested      string `json:"requested"`        // dates
	Decided        string `json:"decided"`          // when it was granted or refused
	AccessStatus   string `json:"access_status"`    // "Open (unrestricted) access"
	OpenAccessDate string `json:"open_access_date"` // from which anyone may see it
	Special        string `json:"special"`          // special requirements
	Copyright      string `json:"copyright"`        // statement to be shown
	CopyrightURL   string `json:"copyright_url"`
	FileReference  string `json:"file_reference"` // where the correspondence is
	Note           string `json:"note"`

	Agent      string      `json:"agent"`   // authorising person or body
	Contact    string      `json:"contact"` // personal data, mostly
	Patterns   []string    `json:"patterns"`
	Exclusions []Exclusion `json:"exclusions"`
	Seeds      []string    `json:"seeds"`

	Source string `json:"source"` // where this stands
}

// Exclusion is an exception from a Permission.
type Exclusion struct {
	Pattern string `json:"pattern"`
	Reason  string `json:"reason"`
}

// Zone is the class of readers of a harvest. The words are those of the package: open, onsite,
// restricted.
type Zone string

// The zones; "" for a word of a system that means none of them.
const (
	Open       Zone = "open"       // everyone
	Onsite     Zone = "onsite"     // in the reading rooms
	Restricted Zone = "restricted" // by leave only
)

// Access is one rule of access to a harvest, or to a larger unit with it.
type Access struct {
	Of        string `json:"of"` // subject: "target", "target instance", "title", "instance"
	Zone      Zone   `json:"zone"`
	Written   string `json:"written"`   // as the system has it: "0 Public"
	Displayed string `json:"displayed"` // whether it is listed: "true", "false"; "" when unknown
	Note      string `json:"note"`      // to be shown with it
	Reason    string `json:"reason"`    // of the last change
	From      string `json:"from"`
	To        string `json:"to"`    // dates between which the rule holds; "" when open
	For       string `json:"for"`   // its readers: a location, an agency, readers who log in
	State     string `json:"state"` // of the rule: "enabled"
	Source    string `json:"source"`
}
