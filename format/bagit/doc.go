// Package bagit writes and checks bags (RFC 8493, "The BagIt File Packaging Format"; versions 0.93
// to 1.0).
//
// Validate reads every file once, even if several manifests list it. It sorts the entries of the
// manifests on disk, so that memory does not grow with the bag. It is as strict as the standard:
// breaking a MUST is an error, breaking a SHOULD a warning.
package bagit

import "strings"

// Names of files and folders in the standard.
const (
	Declaration = "bagit.txt"
	InfoName    = "bag-info.txt"
	FetchName   = "fetch.txt"
	DataDir     = "data"
)

// oldInfoName is the name of bag-info.txt before version 0.96.
const oldInfoName = "package-info.txt"

// Code names a rule that a bag can break. Codes are stable.
type Code string

// The rules, with the section of RFC 8493.
const (
	CodeDeclaration Code = "BAGIT-DECLARATION" // 2.1.1: bagit.txt is missing, or is not two lines of the required form
	CodeVersion     Code = "BAGIT-VERSION"     // 2.1.1: unknown version
	// 2.1.1: the character encoding is unknown, or tag files are not in it
	CodeEncoding   Code = "BAGIT-ENCODING"
	CodeNoData     Code = "BAGIT-NO-DATA"     // 2.1.2: the data folder is missing
	CodeNoManifest Code = "BAGIT-NO-MANIFEST" // 2.1.3: no payload manifest has a known algorithm
	// 2.4: a manifest has an unknown algorithm and was not checked
	CodeAlgorithm Code = "BAGIT-ALGORITHM"
	CodeLine      Code = "BAGIT-LINE"      // 2.1.3: a line of a manifest or of fetch.txt cannot be read
	CodePath      Code = "BAGIT-PATH"      // 2.1.3: a path is not within the bag, or not within its data
	CodePathForm  Code = "BAGIT-PATH-FORM" // 2.1.3: a path begins with "./" or "*", which it should not
	CodeTwice     Code = "BAGIT-TWICE"     // 2.1.3: a manifest lists a file twice
	// 5.2: a name is listed in another Unicode form than on the disk
	CodeNormalization Code = "BAGIT-NORMALIZATION"
	CodeMissing       Code = "BAGIT-MISSING"     // 3: a listed file is missing
	CodeFetch         Code = "BAGIT-FETCH"       // 2.2.3: a file must be fetched first
	CodeUnlisted      Code = "BAGIT-UNLISTED"    // 3: a manifest does not list a payload file
	CodeDigest        Code = "BAGIT-DIGEST"      // 3: a file's digest is not the listed one
	CodeUnreadable    Code = "BAGIT-UNREADABLE"  // a file cannot be read, or is not a regular file
	CodeInfo          Code = "BAGIT-INFO"        // 2.2.2: a line of bag-info.txt is not an element
	CodeOxum          Code = "BAGIT-OXUM"        // 2.2.2: Payload-Oxum does not match the payload
	CodeTagListed     Code = "BAGIT-TAG-LISTED"  // 2.2.1: a tag manifest lists a tag manifest
	CodeSystemFile    Code = "BAGIT-SYSTEM-FILE" // 5.1: a file that an operating system created
	CodeCase          Code = "BAGIT-CASE"        // 5.1: names that differ only in case
)

// Finding is one error or warning about a bag.
type Finding struct {
	Code    Code   `json:"code"`
	Path    string `json:"path"` // in the bag; "" for the bag itself
	Message string `json:"message"`
	Warning bool   `json:"warning"` // the bag is still valid
}

// String returns the finding on one line.
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

// Report is the result of Validate.
type Report struct {
	Version  string    `json:"version"`
	Encoding string    `json:"encoding"` // of tag files, as declared
	Info     []Element `json:"info"`     // elements of bag-info.txt, in order
	Files    int64     `json:"files"`    // of the payload
	Bytes    int64     `json:"bytes"`
	Findings []Finding `json:"findings"` // at most MaxFindings per code; Total counts all of them
	Total    int64     `json:"total"`
	Errors   int64     `json:"errors"`
}

// Valid reports whether the bag is complete and every digest matches.
func (r *Report) Valid() bool { return r.Errors == 0 }

// MaxFindings is the number of findings of one code that a report keeps.
const MaxFindings = 1000

// Element is one element of bag-info.txt.
type Element struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// isSystemFile reports whether an operating system creates files of this name.
func isSystemFile(name string) bool {
	switch strings.ToLower(name[strings.LastIndexByte(name, '/')+1:]) {
	case "thumbs.db", ".ds_store", "desktop.ini", ".trashes", ".spotlight-v100", ".fseventsd":
		return true
	}
	return false
}
