package model

import "time"

// Record is one entry of a container, as the pass saw it go by: what its header says, and what was really there. Texts are
// as found; what a record does not say is empty.
type Record struct {
	Order    int64 // in the file, from 1
	Type     string
	ID       string // WARC-Record-ID, with its angle brackets; "" in an ARC
	URI      string
	Date     time.Time // zero when there is none that could be read
	Offset   int64     // first byte in the file as stored: of its member, when the record lies alone in one
	Inflated int64     // first byte in what the file holds when it is inflated
	Stored   int64     // bytes it takes in the file; -1 when that cannot be told
	Sound    bool      // no error was found in it, nor in the member it is compressed in, as far as it was read

	DigestsFit bool // the block is whole, and no digest that could be computed again differs from what is stated

	ContentType    string // of the block; in an ARC, what the server declared
	DeclaredMIME   string // by the server, in lower case and without parameters
	IdentifiedType string // WARC-Identified-Payload-Type, as the crawler wrote it
	Format         Format // of the payload, as PRONOM has it; empty unless it was asked for. Count and Bytes are not used

	Scan      ScanOutcome // whether the payload is infected; "" when it was not to be scanned, or there is none
	Signature string      // of the virus, as the scanner calls it

	Status      string // of the HTTP answer: "200"
	HTTPVersion string // "1.1"; of a request, too
	Host        string // of the URI, in lower case, without user and port

	BlockDigest   string // as stated: "sha1:…"
	PayloadDigest string
	Block         int64  // bytes of the block that were there
	Payload       int64  // of these, behind the HTTP head
	Coded         bool   // the payload is stored chunked or in a content coding, which its digest mostly leaves out
	RefersTo      string // WARC-Refers-To, with its angle brackets
	RefersToURI   string // WARC-Refers-To-Target-URI
	RefersToDate  string // WARC-Refers-To-Date
	Truncated     string // WARC-Truncated: why the crawler stopped
	Segment       string // WARC-Segment-Number: the payload is one part of several

	Content *Content // of a response or resource, when it was asked for
}

// Content is what tells the payload of a record from others. Its digests were computed, not read in a header.
type Content struct {
	Dated  string   // the date of the record as stated, which says how exact it is
	Framed bool     // the body is chunked, as its head says
	Body   [32]byte // SHA-256 of the body as sent, of which Record.Payload is the length
	Length int64    // bytes of the payload: the body without chunked framing, in the content codings in which it was sent
	SHA1   [20]byte // of the payload
	SHA256 [32]byte
}
