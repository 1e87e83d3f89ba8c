package catalogue

import (
	"time"

	"quire/model"
	"quire/preserve/aip"
)

// Status is the last known state of a package in a copy.
type Status string

// The states. A package is good in a copy if every byte was read there and matched.
const (
	Good    Status = "good"
	Damaged Status = "damaged"
	Missing Status = "missing"
	Owed    Status = "owed" // the copy was away when the newest version was stored
	// AsListed means that a copy in a cold storage class has the newest version, by the list and the
	// checksums of the store. It was not read.
	AsListed Status = "listed"
	// Away means that the copy cannot be read now. The catalogue never holds it: it keeps the state
	// that was last known.
	Away Status = "away"
)

// WasRead reports whether a package with this state was read in the copy. A copy that lacks it was not.
func (s Status) WasRead() bool { return s == Good || s == Damaged }

// Record is the full record of one package. Versions are in order; Files, Copies and Events are
// sorted by name.
type Record struct {
	Package  Package   `json:"package"`
	Versions []Version `json:"versions"`
	Copies   []Copy    `json:"copies"`
	Events   []Event   `json:"events"`

	// Numbers are those of a package, nil if they are not known. [Catalogue.Numbers] reads them, Get does not.
	Numbers *model.Numbers `json:"-"`
	// Members are the packages of a collection, nil if they are not known: see [Catalogue.Members].
	Members []string `json:"-"`
}

// Package is a row of the catalogue, with the facts of the newest version.
type Package struct {
	ID         string    `json:"id"`
	Object     string    `json:"object"` // id of the OCFL object
	Path       string    `json:"path"`   // of the object below a storage root, slash-separated
	Title      string    `json:"title"`
	Profile    string    `json:"profile"`
	METS       string    `json:"mets"`      // path of the METS within the package
	Head       int       `json:"head"`      // number of the newest version
	Inventory  string    `json:"inventory"` // SHA-512 of the root inventory.json, lower-case hex
	Created    time.Time `json:"created"`
	Stored     time.Time `json:"stored"` // of version 1
	First      time.Time `json:"first"`  // earliest capture; zero when unknown
	Last       time.Time `json:"last"`
	Containers int64     `json:"containers"`
	Records    int64     `json:"records"`
	Files      int64     `json:"files"`
	Bytes      int64     `json:"bytes"`
}

// IsCollection reports whether the package is a collection, which lists packages that belong
// together and has no containers.
func (p *Package) IsCollection() bool { return p.Profile == aip.CollectionProfile }

// Version is one state of a package.
type Version struct {
	Number    int       `json:"number"`
	Created   time.Time `json:"created"`
	Message   string    `json:"message"`
	Inventory string    `json:"inventory"` // SHA-512 of vN/inventory.json, lower-case hex
	Bytes     int64     `json:"bytes"`     // of all files of this version
	Files     []File    `json:"files"`
}

// File is one file of one version.
type File struct {
	Path   string `json:"path"` // within the package, slash-separated
	Size   int64  `json:"size"`
	SHA512 string `json:"sha512"` // lower-case hex
	Use    string `json:"use"`    // file group of the METS; "" when the METS does not list the file
}

// Copy is the last known state of a package in one copy.
type Copy struct {
	Name    string    `json:"name"`
	Status  Status    `json:"status"`
	Since   time.Time `json:"since"`   // when Status was first seen
	Checked time.Time `json:"checked"` // when every byte was last read
	// Last is the last known state of a copy that is away; else "". The catalogue does not hold it.
	Last Status `json:"last,omitempty"`
}

// Event is one event in the life of a package. The complete event is a PREMIS file in the object's
// logs folder, or a line in the record of a run.
type Event struct {
	File    string    `json:"file"` // name below logs/
	ID      string    `json:"id"`
	Type    string    `json:"type"`
	Time    time.Time `json:"time"`
	Outcome string    `json:"outcome"`
	Detail  string    `json:"detail"`
	Copy    string    `json:"copy"` // "" when the event is about all copies
	// Run is the run of copying that has the event as a line of its record. File is then no file: it has the order.
	Run string `json:"run,omitempty"`
}

// Audit is the result of one audit run in one copy.
type Audit struct {
	Run      string    `json:"run"`
	Copy     string    `json:"copy"`
	Scope    string    `json:"scope"` // "all", or the number of named packages
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished"`
	Objects  int64     `json:"objects"`
	Files    int64     `json:"files"`
	Bytes    int64     `json:"bytes"`
	Problems int64     `json:"problems"`
}
