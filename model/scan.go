package model

import "cmp"

// ScanOutcome is the outcome of a virus check: of one payload, or of a container.
type ScanOutcome string

// The outcomes. ScanNotDone for a container occurs only if a scan of its payloads was requested.
const (
	ScanClean    ScanOutcome = "clean"
	ScanInfected ScanOutcome = "infected"
	// of a container: no virus was found, but not every payload was scanned to its end
	ScanIncomplete ScanOutcome = "incomplete"
	ScanNotDone    ScanOutcome = "not-scanned" // of a payload not scanned to its end; of a container: none was
)

// Scan is the virus check of a container's payloads. Empty payloads are not counted.
type Scan struct {
	Outcome    ScanOutcome `json:"outcome"`
	Scanners   []Scanner   `json:"scanners"` // one, unless its database changed meanwhile; none if it was unavailable
	Scanned    int64       `json:"scanned"`  // payloads, to their end
	Infected   int64       `json:"infected"` // of these
	NotScanned int64       `json:"not_scanned"`
	Found      []Infection `json:"found"`   // a limited list; Infected has the full number
	Reasons    []Count     `json:"reasons"` // why payloads were not scanned
}

// Scanner is a virus scanner with its database, as it names them.
type Scanner struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Database string `json:"database"` // version and date; "" if not stated
}

// Release returns the versions of the program and of its database, as one text.
func (s Scanner) Release() string {
	return s.Version + ", database " + cmp.Or(s.Database, "without a version")
}

// String returns name, version and database.
func (s Scanner) String() string { return s.Name + " " + s.Release() }

// Infection is a payload with a virus.
type Infection struct {
	Record    string `json:"record"` // WARC-Record-ID; in an ARC, the URL
	Offset    int64  `json:"offset"` // of the record in the stored file
	URI       string `json:"uri"`
	Signature string `json:"signature"` // name given by the scanner
	Bytes     int64  `json:"bytes"`     // of the payload as stored
}
