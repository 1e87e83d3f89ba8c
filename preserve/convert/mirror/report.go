package mirror

import (
	"quire/internal/warcbuild"
	"quire/model"
	"quire/source"
)

// Report says what became of a mirror as a whole.
type Report struct {
	Records int64            // written
	Types   map[string]int64 // of these, by WARC-Type

	URLs   int64                  // that the mirror tells of
	Grades map[source.Grade]int64 // of these, by how well they came back
	Heads  map[Head]int64         // of the response records, by where their head comes from

	Undated     int64 // URLs whose time nothing tells: their records are metadata
	Transformed int64 // files from which another record was made by turning links back

	Files          map[Fate]int64   // of the mirror; together they are all
	OnlyInOriginal Sum              // files whose bytes are in no record
	Secrets        map[string]int64 // what must not be shown to everyone and is in the WARC, by kind

	Findings map[string]int64 // by code
	Errors   int64            // of these, the findings that content is lost

	WrittenSize   int64 // of the WARC
	WrittenSHA512 string
}

// Sum is how many files, and how large they are together.
type Sum struct{ Files, Bytes int64 }

func newReport() *Report {
	return &Report{
		Types: map[string]int64{}, Grades: map[source.Grade]int64{}, Heads: map[Head]int64{}, Files: map[Fate]int64{},
		Secrets: map[string]int64{}, Findings: map[string]int64{},
	}
}

// The codes of findings.
const (
	CodeBody   = "MIRROR-BODY"   // the bytes of a URL cannot be read to their end
	CodeHead   = "MIRROR-HEAD"   // a head that was kept cannot be read, or none can be made of what is told
	CodeLinks  = "MIRROR-LINKS"  // the links of a file cannot be turned back
	CodeFile   = "MIRROR-FILE"   // a URL is said to be in a file that the mirror has not
	CodeTwice  = "MIRROR-TWICE"  // a file is told of more than once
	CodeUntold = "MIRROR-UNTOLD" // a file that is neither content nor an artefact
)

// Fate is what became of a file.
type Fate string

// The fates. Only Converted, Same and Kept files have their bytes in the WARC.
const (
	Converted Fate = "converted" // it is the payload of a URL
	Same      Fate = "same"      // the payload was kept elsewhere, and the file is equal to it
	// in a record of its own; beside it, where its links were turned back, the payload of a URL
	Kept       Fate = "as found"
	Superseded Fate = "superseded" // the crawler's own version of a payload that was kept elsewhere
	Empty      Fate = "empty"      // it stands for an answer that was not kept
	LeftOut    Fate = "left out"   // it is named for a URL whose bytes it does not hold
	Unreadable Fate = "unreadable"
	Artefact   Fate = "artefact" // no content: a log, a cache, something put in
	Untold     Fate = "untold"   // the source says nothing of it
)

// inWARC says whether a file of this fate can go without its bytes being lost.
func (f Fate) inWARC() bool { return f == Converted || f == Same || f == Kept || f == Empty }

// Entry is what became of one URL, or of one file.
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

	Records []Made      `json:"records,omitempty"`
	Derived *Derivation `json:"derived,omitempty"`
	Why     []string    `json:"why,omitempty"` // evidence
}

// Made is a record that was written.
type Made struct {
	Type   string `json:"type"`
	ID     string `json:"id"`
	Offset int64  `json:"offset"` // in the WARC
}

// Derivation says that one record was made of another (PREMIS: a relationship of the type
// derivation, by an event).
type Derivation struct {
	Source  string `json:"source"`  // WARC-Record-ID of the file as found
	Outcome string `json:"outcome"` // of the conversion record
	Event   string `json:"event"`   // "transformation"
	Note    string `json:"note"`    // what was done
}

func (c *conversion) tell(e Entry) error {
	if c.o.Tell == nil {
		return nil
	}
	e.URL = warcbuild.TargetURI(e.URL) // as the records have it, so that the two can be compared
	return c.o.Tell(e)
}
