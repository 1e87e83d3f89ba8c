package model

import "time"

// Record is one entry of a container, as the pass read it: the statements of its header, and the
// facts. Texts are as found; unstated values are empty.
type Record struct {
	Order    int64 // in the file, from 1
	Type     string
	ID       string // WARC-Record-ID, with its angle brackets; "" in an ARC
	URI      string
	Date     time.Time // zero when there is none that could be read
	Dated    string    // the date as stated, which says how exact it is
	Offset   int64     // first byte in the file as stored: of its member, when the record lies alone in one
	Inflated int64     // first byte in the inflated file
	Stored   int64     // bytes it takes in the file; -1 when unknown
	// bytes it takes there, header, block and the line breaks behind; -1 when it broke off and its
	// end is a guess
	Length int64
	BodyAt int64 // where its body begins, behind the header and the HTTP head: bytes from its own first, inflated
	Sound  bool  // no error was found in it, nor in the member it is compressed in, as far as it was read

	// an error was found in the gzip member, or zstd frame, that it is compressed in: others may
	// refuse to inflate it
	BadMember bool

	DigestsFit bool // the block is whole, and no digest that could be computed again differs from the stated one

	ContentType    string // of the block; in an ARC, as the server declared
	DeclaredMIME   string // by the server, in lower case and without parameters
	IdentifiedType string // WARC-Identified-Payload-Type, as the crawler wrote it
	// of the payload, as PRONOM has it; empty unless it was asked for. Count and Bytes are not used
	Format Format

	Scan      ScanOutcome // whether the payload is infected; "" when it was not to be scanned, or there is none
	Signature string      // of the virus, as the scanner calls it

	// media type of the content, with its parameters: of the HTTP answer, or of the record where
	// there is none
	ServedType  string
	Language    string // Content-Language of the HTTP answer
	Location    string // where the HTTP answer says the content is: of a redirect, its target
	Status      string // of the HTTP answer: "200"
	HTTPVersion string // "1.1"; of a request, too
	Method      string // of the HTTP request, as sent
	Host        string // of the URI, in lower case, without user and port

	BlockDigest   string // as stated: "sha1:…"
	PayloadDigest string
	Block         int64  // bytes of the block that were there
	Payload       int64  // of these, behind the HTTP head
	Coded         bool   // the payload is stored chunked or in a content coding, which its digest mostly leaves out
	ConcurrentTo  string // WARC-Concurrent-To, with its angle brackets; the first, when there are several
	RefersTo      string // WARC-Refers-To, with its angle brackets
	RefersToURI   string // WARC-Refers-To-Target-URI
	RefersToDate  string // WARC-Refers-To-Date
	Truncated     string // WARC-Truncated: why the crawler stopped
	Segment       string // WARC-Segment-Number: the payload is one part of several
	DedupEvidence string // Dedup-Evidence, which quire dedup writes into the revisit records it makes
	// Description-Standard: it is a description that quire describe wrote, by this standard
	// (docs/reference/340_describe.md)
	Describes string
	Part      string // Mirror-Part: its part in the source mirror (docs/reference/430_mirrors.md)

	Body    *Body    // behind the HTTP head, on request
	Content *Content // of a response or resource, when it was asked for
}

// Content identifies the payload of a record. Its digests were computed, not read in a header.
type Content struct {
	Framed bool     // the body is chunked, as its head says
	Body   [32]byte // SHA-256 of the body as sent, of which Record.Payload is the length
	// bytes of the payload: the body without chunked framing, in the content codings in which it
	// was sent
	Length int64
	SHA1   [20]byte // of the payload
	SHA256 [32]byte
}

// Body is the content of a record behind the HTTP head, or its block where there is none, in the
// two readings that can be had of it later: the bytes as they were sent, which stand in the record,
// and as they would be served, without chunked framing and codings. Its digests were computed, not
// read in a header.
type Body struct {
	SHA256 [32]byte // as sent; Record.Payload is the length

	// Whole reports that the served body is known to its end. Where Removed is empty too, it is the
	// body as sent.
	Whole        bool
	Removed      []string // framing and codings, in the order in which they have to be undone: "chunked", "gzip"
	ServedLength int64    // bytes without them; only when Whole
	ServedSHA256 [32]byte

	Stated Reading // the reading that Record.PayloadDigest is the digest of
}

// Reading is a way to read the payload of a record.
type Reading string

// The readings. A payload digest is the standard's when it is of the body without chunked framing,
// in its content codings.
const (
	ReadNone    Reading = ""        // no reading, or none that was tried: of a segment, of a block that broke off
	ReadSent    Reading = "sent"    // the body as sent
	ReadPayload Reading = "payload" // without chunked framing
	ReadServed  Reading = "served"  // without content codings, too
	ReadBlock   Reading = "block"   // the whole block, its HTTP head included
)
