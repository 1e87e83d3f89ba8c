package inspect

import (
	"crypto/sha256"
	"hash"
	"io"

	"quire/format/http1"
	"quire/format/warc"
	"quire/model"
)

// Bodies says of which records Record is told the digests of the body, as sent and as served: see
// model.Body.
type Bodies int

// The choices.
const (
	NoBodies     Bodies = iota
	MirrorBodies        // of records that were made of a mirror: those with a Mirror-Part
	SentBodies          // of all: as served only of the former, of the others its length
	AllBodies
)

// Served gets the content of one record, as it would be served: without chunked framing and content
// codings. Its errors end the pass.
type Served interface {
	io.Writer

	// End says that the content is over. whole says that framing and codings were removed to its
	// end; otherwise what was written is a beginning at most, or nothing.
	End(whole bool) error
}

// fieldPart is the field in which the conversion of mirrors says what a record is
// (preserve/convert/mirror, FieldPart).
const fieldPart = "Mirror-Part"

// fieldStandard is the field that makes a metadata record a description
// (preserve/describe/warcmeta, FieldStandard).
const fieldStandard = "Description-Standard"

// fieldEvidence is the field in which quire dedup says from what it knows that a payload is stored
// (preserve/dedup).
const fieldEvidence = "Dedup-Evidence"

// bodies follows the two readings of a body that can be had again later: as sent, and as served. It
// digests both, when that is wanted of the record, and shows the second to who listens.
type bodies struct {
	wanted   Bodies
	listen   func(*entry) Served // nil where nobody does
	coding   *contentCoding
	on       bool // the digests are wanted of the present record
	both     bool // that of the content as served, too
	framed   bool // by its head, the body has framing or codings
	owed     bool // it has a coding that is not tried
	listener Served
	sent     hash.Hash
	served   hash.Hash // where it may differ
	length   int64
}

func newBodies(wanted Bodies, listen func(*entry) Served, coding *contentCoding) *bodies {
	return &bodies{wanted: wanted, listen: listen, coding: coding, sent: sha256.New(), served: sha256.New()}
}

// begin forgets the record before.
func (b *bodies) begin(e *entry) {
	b.both = b.wanted == AllBodies || b.wanted != NoBodies && e.warc != nil && e.warc.Has(fieldPart)
	b.on = b.both || b.wanted == SentBodies
	b.framed, b.owed, b.listener, b.length = false, false, nil, 0
	if b.on {
		b.sent.Reset()
		b.served.Reset()
	}
}

// head is told how the body is framed, before the first byte of it; nil where there is no head.
func (b *bodies) head(e *entry, h *http1.Head) {
	if h != nil {
		coded := len(codingsOf(h)) > 0
		b.framed, b.owed = h.Chunked() || coded, coded && h.StatusCode == partialContent
	}
	if b.listen != nil && !e.bodyAsSent() {
		b.listener = b.listen(e)
	}
}

// heard says whether somebody wants the content of the present record.
func (b *bodies) heard() bool { return b.listener != nil }

// asSent takes some of the body as it was sent.
func (b *bodies) asSent(p []byte) {
	if b.on {
		b.sent.Write(p) // a hash never fails
	}
}

// asServed takes some of the content.
func (b *bodies) asServed(p []byte) error {
	if b.owed {
		return nil // a part of a representation, still in its coding
	}
	if b.on && b.framed {
		if b.length += int64(len(p)); b.both {
			b.served.Write(p) // a hash never fails
		}
	}
	if b.listener == nil {
		return nil
	}
	_, err := b.listener.Write(p)
	return err
}

// end writes down what there was. dechunked says that chunked framing was declared and found,
// broken that it was damaged.
func (b *bodies) end(e *entry, dechunked, broken bool) error {
	whole := !e.cut && !broken && !b.owed && !e.bodyAsSent() && (!b.coding.on || b.coding.decoder.Whole())
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
	}
	return found
}

// stated is the reading that the digest in the header is of, as far as judgePayload found one.
func (b *bodies) stated(e *entry, r model.Reading) {
	if e.body != nil && e.warc.Has(warc.FieldPayloadDigest) {
		e.body.Stated = r
	}
}
