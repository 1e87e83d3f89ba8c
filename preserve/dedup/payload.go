package dedup

import (
	"encoding/binary"

	"quire/model"
)

// Payload has the properties that are compared to decide whether payloads are equal. Its digests
// were computed from its bytes.
type Payload struct {
	Body       [32]byte // SHA-256 of the body as sent
	BodyLength int64
	Framed     bool     // the body is chunked, which the payload is not
	SHA1       [20]byte // of the payload, for indexes with nothing better
	SHA256     [32]byte
	Length     int64 // of the payload
}

// Original is a record with the payload that was captured earlier.
type Original struct {
	URI       string
	Date      string // as stated in the record, or an index time in WARC form
	ID        string // WARC-Record-ID with its angle brackets; "" if none or not known
	Container string // name of the file that holds the record
	Offset    int64  // of the record in it; -1 if not known
	Evidence  Evidence

	span     instant
	row      int64
	shelf    string // name of the container in the Library
	head     int64  // bytes of the block before the body
	stored   int64  // size in its container; -1 if it shares its member, 0 if not known
	inflated bool   // Offset is a position in the inflated bytes
}

// Evidence is how the equality of two payloads was established.
type Evidence string

// The evidence.
const (
	// ByRecord: the original was read. The bodies as sent have the same length, SHA-256 and
	// framing.
	ByRecord Evidence = "record"
	// ByIndex: an index states the payload's SHA-256, or its SHA-1, for the original. The original
	// was not read.
	ByIndex Evidence = "index"
	// ByLog: an annotation of a crawl log names the original. The original was not checked.
	ByLog Evidence = "log"
)

// key is the lookup key of a payload.
type key []byte

// exact returns the key of a body that was read: framing, length and SHA-256.
func (p *Payload) exact() key {
	k := append(make(key, 0, 42), 'b', 0)
	if p.Framed {
		k[1] = 1
	}
	return append(binary.BigEndian.AppendUint64(k, uint64(p.BodyLength)), p.Body[:]...)
}

// stated returns the keys of a payload in an index, which has digests only; the stronger digest is
// first. For a chunked body, an index may state the digest of the body as sent or of its content,
// and does not state the framing. Such a record must be read.
func (p *Payload) stated() []key {
	if p.Framed {
		return nil
	}
	return p.claims()
}

// claims returns the keys under which an index may have the payload, even if a key is not
// sufficient evidence.
func (p *Payload) claims() []key {
	return []key{statedKey("sha256", p.SHA256[:]), statedKey("sha1", p.SHA1[:])}
}

func statedKey(algorithm string, sum []byte) key {
	return append(key("s"+algorithm+":"), sum...)
}

// payloadOf returns the payload of an inspected record.
func payloadOf(r *model.Record) Payload {
	c := r.Content
	return Payload{Body: c.Body, BodyLength: r.Payload, Framed: c.Framed, SHA1: c.SHA1, SHA256: c.SHA256,
		Length: c.Length}
}
