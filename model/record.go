package model

import "time"

// Record is one entry of a container, as the pass read it: the statements of its header, and the
// facts. Texts are as found; unstated values are empty.
type Record struct {
	Order    int64 // in the file, from 1
	Type     string
	ID       string // WARC-Record-ID, with its angle brackets; "" in an ARC
	URI      string
	Date     time.Time // zero if missing or unreadable
	Dated    string    // the date as stated, which shows its precision
	Offset   int64     // first byte in the stored file: of its member, if it is alone in one
	Inflated int64     // first byte in the inflated file
	Stored   int64     // bytes it takes in the file; -1 if unknown
	// inflated bytes: header, block and the line breaks after it; -1 if it is cut off and its end a
	// guess
	Length int64
	BodyAt int64 // start of its body, after the header and the HTTP head, in inflated bytes from its first
	Sound  bool  // no error was found in it or its member, as far as read

	// an error was found in its gzip member or zstd frame: other tools may refuse to inflate it
	BadMember bool

	DigestsFit bool // the block is complete, and no recomputed digest differs from the stated one

	ContentType    string // of the block; in an ARC, as the server declared
	DeclaredMIME   string // by the server, in lower case and without parameters
	IdentifiedType string // WARC-Identified-Payload-Type, as the crawler wrote it
	// of the payload, by PRONOM; empty unless requested. Count and Bytes are unused
	Format Format

	Scan      ScanOutcome // whether the payload is infected; "" without a scan or a payload
	Signature string      // of the virus, as the scanner names it

	// media type of the content, with its parameters: of the HTTP response, otherwise of the record
	ServedType  string
	Language    string // Content-Language of the HTTP response
	Location    string // Location of the HTTP response: for a redirect, its target
	Status      string // of the HTTP response: "200"
	HTTPVersion string // "1.1"; also of a request
	Method      string // of the HTTP request, as sent
	Host        string // of the URI, in lower case, without user and port

	BlockDigest   string // as stated: "sha1:…"
	PayloadDigest string
	Block         int64  // bytes of the block found
	Payload       int64  // of these, after the HTTP head
	Coded         bool   // the payload is stored chunked or in a content coding, which its digest usually excludes
	ConcurrentTo  string // the first WARC-Concurrent-To, with its angle brackets
	RefersTo      string // WARC-Refers-To, with its angle brackets
	RefersToURI   string // WARC-Refers-To-Target-URI
	RefersToDate  string // WARC-Refers-To-Date
	Truncated     string // WARC-Truncated: why the crawler stopped
	Segment       string // WARC-Segment-Number: the payload is one part of several
	SegmentOrigin string // WARC-Segment-Origin-ID: of a continuation, the id of the first segment
	SegmentTotal  string // WARC-Segment-Total-Length: of the last segment, the length of the whole block
	DedupEvidence string // Dedup-Evidence, which quire dedup writes into its revisit records
	DedupPackage  string // Dedup-Package: the package that holds the payload of a revisit record
	DedupPath     string // Dedup-Path: the container in that package
	// Description-Standard: the record is a description by quire describe, in this standard
	// (docs/reference/340_describe.md)
	Describes string
	Part      string // Mirror-Part: its part in the source mirror (docs/reference/430_mirrors.md)

	Body    *Body    // after the HTTP head, on request
	Content *Content // of a response or resource, on request
}

// Content identifies the payload of a record. Its digests are computed, not from a header.
type Content struct {
	Framed bool     // the body is chunked, as its head states
	Body   [32]byte // SHA-256 of the body as sent; Record.Payload is its length
	// bytes of the payload: the body without chunked framing, in its content codings
	Length int64
	SHA1   [20]byte // of the payload
	SHA256 [32]byte
}

// Body is the content of a record after the HTTP head, or the block of a record without one. It has
// two readings. The first is the bytes as sent, which the record contains. The second is the bytes
// as served, without chunked framing and codings. Its digests are computed, not from a header.
type Body struct {
	SHA256 [32]byte // as sent; Record.Payload is the length
	SHA512 [64]byte // as sent; zero if not requested

	// Whole reports that the served body is known to its end. If Removed is also empty, it equals
	// the body as sent.
	Whole        bool
	Removed      []string // framing and codings, in the order of removal: "chunked", "gzip"
	ServedLength int64    // bytes without them; only if Whole
	ServedSHA256 [32]byte
	ServedSHA512 [64]byte // zero if not requested

	Stated Reading // the reading for Record.PayloadDigest
}

// Reading is a way to read the payload of a record.
type Reading string

// The readings. By the standard, a payload digest is of the body without chunked framing, in its
// content codings.
const (
	ReadNone    Reading = ""        // no reading, or none tried: of a segment or an incomplete block
	ReadSent    Reading = "sent"    // the body as sent
	ReadPayload Reading = "payload" // without chunked framing
	ReadServed  Reading = "served"  // also without content codings
	ReadBlock   Reading = "block"   // the whole block, including its HTTP head
)
