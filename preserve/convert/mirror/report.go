package mirror

import (
	"quire/internal/warcbuild"
	"quire/model"
	"quire/source"
)

// Report counts the results of converting a mirror.
type Report struct {
	Records int64            // written
	Types   map[string]int64 // records, by WARC-Type

	URLs   int64                  // listed by the mirror
	Grades map[source.Grade]int64 // URLs, by grade
	Heads  map[Head]int64         // of the response records, by origin

	Undated     int64 // URLs without a date: their records are metadata
	Transformed int64 // files that have an additional record with restored links

	Files          map[Fate]int64   // all files of the mirror
	OnlyInOriginal Sum              // files with bytes in no record
	Secrets        map[string]int64 // secrets in the WARC, which must be restricted, by kind

	Findings map[string]int64 // by code
	Errors   int64            // findings that mean lost content

	WrittenSize   int64 // of the WARC
	WrittenSHA512 string
}

// Sum is a number of files and their total size.
type Sum struct{ Files, Bytes int64 }

func newReport() *Report {
	return &Report{
		Types: map[string]int64{}, Grades: map[source.Grade]int64{}, Heads: map[Head]int64{}, Files: map[Fate]int64{},
		Secrets: map[string]int64{}, Findings: map[string]int64{},
	}
}

// The codes of findings.
const (
	CodeBody   = "MIRROR-BODY"   // the bytes of a URL cannot be fully read
	CodeHead   = "MIRROR-HEAD"   // a stored head cannot be read, or none can be reconstructed
	CodeLinks  = "MIRROR-LINKS"  // the links of a file cannot be restored
	CodeFile   = "MIRROR-FILE"   // the mirror lacks the file of a URL
	CodeTwice  = "MIRROR-TWICE"  // a file is listed more than once
	CodeUntold = "MIRROR-UNTOLD" // the source does not mention a file
)

// Fate is the result for a file.
type Fate string

// The fates. Only files that are Converted, Same or Kept have their bytes in the WARC.
const (
	Converted Fate = "converted" // it is the payload of a URL
	Same      Fate = "same"      // equal to a payload that was kept elsewhere
	// stored in a separate record; if its links were restored, another record has the payload of
	// the URL
	Kept       Fate = "as found"
	Superseded Fate = "superseded" // the crawler's own version of a payload that was kept elsewhere
	Empty      Fate = "empty"      // a placeholder for an answer that was not kept
	LeftOut    Fate = "left out"   // named after a URL, but without its bytes
	Unreadable Fate = "unreadable"
	Artefact   Fate = "artefact" // not content: a log, a cache, an added file
	Untold     Fate = "untold"   // the source does not mention it
)

// inWARC reports whether a file of this fate can be deleted without losing its bytes.
func (f Fate) inWARC() bool { return f == Converted || f == Same || f == Kept || f == Empty }

// Entry is the result for one URL or one file.
type Entry struct {
	Kind string `json:"kind"` // "url" or "file"
	URL  string `json:"url,omitempty"`
	File string `json:"file,omitempty"` // path within the source

	Grade    source.Grade `json:"grade,omitempty"` // of a URL
	Status   int          `json:"status,omitempty"`
	Date     string       `json:"date,omitempty"`
	DateFrom string       `json:"date_from,omitempty"`
	Head     Head         `json:"head,omitempty"` // of its response record
	Assumed  string       `json:"assumed,omitempty"`

	Fate       Fate       `json:"fate,omitempty"` // of a file
	Role       model.Role `json:"role,omitempty"`
	Bytes      int64      `json:"bytes"` // of the payload, or of the file
	InWARC     bool       `json:"in_warc"`
	Restricted string     `json:"restricted,omitempty"`

	Records []WrittenRecord `json:"records,omitempty"`
	Derived *Derivation     `json:"derived,omitempty"`
	Why     []string        `json:"why,omitempty"` // evidence
}

// WrittenRecord is a record that was written.
type WrittenRecord struct {
	Type   string `json:"type"`
	ID     string `json:"id"`
	Offset int64  `json:"offset"` // in the WARC
}

// Derivation records that one record was derived from another (PREMIS: a relationship of the type
// derivation, by an event).
type Derivation struct {
	Source  string `json:"source"`  // WARC-Record-ID of the file as found
	Outcome string `json:"outcome"` // of the conversion record
	Event   string `json:"event"`   // "transformation"
	Note    string `json:"note"`    // the changes
}

func (c *conversion) tell(e Entry) error {
	if c.o.Tell == nil {
		return nil
	}
	e.URL = warcbuild.TargetURI(e.URL) // as in the records, for comparison
	return c.o.Tell(e)
}
