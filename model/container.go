package model

import "time"

// Outcome is the verdict on an inspected file.
type Outcome string

// The verdicts. Valid means that no finding has severity Error.
const (
	Valid        Outcome = "valid"
	Invalid      Outcome = "invalid"
	Incomplete   Outcome = "incomplete" // sound, but the other segments of a record are in none of the inspected files
	NotContainer Outcome = "not-a-container"
)

// Container is the result of one pass over an ARC or WARC file. "quire inspect --format json"
// prints it as JSON, one object per line. Other programs rely on this form.
type Container struct {
	Path          string       `json:"path"`
	Outcome       Outcome      `json:"outcome"`
	Format        string       `json:"format"`      // "WARC", "ARC", or "" if neither
	Versions      []string     `json:"versions"`    // in the order found: "1.0", "1.1"
	Compression   string       `json:"compression"` // "none", "gzip", "gzip-whole", "zstd"
	Bytes         int64        `json:"bytes"`       // size of the file as stored
	InflatedBytes int64        `json:"inflated_bytes"`
	SHA512        string       `json:"sha512"` // of the file as stored, lower-case hex
	Records       RecordCounts `json:"records"`
	First         *time.Time   `json:"first"` // earliest capture date of a record, UTC
	Last          *time.Time   `json:"last"`
	Software      string       `json:"software"` // from the first warcinfo or the ARC metadata
	Findings      []Finding    `json:"findings"` // capped per code; FindingsTotal has the full number
	FindingsTotal int64        `json:"findings_total"`
	Formats       []Format     `json:"formats"` // identified payload formats, on request
	Hosts         []Count      `json:"hosts"`
	MIMETypes     []Count      `json:"mime_types"` // as declared by the server
	Responses     []Status     `json:"responses"`
	Scan          *Scan        `json:"scan"` // for viruses; null without a check

	// FindingCounts has the number of all findings, by code. Findings may list fewer.
	FindingCounts map[string]int64 `json:"-"`
	// Types are the sums per record type for containerMD; not part of the JSON contract.
	Types []TypeSum `json:"-"`
	// IdentifiedBy is the software that identified Formats, and its signatures, with versions; ""
	// without identification.
	IdentifiedBy string `json:"-"`
	// Years has the number of captures in each year, in order. It does not include captures without
	// a date.
	Years []Count `json:"-"`
	// Languages has the number of captured pages and plain texts in each language, by ISO 639 code; "und" if none
	// is known.
	Languages []Count `json:"-"`
	// LanguagesCounted means that Languages were counted, if only to find none.
	LanguagesCounted bool `json:"-"`
	// Info is the fields of the first warcinfo, or the ARC metadata, in file order.
	Info []Field `json:"-"`
	// VersionBlock is the version block of an ARC; nil in a WARC.
	VersionBlock *VersionBlock `json:"-"`
	// SmallestEntry and LargestEntry are the sizes of the smallest and the largest record as
	// stored, in bytes; 0 if no record has a member of its own.
	SmallestEntry, LargestEntry int64 `json:"-"`
	// StoredEntries is the size of all records as stored, in bytes; -1 if the size of one is not
	// known.
	StoredEntries int64 `json:"-"`
}

// VersionBlock is the first record of an ARC file, as found.
type VersionBlock struct {
	Name        string    // of the file when it was written
	IP          string    // of the machine that created it
	Date        time.Time // creation time; zero if unreadable
	Version     string    // "1.0", "1.1", "2.0"
	Origin      string    // software or body that wrote the file
	HasMetadata bool
}

// RecordCounts has the number of records, in total and by type.
type RecordCounts struct {
	Total  int64            `json:"total"`
	ByType map[string]int64 `json:"by_type"`
}

// Count is how often a name occurred, and its total of payload bytes.
type Count struct {
	Name   string `json:"name"`
	Count  int64  `json:"count"`
	Bytes  int64  `json:"bytes"`
	Stored int64  `json:"-"` // of its records as stored, in bytes; 0 if not counted or not known
}

// Status is a Count of an HTTP status code with its protocol version.
type Status struct {
	Status  string `json:"status"`
	Version string `json:"-"` // "1.0", "1.1", "2"
	Count   int64  `json:"count"`
	Bytes   int64  `json:"bytes"`
}

// Field is a named value, as found.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// TypeSum has the sums for the records of one type. The sizes are the sizes of the blocks
// (Content-Length), uncompressed.
type TypeSum struct {
	Type               string
	Count              int64
	Bytes              int64
	Payload            int64 // bytes after the HTTP head
	Smallest, Largest  int64
	First, Last        time.Time // zero if no record of the type had a readable date
	BlockFormats       []Count   // the records' Content-Type
	PayloadTypes       []Count   // WARC-Identified-Payload-Type, as written by the crawler
	Formats            []Format  // identified payload formats, on request
	DeclaredMIMETypes  []Count
	Hosts              []Count
	Responses          []Status
	UserAgents         []Count
	Profiles           []Count
	ConcurrentTo       int64 // records with a WARC-Concurrent-To
	RefersTo           int64 // records with a WARC-Refers-To
	DistinctHostsTotal int64 // distinct hosts; a lower bound above Quire's limit of counted hosts
}
