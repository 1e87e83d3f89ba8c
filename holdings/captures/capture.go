// Package captures knows where each capture of a repository lies: one line a capture, in CDXJ (docs/capture-index.md), in sorted files
// that are searched in place.
//
//	x, err := captures.Open(dir, captures.Options{})
//	for c, err := range x.Captures(ctx, captures.Query{URL: "http://a.example/", Closest: "20150102030405"}) {
//		fmt.Println(c.Timestamp, c.URL, c.Record.Container, c.Record.Offset)
//	}
//
// The index judges nobody: what a reader may see of it is for package holdings to say.
package captures

import "quire/model"

// Capture is one line of the index: what was answered when a URL was asked for.
type Capture struct {
	Key       string `json:"key"`                 // what lines are sorted by: the URL in SURT form, with what a request sent (format/surt, docs/capture-index.md)
	Timestamp string `json:"timestamp"`           // of the capture, UTC, 14 digits
	URL       string `json:"url"`                 // as the record in the container writes it, byte for byte
	Method    string `json:"method,omitempty"`    // of the request, when it was not GET
	Type      string `json:"type"`                // of the record: response, resource, revisit, conversion
	MIME      string `json:"mime"`                // as declared, without parameters, in lower case; of a revisit, that of the payload it stands for
	Status    int    `json:"status"`              // of the answer; 0 when there is none
	Digest    string `json:"digest"`              // of the payload, as stated or computed: "sha1:BASE32"
	Location  string `json:"location,omitempty"`  // where the answer sent the reader, absolute; "" when it sent him nowhere
	Length    int64  `json:"length"`              // of the payload, in bytes, without transfer coding
	Truncated bool   `json:"truncated,omitempty"` // the crawler kept a part only

	Package string `json:"package"` // its identifier
	Harvest int    `json:"harvest"` // in the package, from 1; 0 when the container is of several, or of none
	Record  Place  `json:"record"`
	Payload *Place `json:"payload,omitempty"` // of a revisit whose payload is in the repository: where that lies, in this package or another; never again a revisit
}

// Place is where a record lies. Version and container are those of the newest version of the package that has it.
type Place struct {
	Package   string `json:"package"`
	Container string `json:"container"` // path in the package
	Order     int64  `json:"order"`     // of the record in the container, from 1
	Offset    int64  `json:"offset"`    // in the file as stored: of the member, when the record lies alone in one
	Stored    int64  `json:"stored"`    // bytes that it takes there; -1 when it does not lie alone in a member
	Inflated  int64  `json:"inflated"`  // first byte in what the file holds when it is inflated
	Head      int64  `json:"head"`      // bytes of the block before the body: the HTTP head
	Body      int64  `json:"body"`      // bytes of the block behind it, as stored, transfer coding and all
	SHA256    string `json:"sha256"`    // of these, hex
	Viral     bool   `json:"viral"`     // a scanner found something in it

	// Of the payload of a revisit only, since rights and rules are of URLs, dates and harvests: what it was captured as.
	URL       string `json:"url,omitempty"`
	Timestamp string `json:"timestamp,omitempty"`
	Harvest   int    `json:"harvest,omitempty"`
}

// Match says which keys are meant by a URL (docs/capture-index.md; the words are those of CDX servers).
type Match string

// The matches. The zero value is Exact.
const (
	Exact  Match = "exact"
	Prefix Match = "prefix" // whatever begins with the URL
	Host   Match = "host"   // all of its host
	Domain Match = "domain" // and of the hosts below that
)

// Query asks for captures. They come by key and then by time, the oldest first; with Closest, by how far they are from it.
type Query struct {
	URL      string // "" means all URLs
	Match    Match
	Method   string   // of a request that is not GET, and
	Body     []byte   // what it sent, and
	BodyType string   // the Content-Type of that: they are part of the key
	From, To string   // timestamps of 1 to 14 digits, both included
	Closest  string   // timestamp of 14 digits; for Exact only
	Packages []string // only of these; nil means of all
	Reverse  bool     // the newest first
	After    *Capture // only what comes behind this one, for pages; it need not be there any more
}

// Record is a record as the one pass tells it, for those who make lines of it.
type Record = model.Record
