package model

// Description is the description of a harvest, and of its collections, by people.
type Description struct {
	// Fields are named as in the system's own vocabulary, with its usual prefix: "dc:title",
	// "wct:SelectionNote". A name may come more than once; empty values are left out.
	Fields      []DescriptiveField `json:"fields"`
	Groups      []Group            `json:"groups"`
	Annotations []Annotation       `json:"annotations"` // in the order of the source
	Versions    []Version          `json:"versions"`    // the one at hand first, then those it was derived from
	States      []State            `json:"states"`      // that the harvest went through, in order
}

// DescriptiveField is one value of a description, and where it stands.
type DescriptiveField struct {
	Field
	Source string `json:"source"`
}

// Group is a collection that the harvest is part of.
type Group struct {
	Reference   string `json:"reference"` // in a catalogue
	Name        string `json:"name"`
	Description string `json:"description"`
	Type        string `json:"type"`
	Ownership   string `json:"ownership"` // the body responsible for it
	Source      string `json:"source"`
}

// Annotation is a note made in the course of the work. It may hold personal data.
type Annotation struct {
	Of     string `json:"of"`   // subject: "target", "target instance", "title"
	Date   string `json:"date"` // as written
	Who    string `json:"who"`  // login or name
	Text   string `json:"text"`
	Source string `json:"source"`
}

// Version is one state of the content of a harvest: as it came, or after curators pruned or added.
type Version struct {
	Number  string   `json:"number"` // of the version in its system; "" when unknown
	Creator string   `json:"creator"`
	Date    string   `json:"date"` // as written
	Note    string   `json:"note"` // how it came about
	Changes []string `json:"changes"`
	State   string   `json:"state"` // endorsed, rejected
	Source  string   `json:"source"`
}

// State is a stage of the harvest in its system: gathering, checked, archived.
type State struct {
	Name   string `json:"name"`
	Start  string `json:"start"`
	End    string `json:"end"` // as written; End is "" of the last one
	Who    string `json:"who"`
	Source string `json:"source"`
}

// ExpectedFile is a file that a document of the source lists: its expected size and digest.
type ExpectedFile struct {
	Name    string // as listed: "file://./arcs/x.arc"
	Path    string // of the file within the source that it means; "" when it is not there
	Size    int64  // bytes; -1 when unknown
	Digest  Digest // zero when unknown
	Created string // as written
	MIME    string
	Group   string // which group of files it belongs to: "ARCHIVE"
	Source  string // the document, and the place in it: "file 3 of METS-622593.xml"
}
