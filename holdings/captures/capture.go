package captures

import (
	"quire/preserve/cdxj"
	"quire/preserve/inspect"
)

// Capture is one line of the index: what was answered when a URL was asked for.
type Capture struct {
	// what lines are sorted by: the URL in SURT form, with what a request sent (format/surt,
	// docs/reference/535_capture-index.md)
	Key       string `json:"key"`
	Timestamp string `json:"timestamp"`        // of the capture, UTC, 14 digits
	URL       string `json:"url"`              // as the record in the container writes it, byte for byte
	Method    string `json:"method,omitempty"` // of the request, when it was not GET
	Type      string `json:"type"`             // of the record: response, resource, revisit, conversion
	// as declared, without parameters, in lower case; of a revisit, that of the payload it stands
	// for
	MIME   string `json:"mime"`
	Status int    `json:"status"` // of the answer; 0 when there is none
	Digest string `json:"digest"` // of the payload, as stated or computed: "sha1:BASE32"
	// where the answer sent the reader, absolute; "" when it sent him nowhere
	Location  string `json:"location,omitempty"`
	Length    int64  `json:"length"`              // of the payload, in bytes, without transfer coding
	Truncated bool   `json:"truncated,omitempty"` // the crawler kept a part only

	// Lists of records, dedup and whoever compares captures want these. They are not for readers,
	// nor in what they are sent. A container whose lines are of version 1 (see [Container]) has no
	// Date, Chunked, Flaw and Unlisted.
	// WARC-Record-ID, with its angle brackets; "" when there is none, or it has more than 4 KiB
	ID          string `json:"-"`
	Date        string `json:"-"` // as the record states it, as exact as that is; "" when it states none
	TruncatedBy string `json:"-"` // why the crawler kept a part only
	// content codings of the payload, as they were applied; "" when they cannot be undone
	Coding  string `json:"-"`
	Chunked bool   `json:"-"` // the body is chunked
	Flaw    Flaw   `json:"-"` // why its payload cannot stand for that of others
	// it has no date (Timestamp is ""), no URL, or is no web resource: no capture for readers, see
	// Query.Unlisted
	Unlisted bool `json:"-"`
	// true of the payload: SHA-1 and SHA-256, computed, of responses and resources; what is stated.
	// None of a revisit
	Digests []string `json:"-"`
	// bytes of the record where it is inflated: header, block, and the line breaks behind it
	Size int64 `json:"-"`

	Package string `json:"package"` // its identifier
	Harvest int    `json:"harvest"` // in the package, from 1; 0 when the container is of several, or of none
	Record  Place  `json:"record"`
	// of a revisit whose payload is in the repository: where that lies, in this package or another;
	// never again a revisit
	Payload *Place `json:"payload,omitempty"`
}

// Place is where a record lies. Version and container are those of the newest version of the
// package that has it.
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

	// Of the payload of a revisit only, since rights and rules are of URLs, dates and harvests:
	// what it was captured as.
	URL       string `json:"url,omitempty"`
	Timestamp string `json:"timestamp,omitempty"`
	Harvest   int    `json:"harvest,omitempty"`
}

// Match says which keys are meant by a URL (docs/reference/535_capture-index.md; the words are
// those of CDX servers).
type Match string

// The matches. The zero value is Exact.
const (
	Exact  Match = "exact"
	Prefix Match = "prefix" // whatever begins with the URL
	Host   Match = "host"   // all of its host
	Domain Match = "domain" // and of the hosts below that
)

// Query asks for captures. They come by key and then by time, the oldest first; with Closest, by
// how far they are from it.
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
	Unlisted bool     // the records that are no captures for readers, and only those: see Capture
	After    *Capture // only what comes behind this one, for pages; it need not be there any more
}

// Flaw is what the pass found wrong with a record, so that its payload cannot stand for that of
// others.
type Flaw = cdxj.Flaw

// Host is the host of the URL, in lower case, without user and port; "" when there is none.
func (c *Capture) Host() string { return inspect.Host(c.URL) }
