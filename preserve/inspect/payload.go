package inspect

import (
	"bytes"
	"errors"
	"fmt"
	"hash"
	"io"

	"quire/format/fault"
	"quire/format/http1"
	"quire/format/warc"
)

// payloadObserver takes the HTTP message of a block apart and checks the digests that the record carries.
//
// A block digest is of the block as it stands. A payload digest is of the HTTP entity; the standard means the entity
// without its chunked framing (iipc/warc-specifications issue 22), but many crawlers digest the body as sent. Both readings
// are computed when they differ, and the finding says which one fits.
type payloadObserver struct {
	report   fault.Sink
	splitter *http1.Splitter
	payload  *http1.Payload
	isHTTP   bool
	framed   bool // the body goes through payload

	block     check // WARC-Block-Digest
	raw       check // WARC-Payload-Digest, read as the body as sent, or the block when it is no HTTP message
	dechunked check // WARC-Payload-Digest, read as the body without chunked framing
	current   *entry
	seen      map[fault.Code]bool // HTTP faults of the present record: one of a kind is enough
}

// check is a digest being recomputed.
type check struct {
	want   warc.Digest
	on     bool
	hash   hash.Hash
	hashes map[string]hash.Hash // by algorithm, kept from record to record
}

func (c *check) start(want warc.Digest) {
	if c.hashes == nil {
		c.hashes = map[string]hash.Hash{}
	}
	if c.hashes[want.Algorithm] == nil {
		c.hashes[want.Algorithm] = warc.NewHash(want.Algorithm)
	}
	c.want, c.on, c.hash = want, true, c.hashes[want.Algorithm]
	c.hash.Reset()
}

func (c *check) Write(p []byte) (int, error) {
	if c.on {
		c.hash.Write(p) // a hash never fails
	}
	return len(p), nil
}

func (c *check) sum() []byte { return c.hash.Sum(nil) }

func (c *check) fits() bool { return bytes.Equal(c.sum(), c.want.Sum) }

func newPayloadObserver(report fault.Sink) *payloadObserver {
	o := &payloadObserver{report: report, seen: map[fault.Code]bool{}}
	o.splitter = http1.NewSplitter(http1.Any, o.onHead)
	o.splitter.Report = o.httpFault
	o.payload = http1.NewPayload(nil, io.Discard)
	o.payload.Report = o.httpFault
	return o
}

// httpFault places a fault of the HTTP message at its record.
func (o *payloadObserver) httpFault(f fault.Fault) {
	if o.seen[f.Code] || o.current.cut { // what half a message lacks at its end says nothing that the cut does not say
		return
	}
	o.seen[f.Code] = true
	f.Offset, f.Record = o.current.offset, o.current.id
	o.report.Add(f)
}

func (o *payloadObserver) begin(e *entry) {
	o.current = e
	clear(o.seen)
	o.block.on, o.raw.on, o.dechunked.on, o.framed = false, false, false, false
	kind, isHTTP := e.isHTTP()
	o.isHTTP = isHTTP
	if isHTTP {
		o.splitter.Reset(kind)
	}
	if e.warc == nil {
		return
	}
	o.startCheck(&o.block, warc.FieldBlockDigest)
	// The payload digest of a revisit is that of the record it refers to (clause 6.7.2); of a segment, that of the whole.
	if e.kind != warc.TypeRevisit && e.kind != warc.TypeContinuation && !e.warc.Has(warc.FieldSegmentNumber) {
		o.startCheck(&o.raw, warc.FieldPayloadDigest)
	}
}

func (o *payloadObserver) startCheck(c *check, field string) {
	value := o.current.warc.Get(field)
	if value == "" {
		return
	}
	want, err := warc.ParseDigest(value)
	if err == nil {
		c.start(want)
		return
	}
	code := FaultDigestForm
	if errors.Is(err, warc.ErrAlgorithm) {
		code = FaultDigestAlgorithm
	}
	o.fault(code, "%s: %v", field, err)
}

// onHead is called when the HTTP head is complete, before the body.
func (o *payloadObserver) onHead(h *http1.Head) io.Writer {
	o.current.http = h
	if h == nil || !h.Chunked() || o.current.partial() || o.current.kind == warc.TypeRevisit {
		return &o.raw
	}
	if o.raw.on {
		o.dechunked.start(o.raw.want)
	}
	o.framed = true
	o.payload.Reset(h, &o.dechunked)
	return body{o}
}

// body passes the body of a chunked message to both readings of its payload.
type body struct{ o *payloadObserver }

func (b body) Write(p []byte) (int, error) {
	b.o.raw.Write(p)            //nolint:errcheck // a hash never fails
	return b.o.payload.Write(p) // fails only where the hash does
}

func (o *payloadObserver) chunk(p []byte) error {
	o.block.Write(p) //nolint:errcheck // a hash never fails
	if o.isHTTP {
		_, err := o.splitter.Write(p)
		return err
	}
	o.raw.Write(p) //nolint:errcheck // a hash never fails
	return nil
}

func (o *payloadObserver) end(e *entry) error {
	e.payload = e.read
	if o.isHTTP {
		if err := o.endMessage(e); err != nil {
			return err
		}
	}
	if e.cut {
		return nil // a digest of half a block says nothing that the cut does not say
	}
	if o.block.on && !o.block.fits() {
		o.fault(FaultDigestBlock, "WARC-Block-Digest is %s, the block gives %s", e.warc.Get(warc.FieldBlockDigest), o.found(&o.block))
	}
	if o.raw.on {
		o.judgePayload(e)
	}
	return nil
}

func (o *payloadObserver) endMessage(e *entry) error {
	if err := o.splitter.Close(); err != nil {
		return err
	}
	e.payload = e.read - o.splitter.HeadLength()
	if o.framed {
		var broken *http1.ChunkError
		if err := o.payload.Close(); err != nil && !errors.As(err, &broken) {
			return err
		}
	}
	if e.http != nil && e.kind == warc.TypeResponse && !e.cut && !e.partial() {
		e.http.CheckLength(e.payload, o.httpFault)
	}
	return nil
}

// judgePayload compares the payload digest with both its readings.
func (o *payloadObserver) judgePayload(e *entry) {
	framed := o.dechunked.on && o.payload.Dechunked()
	switch {
	case framed && o.dechunked.fits():
	case framed && o.raw.fits():
		o.fault(FaultDigestFramed, "WARC-Payload-Digest is that of the body as sent; without its chunked framing the payload gives %s", o.found(&o.dechunked))
	case framed:
		o.fault(FaultDigestPayload, "WARC-Payload-Digest is %s, the payload gives %s; as sent, with its chunked framing, %s",
			e.warc.Get(warc.FieldPayloadDigest), o.found(&o.dechunked), o.found(&o.raw))
	case !o.raw.fits():
		o.fault(FaultDigestPayload, "WARC-Payload-Digest is %s, the payload gives %s", e.warc.Get(warc.FieldPayloadDigest), o.found(&o.raw))
	}
}

func (o *payloadObserver) found(c *check) string {
	return warc.FormatDigest(c.want.Algorithm, c.sum())
}

func (o *payloadObserver) fault(code fault.Code, format string, args ...any) {
	o.report.Add(fault.Fault{Code: code, Offset: o.current.offset, Record: o.current.id, Detail: fmt.Sprintf(format, args...)})
}
