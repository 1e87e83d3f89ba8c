package model

// Rights are the known permissions of a harvest and its access rules. All values are as in the
// curators' system. Dates are as written there, usually yyyy-mm-dd, because none of these systems
// writes a time zone.
type Rights struct {
	Permissions []Permission `json:"permissions"`
	Access      []Access     `json:"access"`
}

// Permission is permission to harvest, to keep and to show, from a rights holder or a law; or the
// outcome of a request.
type Permission struct {
	State string `json:"state"` // in the system's own word: "Granted", "Denied"
	// its law or contract: name of the harvest authorisation, type of the permission
	Basis     string `json:"basis"`
	BasisNote string `json:"basis_note"` // note on the basis
	Order     string `json:"order"`      // the library's number for it
	Published string `json:"published"`  // whether the basis is public: "true", "false"; "" if unknown

	Start          string `json:"start"`
	End            string `json:"end"`              // end of its period; "" if open or unknown
	Requested      string `json:"requested"`        // dates
	Decided        string `json:"decided"`          // when it was granted or refused
	AccessStatus   string `json:"access_status"`    // "Open (unrestricted) access"
	OpenAccessDate string `json:"open_access_date"` // first day of public access
	Special        string `json:"special"`          // special requirements
	Copyright      string `json:"copyright"`        // statement to display
	CopyrightURL   string `json:"copyright_url"`
	FileReference  string `json:"file_reference"` // place of the correspondence
	Note           string `json:"note"`

	Agent      string      `json:"agent"`   // authorising person or body
	Contact    string      `json:"contact"` // usually personal data
	Patterns   []string    `json:"patterns"`
	Exclusions []Exclusion `json:"exclusions"`
	Seeds      []string    `json:"seeds"`

	Source string `json:"source"` // where this is recorded
}

// Exclusion is an exception from a Permission.
type Exclusion struct {
	Pattern string `json:"pattern"`
	Reason  string `json:"reason"`
}

// Zone is the class of readers who may access a harvest. The values are the values in the package:
// open, onsite, restricted.
type Zone string

// The zones; "" for a system's value that means none of them.
const (
	Open       Zone = "open"       // everyone
	Onsite     Zone = "onsite"     // in the reading rooms
	Restricted Zone = "restricted" // only with permission
)

// Access is one access rule for a harvest, or for a larger unit that includes it.
type Access struct {
	Of        string `json:"of"` // subject: "target", "target instance", "title", "instance"
	Zone      Zone   `json:"zone"`
	Written   string `json:"written"`   // as in the system: "0 Public"
	Displayed string `json:"displayed"` // whether it is listed: "true", "false"; "" if unknown
	Note      string `json:"note"`      // displayed with it
	Reason    string `json:"reason"`    // of the last change
	From      string `json:"from"`
	To        string `json:"to"`    // the rule's period; "" if open
	For       string `json:"for"`   // readers of the rule: a location, an agency, readers who log in
	State     string `json:"state"` // of the rule: "enabled"
	Source    string `json:"source"`
}
