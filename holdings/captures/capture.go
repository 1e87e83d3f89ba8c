package captures

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"

	"quire/preserve/cdxj"
	"quire/preserve/inspect"
	"quire/repository/stored"
)

// Capture is one line of the index: the response to a request for a URL.
type Capture struct {
	// sort key: the URL in SURT form, with the request body (format/surt,
	// docs/reference/535_capture-index.md)
	Key       string `json:"key"`
	Timestamp string `json:"timestamp"` // of the capture, UTC, 14 digits
	// as in the record of the container, byte for byte, but without a user and a password: all that
	// is shown, served or exported has its URL from here
	URL    string `json:"url"`
	Method string `json:"method,omitempty"` // of the request, if not GET
	Type   string `json:"type"`             // of the record: response, resource, revisit, conversion
	// as declared, without parameters, in lower case; a revisit has the MIME type of the original
	// payload
	MIME   string `json:"mime"`
	Status int    `json:"status"` // of the response; 0 for none
	Digest string `json:"digest"` // of the payload, as stated or computed: "sha1:BASE32"
	// target of a redirect, absolute; "" for none
	Location  string `json:"location,omitempty"`
	Length    int64  `json:"length"`              // of the payload, in bytes, without transfer coding
	Truncated bool   `json:"truncated,omitempty"` // the crawler kept only a part

	// The following fields are for lists of records, deduplication and comparison, and are not sent
	// to readers. Lines of version 1 (see [Container]) lack Date, Chunked, Flaw and Unlisted.
	// WARC-Record-ID, with its angle brackets; "" if missing or longer than 4 KiB
	ID          string `json:"-"`
	Date        string `json:"-"` // as in the record, in its precision; "" for none
	TruncatedBy string `json:"-"` // reason for truncation by the crawler, or for a gap between segments
	// content codings of the payload, in the order applied; "" if they cannot be decoded
	Coding  string `json:"-"`
	Chunked bool   `json:"-"` // the body is chunked
	Flaw    Flaw   `json:"-"` // the payload cannot serve as the original of others
	// the record has no date (Timestamp is ""), no URL, or is not a web resource: not shown to
	// readers, see Query.Unlisted
	Unlisted bool `json:"-"`
	// verified digests of the payload. For responses and resources: computed SHA-1 and SHA-256, and
	// stated digests. For revisits: none
	Digests []string `json:"-"`
	// inflated bytes of the record: header, block, and the line breaks after it
	Size int64 `json:"-"`

	Package string `json:"package"` // its identifier
	Harvest int    `json:"harvest"` // in the package, from 1; 0 if the container belongs to several, or to none
	Record  Place  `json:"record"`
	// of a revisit with its payload in the repository: the place of the payload, in this package or
	// another; never itself a revisit
	Payload *Place `json:"payload,omitempty"`
}

// Place is the position of a record. The version and the container are taken from the newest
// version of its package.
type Place struct {
	Package   string `json:"package"`
	Container string `json:"container"` // path in the package
	Order     int64  `json:"order"`     // of the record in the container, from 1
	Offset    int64  `json:"offset"`    // in the stored file: of the member, if the record is alone in one
	Stored    int64  `json:"stored"`    // stored size; -1 if not alone in a member
	Inflated  int64  `json:"inflated"`  // offset in the inflated file
	Head      int64  `json:"head"`      // bytes of the block before the body: the HTTP head
	Body      int64  `json:"body"`      // bytes of the block after it, as stored, with transfer coding
	SHA256    string `json:"sha256"`    // of the body, hex
	// Segments are the parts of a segmented record, in their order: this record is the first. Body and SHA256 are
	// then of the joined body. Otherwise it is empty.
	Segments []Segment `json:"segments,omitempty"`
	Viral    bool      `json:"viral"` // a scanner found a virus

	// Only for the payload of a revisit: its original capture, because rights and rules depend on
	// URL, date and harvest.
	URL       string `json:"url,omitempty"`
	Timestamp string `json:"timestamp,omitempty"`
	Harvest   int    `json:"harvest,omitempty"`
}

// Segment is the place of one part of a segmented record, in the same package.
type Segment struct {
	Container string `json:"container,omitempty"` // path in the package; "" means the container of the first part
	Order     int64  `json:"order"`
	Offset    int64  `json:"offset"`
	Length    int64  `json:"length"` // as stored; -1 if not alone in a member
	Inflated  int64  `json:"inflated"`
	Body      int64  `json:"body"`   // bytes of its block, of the first part after the HTTP head
	SHA256    string `json:"sha256"` // of these bytes, hex
}

// Scattered reports whether a part of the record is in another container.
func (p *Place) Scattered() bool {
	return p != nil && slices.ContainsFunc(p.Segments, func(s Segment) bool {
		return s.Container != "" && s.Container != p.Container
	})
}

// Part returns the place of one segment, by its index. The head is part of the first.
func (p *Place) Part(i int) *Place {
	s := &p.Segments[i]
	part := Place{Package: p.Package, Container: cmp.Or(s.Container, p.Container), Order: s.Order, Offset: s.Offset,
		Stored: s.Length, Inflated: s.Inflated, Body: s.Body, SHA256: s.SHA256}
	if i == 0 {
		part.Head = p.Head
	}
	return &part
}

// At returns the place in the form that reads records. kind is the type of the record, or "".
func (p *Place) At(kind string) (stored.Place, error) {
	sum, err := hex.DecodeString(p.SHA256)
	if err != nil {
		return stored.Place{}, fmt.Errorf("the index of captures has no digest of %s, record %d", p.Container, p.Order)
	}
	return stored.Place{Type: kind, Offset: p.Offset, Inflated: p.Inflated, Stored: p.Stored, Head: p.Head,
		Body: p.Body, SHA256: sum}, nil
}

// Join opens a segmented record. open opens the record at the place of a part.
func (p *Place) Join(kind string, open func(part *Place) (*stored.Record, error)) (*stored.Record, error) {
	at, err := p.At(kind)
	if err != nil {
		return nil, err
	}
	if p.SHA256 == "" {
		at.SHA256 = nil // not known yet
	}
	return stored.Join(&at, len(p.Segments), func(i int) (*stored.Record, error) { return open(p.Part(i)) })
}

// Match selects the keys that match a URL (docs/reference/535_capture-index.md). The values are the
// same as in CDX servers.
type Match string

// The matches. The zero value is Exact.
const (
	Exact  Match = "exact"
	Prefix Match = "prefix" // all that begin with the URL
	Host   Match = "host"   // all of its host
	Domain Match = "domain" // all of its host and subdomains
)

// Query selects captures. They are ordered by key and then by time, the oldest first; with Closest,
// by distance from it.
type Query struct {
	URL      string // "" means all URLs
	Match    Match
	Method   string   // of a request other than GET
	Body     []byte   // body of that request
	BodyType string   // Content-Type of the body: these are part of the key
	From, To string   // timestamps of 1 to 14 digits, inclusive
	Closest  string   // timestamp of 14 digits; for Exact only
	Packages []string // only these; nil means all
	Reverse  bool     // newest first
	Unlisted bool     // only records that are not captures for readers: see Capture
	After    *Capture // only captures after this one, for paging; it may already be removed
}

// Flaw is a defect of a record, found while reading it. A record with a flaw cannot be the original
// of other records.
type Flaw = cdxj.Flaw

// Host returns the host of the URL, in lower case, without user and port; "" for none.
func (c *Capture) Host() string { return inspect.Host(c.URL) }

// SegmentsNote says why the payload of a segmented record is not whole. A segment can be missing for reasons that no
// record states, so the note does not name the crawler.
func (c *Capture) SegmentsNote() string {
	return "the segmented record is not whole here: " + c.TruncatedBy
}
