package model

import "cmp"

// ScanOutcome is the outcome of a virus check: of one payload, or of a container.
type ScanOutcome string

// The outcomes. That a container is not scanned is said only when its payloads were to be.
const (
	ScanClean    ScanOutcome = "clean"
	ScanInfected ScanOutcome = "infected"
	// of a container: nothing was found, and not every payload was scanned to its end
	ScanIncomplete ScanOutcome = "incomplete"
	ScanNotDone    ScanOutcome = "not-scanned" // of a payload that was not scanned to its end; of a container: none was
)

// Scan is the virus check of the payloads of a container. Payloads of no bytes are not counted.
type Scan struct {
	Outcome    ScanOutcome `json:"outcome"`
	Scanners   []Scanner   `json:"scanners"` // one, unless its database changed meanwhile; none when it was away
	Scanned    int64       `json:"scanned"`  // payloads, to their end
	Infected   int64       `json:"infected"` // of these
	NotScanned int64       `json:"not_scanned"`
	Found      []Infection `json:"found"`   // a bounded list; Infected counts all
	Reasons    []Count     `json:"reasons"` // why payloads were not scanned
}

// Scanner is a virus scanner with its database, as it names them.
type Scanner struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Database string `json:"database"` // version and date; "" when it names none
}

// Release is the version of the program and of its database, as one text.
func (s Scanner) Release() string {
	return s.Version + ", database " + cmp.Or(s.Database, "without a version")
}

// String gives name, version and database.
func (s Scanner) String() string { return s.Name + " " + s.Release() }

// Infection is a payload in which a virus was found.
type Infection struct {
	Record    string `json:"record"` // WARC-Record-ID; in an ARC, the URL
	Offset    int64  `json:"offset"` // of the record in the file as stored
	URI       string `json:"uri"`
	Signature string `json:"signature"` // name given by the scanner
	Bytes     int64  `json:"bytes"`     // of the payload as stored
}
