package warc

import (
	"bytes"
	"errors"
	"fmt"
	"hash"
	"io"

	"quire/format/http1"
)

// Verification is the result of comparing the digests of a record with its bytes.
type Verification struct {
	Block, Payload Comparison
}

// Comparison is a digest that a record states, and the digest computed from its bytes.
type Comparison struct {
	Outcome Outcome
	Field   string // WARC-Block-Digest or WARC-Payload-Digest
	Stated  string // as found
	Actual  string // of the bytes, written as FormatDigest does; "" where none was computed
	Err     error  // why the stated digest cannot be compared, where Unknown
}

// Outcome is the outcome of a Comparison.
type Outcome int

const (
	// NotStated means that the record states no digest, or one that is not of its own bytes: the
	// payload digest of a revisit, a continuation or a segment.
	NotStated Outcome = iota
	// Match means that the stated digest is the digest of the bytes.
	Match
	// MatchAsSent means that the payload digest was computed over the body with its chunked
	// framing. Many crawlers do this. The standard requires the body without the framing (5.9;
	// warc-specifications issue 22).
	MatchAsSent
	// Mismatch means that the stated digest is not the digest of the bytes.
	Mismatch
	// Unknown means that the field has an unknown algorithm, or is malformed.
	Unknown
	// Incomplete means that the block is cut short, so that no digest can be compared.
	Incomplete
)

var outcomes = [...]string{"not stated", "match", "match as sent", "mismatch", "unknown", "incomplete"}

// String returns the name of the outcome.
func (o Outcome) String() string { return outcomes[o] }

// Err returns an error unless both digests match or are not stated.
func (v Verification) Err() error { return errors.Join(v.Block.err(), v.Payload.err()) }

func (c Comparison) err() error {
	switch c.Outcome {
	case Mismatch:
		return fmt.Errorf("%s is %s, the bytes give %s", c.Field, c.Stated, c.Actual)
	case Unknown:
		return fmt.Errorf("%s: %w", c.Field, c.Err)
	case Incomplete:
		return fmt.Errorf("%s cannot be compared: the block is cut short", c.Field)
	}
	return nil
}

// Verify reads the block to its end and compares it with the digests that the record states. The
// block is copied to w, which may be nil. Call it before the block is read. The error is one of
// reading or writing; see [Verification.Err] for the digests.
func (rec *Record) Verify(w io.Writer) (Verification, error) {
	m, err := rec.openMessage()
	if err != nil {
		return Verification{}, err
	}
	if len(rec.replay) != m.begin || rec.BlockRead != m.read {
		return Verification{}, rec.wrap(ErrBlockRead)
	}
	block, raw, unframed := newComparing(&rec.Header, FieldBlockDigest), newComparing(nil, ""), newComparing(nil, "")
	if rec.hasOwnPayload() {
		raw = newComparing(&rec.Header, FieldPayloadDigest)
		unframed = newComparing(&rec.Header, FieldPayloadDigest)
	}
	body := http1.NewPayload(m.head, unframed)
	split := &behind{skip: m.length, to: func(p []byte) {
		_, _ = raw.Write(p)  // a hash never fails,
		_, _ = body.Write(p) // and neither does the framing before it
	}}
	to := []io.Writer{block, split}
	if w != nil {
		to = append(to, w)
	}
	_, err = rec.WriteTo(io.MultiWriter(to...))
	cut := errors.Is(err, io.ErrUnexpectedEOF)
	if err != nil && !cut {
		return Verification{}, rec.wrap(err)
	}
	_ = body.Close() // broken framing gives another digest
	v := Verification{Block: block.compare(cut), Payload: unframed.compare(cut)}
	if body.Dechunked() && v.Payload.Outcome == Mismatch && raw.compare(cut).Outcome == Match {
		v.Payload.Outcome = MatchAsSent
	}
	return v, nil
}

// hasOwnPayload reports whether the payload digest describes this record's own payload. In a
// revisit, it describes the payload of the record that the revisit refers to (clause 6.7.2). In a
// segment, it describes the payload of the whole record.
func (h *Header) hasOwnPayload() bool {
	switch h.Type() {
	case TypeRevisit, TypeContinuation:
		return false
	}
	return !h.Has(FieldSegmentNumber)
}

// comparing computes the digest that a field states.
type comparing struct {
	c    Comparison
	want Digest
	hash hash.Hash // nil when there is nothing to compare
}

func newComparing(h *Header, name string) *comparing {
	c := &comparing{c: Comparison{Field: name}}
	if h == nil {
		return c
	}
	c.c.Stated = h.Get(name)
	var err error
	switch c.want, err = ParseDigest(c.c.Stated); {
	case c.c.Stated == "":
	case err != nil:
		c.c.Outcome, c.c.Err = Unknown, err
	default:
		c.hash = NewHash(c.want.Algorithm)
	}
	return c
}

// Write implements io.Writer.
func (c *comparing) Write(p []byte) (int, error) {
	if c.hash != nil {
		return c.hash.Write(p)
	}
	return len(p), nil
}

func (c *comparing) compare(cut bool) Comparison {
	switch {
	case c.hash == nil:
		return c.c
	case cut:
		c.c.Outcome = Incomplete
		return c.c
	}
	sum := c.hash.Sum(nil)
	c.c.Actual, c.c.Outcome = FormatDigest(c.want.Algorithm, sum), Mismatch
	if bytes.Equal(sum, c.want.Sum) {
		c.c.Outcome = Match
	}
	return c.c
}

// behind skips the first skip bytes and passes on all later bytes.
type behind struct {
	skip int64
	to   func([]byte)
}

// Write implements io.Writer.
func (b *behind) Write(p []byte) (int, error) {
	n := min(b.skip, int64(len(p)))
	b.skip -= n
	b.to(p[n:])
	return len(p), nil
}
