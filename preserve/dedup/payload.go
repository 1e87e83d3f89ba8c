package dedup

import (
	"encoding/binary"

	"quire/model"
)

// Payload is what a record is compared by with others. Its digests were computed from its bytes.
type Payload struct {
	Body       [32]byte // SHA-256 of the body as it was sent
	BodyLength int64
	Framed     bool     // the body is chunked: its payload is the body without that
	SHA1       [20]byte // of the payload, for indexes that know no more
	SHA256     [32]byte
	Length     int64 // of the payload
}

// Original is a record that has a payload and was captured earlier.
type Original struct {
	URI       string
	Date      string // as the record states it, or in an index the time as WARC writes it
	ID        string // WARC-Record-ID with its angle brackets; "" when there is none or it is not known
	Container string // name of the file that holds the record
	Offset    int64  // of the record in it; -1 when not known
	Evidence  Evidence

	span     instant
	row      int64
	shelf    string // what the Library calls the container
	head     int64  // bytes of the block before the body
	stored   int64  // bytes it takes in its container; -1 when it shares its member, 0 when not known
	inflated bool   // Offset counts inflated bytes
}

// Evidence says how it is known that two payloads are the same.
type Evidence string

// The evidence.
const (
	// ByRecord: the original was read; the bodies as sent have the same length and SHA-256, and are
	// framed alike.
	ByRecord Evidence = "record"
	// ByIndex: an index states for the original the SHA-256, or the SHA-1, that the payload has.
	// Nobody has read it.
	ByIndex Evidence = "index"
	// ByLog: an annotation of a crawl log tells of the original. Nobody has looked whether it is
	// there.
	ByLog Evidence = "log"
)

// key is what a payload is looked up by.
type key []byte

// exact is the key of a body whose bytes were read: framing, length and SHA-256.
func (p *Payload) exact() key {
	k := append(make(key, 0, 42), 'b', 0)
	if p.Framed {
		k[1] = 1
	}
	return append(binary.BigEndian.AppendUint64(k, uint64(p.BodyLength)), p.Body[:]...)
}

// stated are the keys of a payload in an index, which knows digests, the stronger first. What an
// index states of a chunked body may be of the body as sent or of what is in it, and of the framing
// it says nothing: there the record must be read.
func (p *Payload) stated() []key {
	if p.Framed {
		return nil
	}
	return p.claims()
}

// claims are the keys by which an index may have the payload, whether or not that is enough.
func (p *Payload) claims() []key {
	return []key{statedKey("sha256", p.SHA256[:]), statedKey("sha1", p.SHA1[:])}
}

func statedKey(algorithm string, sum []byte) key {
	return append(key("s"+algorithm+":"), sum...)
}

// payloadOf is the payload of a record that was inspected.
func payloadOf(r *model.Record) Payload {
	c := r.Content
	return Payload{Body: c.Body, BodyLength: r.Payload, Framed: c.Framed, SHA1: c.SHA1, SHA256: c.SHA256,
		Length: c.Length}
}
