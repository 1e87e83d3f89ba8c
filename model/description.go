package model

// Description is people's description of a harvest and of its collections.
type Description struct {
	// Fields are named as in the system's own vocabulary, with its usual prefix: "dc:title",
	// "wct:SelectionNote". A name may occur several times; empty values are omitted.
	Fields      []DescriptiveField `json:"fields"`
	Groups      []Group            `json:"groups"`
	Annotations []Annotation       `json:"annotations"` // in the order of the source
	Versions    []Version          `json:"versions"`    // the current one first, then those it was derived from
	States      []State            `json:"states"`      // stages of the harvest, in order
}

// DescriptiveField is one value of a description, and its place.
type DescriptiveField struct {
	Field
	Source string `json:"source"`
}

// Group is a collection that includes the harvest.
type Group struct {
	Reference   string `json:"reference"` // in a catalogue
	Name        string `json:"name"`
	Description string `json:"description"`
	Type        string `json:"type"`
	Ownership   string `json:"ownership"` // the body responsible for it
	Source      string `json:"source"`
}

// Annotation is a note made during the work. It may contain personal data.
type Annotation struct {
	Of     string `json:"of"`   // subject: "target", "target instance", "title"
	Date   string `json:"date"` // as written
	Who    string `json:"who"`  // login or name
	Text   string `json:"text"`
	Source string `json:"source"`
}

// Version is one state of a harvest's content: as received, or after curators removed or added
// parts.
type Version struct {
	Number  string   `json:"number"` // of the version in its system; "" if unknown
	Creator string   `json:"creator"`
	Date    string   `json:"date"` // as written
	Note    string   `json:"note"` // its origin
	Changes []string `json:"changes"`
	State   string   `json:"state"` // endorsed, rejected
	Source  string   `json:"source"`
}

// State is a stage of the harvest in its system: gathering, checked, archived.
type State struct {
	Name   string `json:"name"`
	Start  string `json:"start"`
	End    string `json:"end"` // as written; End of the last stage is ""
	Who    string `json:"who"`
	Source string `json:"source"`
}

// ExpectedFile is a file in a list of the source, with its expected size and digest.
type ExpectedFile struct {
	Name    string // as listed: "file://./arcs/x.arc"
	Path    string // of that file within the source; "" if missing
	Size    int64  // bytes; -1 if unknown
	Digest  Digest // zero if unknown
	Created string // as written
	MIME    string
	Group   string // its group of files: "ARCHIVE"
	Source  string // the document, and the place in it: "file 3 of METS-622593.xml"
}
