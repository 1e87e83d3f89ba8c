package inspect

import (
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"io"

	"quire/format/http1"
	"quire/format/warc"
	"quire/model"
)

// Bodies selects the records for which digests of the body are computed. There are two digests, of
// the body as sent and of the body as served: see model.Body.
type Bodies int

// The choices.
const (
	NoBodies     Bodies = iota
	MirrorBodies        // records of converted mirrors: those with a Mirror-Part
	SentBodies          // as sent: all records; as served: records of mirrors, and only the length for other records
	AllBodies
)

// Served receives the content of one record as it would be served: without chunked framing and
// content codings. Its errors end the pass.
type Served interface {
	io.Writer

	// End marks the end of the content. whole means that framing and codings were fully removed;
	// otherwise the content is at most a beginning, or empty.
	End(whole bool) error
}

// fieldPart is the field that states the part of a converted mirror (preserve/convert/mirror,
// FieldPart).
const fieldPart = "Mirror-Part"

// fieldStandard is the field that marks a metadata record as a description
// (preserve/describe/warcmeta, FieldStandard).
const fieldStandard = "Description-Standard"

// fieldEvidence is the field with quire dedup's evidence that a payload is stored (preserve/dedup).
const fieldEvidence = "Dedup-Evidence"

// Fields with the place of a payload that another package holds (preserve/dedup).
const (
	fieldPackage = "Dedup-Package"
	fieldPath    = "Dedup-Path"
)

// bodies processes the two forms of a body: as sent, and as served. It digests both, if required
// for the record, and passes the second to a listener.
type bodies struct {
	wanted   Bodies
	listen   func(*entry) Served // nil without listeners
	coding   *contentCoding
	on       bool // digests are required for the current record
	both     bool // the digest of the content as served is required, too
	framed   bool // by its head, the body has framing or codings
	owed     bool // it has a coding that is not decoded
	listener Served
	sent     hash.Hash
	served   hash.Hash // if it may differ

	sent512, served512 hash.Hash // nil unless SHA-512 is requested

	length int64
}

func newBodies(wanted Bodies, wide bool, listen func(*entry) Served, coding *contentCoding) *bodies {
	b := &bodies{wanted: wanted, listen: listen, coding: coding, sent: sha256.New(), served: sha256.New()}
	if wide {
		b.sent512, b.served512 = sha512.New(), sha512.New()
	}
	return b
}

// begin resets the state for a new record.
func (b *bodies) begin(e *entry) {
	b.both = b.wanted == AllBodies || b.wanted != NoBodies && e.warc != nil && e.warc.Has(fieldPart)
	b.on = b.both || b.wanted == SentBodies
	b.framed, b.owed, b.listener, b.length = false, false, nil, 0
	if b.on {
		b.sent.Reset()
		b.served.Reset()
	}
	if b.both && b.sent512 != nil {
		b.sent512.Reset()
		b.served512.Reset()
	}
}

// head receives the head before the first byte of the body. It receives nil if there is no head.
func (b *bodies) head(e *entry, h *http1.Head) {
	if h != nil {
		coded := len(codingsOf(h)) > 0
		b.framed, b.owed = h.Chunked() || coded, coded && h.StatusCode == partialContent
	}
	if b.listen != nil && !e.bodyAsSent() {
		b.listener = b.listen(e)
	}
}

// heard reports whether the content of the current record has a listener.
func (b *bodies) heard() bool { return b.listener != nil }

// asSent receives bytes of the body as sent.
func (b *bodies) asSent(p []byte) {
	if b.on {
		b.sent.Write(p) // a hash never fails
	}
	if b.both && b.sent512 != nil {
		b.sent512.Write(p)
	}
}

// asServed receives bytes of the content.
func (b *bodies) asServed(p []byte) error {
	if b.owed {
		return nil // a part of a representation, still in its coding
	}
	if b.on && b.framed {
		if b.length += int64(len(p)); b.both {
			b.served.Write(p) // a hash never fails
			if b.served512 != nil {
				b.served512.Write(p)
			}
		}
	}
	if b.listener == nil {
		return nil
	}
	_, err := b.listener.Write(p)
	return err
}

// end records the results. dechunked means that chunked framing was declared and found, broken that
// it was damaged.
func (b *bodies) end(e *entry, dechunked, broken bool) error {
	whole := !e.cut && !broken && !b.owed && !e.bodyAsSent() && (!b.coding.on || b.coding.decoder.Complete())
	if b.on {
		e.body = b.found(whole, dechunked)
	}
	if b.listener == nil {
		return nil
	}
	return b.listener.End(whole)
}

func (b *bodies) found(whole, dechunked bool) *model.Body {
	found := &model.Body{Whole: whole}
	b.sent.Sum(found.SHA256[:0])
	wide := b.both && b.sent512 != nil
	if wide {
		b.sent512.Sum(found.SHA512[:0])
	}
	if !whole {
		return found
	}
	if dechunked {
		found.Removed = append(found.Removed, "chunked")
	}
	if b.coding.on {
		found.Removed = b.coding.decoder.Removed(found.Removed)
	}
	if len(found.Removed) > 0 {
		if found.ServedLength = b.length; b.both {
			b.served.Sum(found.ServedSHA256[:0])
		}
		if wide {
			b.served512.Sum(found.ServedSHA512[:0])
		}
	}
	return found
}

// stated records the reading of the body that the header's digest matches, if judgePayload found
// one.
func (b *bodies) stated(e *entry, r model.Reading) {
	if e.body != nil && e.warc.Has(warc.FieldPayloadDigest) {
		e.body.Stated = r
	}
}
