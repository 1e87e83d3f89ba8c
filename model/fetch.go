package model

import "time"

// Fetch is one attempt to capture a URL and its outcome: one line of a crawl log.
type Fetch struct {
	URI      string    // as written
	Time     time.Time // begin of the fetch, UTC; zero when there is none
	Duration time.Duration
	Logged   time.Time // when the line was written; UTC as far as the log can be trusted
	Status   int       // of HTTP, FTP, DNS; or the crawler's own code, mostly negative
	Size     int64     // bytes, as the log counts them; -1 when unknown
	MIME     string    // "" when unknown
	Digest   string    // as written, with its label where there is one
	Path     string    // how it was discovered: Heritrix's letters
	Via      string    // where the link was found
	Seed     string    // that it goes back to
	Notes    []string  // annotations

	Miss      Miss   // why there is no content; "" when there is
	Container string // file that holds the record, where the log names it
	Offset    int64  // of the record in it; -1 when unknown
	Duplicate *Place // of the content that made this a duplicate; nil when it is none
	Log       string // file of the log, within the source; "" when unknown
	Line      int64  // in the log, from 1
}

// Place is a record in another file.
type Place struct {
	Container string
	Offset    int64
	Time      time.Time // of its capture; zero when unknown
}

// Miss says why a URL that was wanted has no content.
type Miss string

// The reasons. Each code of a crawler belongs to one of them.
const (
	MissNetwork   Miss = "network"   // no name, no connection, no answer, broken off
	MissRobots    Miss = "robots"    // robots.txt forbids it
	MissScope     Miss = "scope"     // a rule says it does not belong to the harvest
	MissQuota     Miss = "quota"     // a limit of bytes, documents or time was reached
	MissOperator  Miss = "operator"  // a person stopped or blocked it
	MissSoftware  Miss = "software"  // the crawler failed
	MissServer    Miss = "server"    // the server refused: 4xx, 5xx
	MissUnwritten Miss = "unwritten" // it was fetched and, by rule, not kept
	MissUntried   Miss = "untried"   // never tried
)
