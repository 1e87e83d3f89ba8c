package model

import "time"

// Fetch is one attempt to capture a URL and its outcome: one line of a crawl log.
type Fetch struct {
	URI      string    // as written
	Time     time.Time // start of the fetch, UTC; zero if missing
	Duration time.Duration
	Logged   time.Time // time of the log line; UTC as far as the log is reliable
	Status   int       // of HTTP, FTP, DNS; or the crawler's own code, usually negative
	Size     int64     // bytes, as stated in the log; -1 if unknown
	MIME     string    // "" if unknown
	Digest   string    // as written, with its label if present
	Path     string    // discovery path: Heritrix's letters
	Via      string    // the page with the link
	Seed     string    // its origin
	Notes    []string  // annotations

	Miss      Miss   // why content is missing; "" if it is not
	Container string // file with the record, if the log names it
	Offset    int64  // of the record in it; -1 if unknown
	Duplicate *Place // of the original content; nil if not a duplicate
	Log       string // file of the log, within the source; "" if unknown
	Line      int64  // in the log, from 1
}

// Place identifies a record by its file and offset.
type Place struct {
	Container string
	Offset    int64
	Time      time.Time // of its capture; zero if unknown
}

// Miss is the reason why a requested URL has no content.
type Miss string

// The reasons. Each code of a crawler belongs to one of them.
const (
	MissNetwork   Miss = "network"   // no name, no connection, no response, or broken off
	MissRobots    Miss = "robots"    // robots.txt forbids it
	MissScope     Miss = "scope"     // outside the scope of the harvest
	MissQuota     Miss = "quota"     // a limit of bytes, documents or time was reached
	MissOperator  Miss = "operator"  // a person stopped or blocked it
	MissSoftware  Miss = "software"  // the crawler failed
	MissServer    Miss = "server"    // the server refused: 4xx, 5xx
	MissUnwritten Miss = "unwritten" // fetched but, by rule, not stored
	MissUntried   Miss = "untried"   // never tried
)
