// Package bagit writes and checks bags (RFC 8493, "The BagIt File Packaging Format"; versions 0.93
// to 1.0).
//
// Validate reads every file once, whatever the number of manifests; what they list is sorted on
// disk, so that memory does not grow with the bag. It is strict where the standard is: what it only
// should not be is a warning.
package bagit

import "strings"

// Names that the standard gives.
const (
	Declaration = "bagit.txt"
	InfoName    = "bag-info.txt"
	FetchName   = "fetch.txt"
	DataDir     = "data"
)

// oldInfoName is what bag-info.txt was called before version 0.96.
const oldInfoName = "package-info.txt"

// Code names a rule that a bag can break. Codes are stable.
type Code string

// The rules, with the section of RFC 8493.
const (
	CodeDeclaration Code = "BAGIT-DECLARATION" // 2.1.1: bagit.txt is missing, or not two lines of the form required
	CodeVersion     Code = "BAGIT-VERSION"     // 2.1.1: a version that is not known
	// 2.1.1: a character encoding that is not known, or tag files that are not in it
	CodeEncoding   Code = "BAGIT-ENCODING"
	CodeNoData     Code = "BAGIT-NO-DATA"     // 2.1.2: there is no data folder
	CodeNoManifest Code = "BAGIT-NO-MANIFEST" // 2.1.3: there is no payload manifest of an algorithm that is known
	// 2.4: a manifest of an algorithm that is not known: it was not checked
	CodeAlgorithm Code = "BAGIT-ALGORITHM"
	CodeLine      Code = "BAGIT-LINE"      // 2.1.3: a line of a manifest, or of fetch.txt, that cannot be read
	CodePath      Code = "BAGIT-PATH"      // 2.1.3: a path that is none within the bag, or within its data
	CodePathForm  Code = "BAGIT-PATH-FORM" // 2.1.3: a path with a beginning that it should not have: "./", "*"
	CodeTwice     Code = "BAGIT-TWICE"     // 2.1.3: a manifest lists a file twice
	// 5.2: a name is listed in another Unicode form than it has on the disk
	CodeNormalization Code = "BAGIT-NORMALIZATION"
	CodeMissing       Code = "BAGIT-MISSING"     // 3: a file is listed, and not there
	CodeFetch         Code = "BAGIT-FETCH"       // 2.2.3: it is to be fetched first
	CodeUnlisted      Code = "BAGIT-UNLISTED"    // 3: a payload file that a manifest does not list
	CodeDigest        Code = "BAGIT-DIGEST"      // 3: a file has another digest than is listed
	CodeUnreadable    Code = "BAGIT-UNREADABLE"  // a file that cannot be read, or is none
	CodeInfo          Code = "BAGIT-INFO"        // 2.2.2: a line of bag-info.txt that is no element
	CodeOxum          Code = "BAGIT-OXUM"        // 2.2.2: Payload-Oxum is not what there is
	CodeTagListed     Code = "BAGIT-TAG-LISTED"  // 2.2.1: a tag manifest lists a tag manifest
	CodeSystemFile    Code = "BAGIT-SYSTEM-FILE" // 5.1: a file that an operating system made for itself
	CodeCase          Code = "BAGIT-CASE"        // 5.1: names that differ in case alone
)

// Finding is one thing that is wrong with a bag.
type Finding struct {
	Code    Code   `json:"code"`
	Path    string `json:"path"` // in the bag; "" when it is about the bag
	Message string `json:"message"`
	Warning bool   `json:"warning"` // the bag is valid all the same
}

// String writes the finding on one line.
func (f Finding) String() string {
	kind := "error"
	if f.Warning {
		kind = "warning"
	}
	if f.Path == "" {
		return kind + " " + string(f.Code) + ": " + f.Message
	}
	return kind + " " + string(f.Code) + " " + f.Path + ": " + f.Message
}

// Report is what Validate found.
type Report struct {
	Version  string    `json:"version"`
	Encoding string    `json:"encoding"` // of tag files, as declared
	Info     []Element `json:"info"`     // what bag-info.txt says, in its order
	Files    int64     `json:"files"`    // of the payload
	Bytes    int64     `json:"bytes"`
	Findings []Finding `json:"findings"` // at most MaxFindings of a code; Total counts all
	Total    int64     `json:"total"`
	Errors   int64     `json:"errors"`
}

// Valid says whether the bag is complete and every digest is right.
func (r *Report) Valid() bool { return r.Errors == 0 }

// MaxFindings is how many findings of one code a report keeps.
const MaxFindings = 1000

// Element is one of bag-info.txt.
type Element struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// isSystemFile says whether a file is one that systems leave behind.
func isSystemFile(name string) bool {
	switch strings.ToLower(name[strings.LastIndexByte(name, '/')+1:]) {
	case "thumbs.db", ".ds_store", "desktop.ini", ".trashes", ".spotlight-v100", ".fseventsd":
		return true
	}
	return false
}
