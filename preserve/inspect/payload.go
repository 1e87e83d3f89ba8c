package inspect

import (
	"errors"
	"fmt"
	"io"

	"quire/format/fault"
	"quire/format/http1"
	"quire/format/warc"
	"quire/model"
)

// payloadObserver takes the HTTP message of a block apart, and shows it to what looks at its parts:
//
//	block ─┬─ block digest
//	       └─ HTTP head | body ─┬─ digest of the body as sent
//	                            └─ without chunked framing ─┬─ digest of that
//	                                                        ├─ without content codings ── digest of that (coding.go)
//	                                                        ├─ the digests of what can be had again, who listens (bodies.go)
//	                                                        ├─ the window of what is identified (formats.go)
//	                                                        └─ the virus scanner (scans.go)
//
// A block that is no HTTP message is its own payload.
type payloadObserver struct {
	report   fault.Sink
	splitter *http1.Splitter
	payload  *http1.Payload
	isHTTP   bool
	framed   bool // the body goes through payload
	broken   bool // its chunked framing is damaged
	coding   *contentCoding
	formats  *formats  // nil when formats are not identified
	contents *contents // nil when payloads are not to be compared
	scans    *scans    // nil when payloads are not scanned
	bodies   *bodies

	block     check // WARC-Block-Digest
	raw       check // WARC-Payload-Digest, read as the body as sent, or the block when it is no HTTP message
	dechunked check // WARC-Payload-Digest, read as the body without chunked framing
	current   *entry
	seen      map[fault.Code]bool // HTTP faults of the present record: one of a kind is enough
}

func newPayloadObserver(report fault.Sink, formats *formats, contents bool) *payloadObserver {
	o := &payloadObserver{report: report, formats: formats, seen: map[fault.Code]bool{}}
	o.contents = newContents(contents, o)
	o.splitter = http1.NewSplitter(http1.Any, o.onHead)
	o.splitter.Report = o.httpFault
	o.payload = http1.NewPayload(nil, io.Discard)
	o.payload.Report = o.bodyFault
	o.coding = newContentCoding(o)
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

// bodyFault is httpFault for what lies behind the head: the end of a truncated record or a segment
// says nothing.
func (o *payloadObserver) bodyFault(f fault.Fault) {
	if !o.current.partial() {
		o.httpFault(f)
	}
}

func (o *payloadObserver) begin(e *entry) {
	o.current = e
	clear(o.seen)
	o.block.on, o.raw.on, o.dechunked.on, o.framed, o.broken = false, false, false, false, false
	o.coding.begin()
	o.formats.begin(e)
	o.contents.begin(e)
	o.bodies.begin(e)
	kind, isHTTP := e.isHTTP()
	o.isHTTP = isHTTP
	if isHTTP {
		o.splitter.Reset(kind)
	} else {
		o.bodies.head(e, nil)
	}
	if e.warc == nil {
		return
	}
	o.startCheck(&o.block, warc.FieldBlockDigest)
	// The payload digest of a revisit is that of the record it refers to (clause 6.7.2); of a
	// segment, that of the whole.
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
		if !want.Labelled {
			o.fault(FaultDigestLabel, "%s names no algorithm; by its length it is %s", field, want.Algorithm)
		}
		c.start(want)
		return
	}
	code := FaultDigestForm
	switch {
	case errors.Is(err, warc.ErrAlgorithm):
		code = FaultDigestAlgorithm
	case errors.Is(err, warc.ErrLetters) && field == warc.FieldBlockDigest: // no content has such a digest
		code = FaultDigestBlock
	case errors.Is(err, warc.ErrLetters):
		code = FaultDigestPayload
	}
	o.fault(code, "%s: %v", field, err)
}

// onHead is called when the HTTP head is complete, before the body.
func (o *payloadObserver) onHead(h *http1.Head) io.Writer {
	o.current.http = h
	o.contents.head(h)
	o.bodies.head(o.current, h)
	chunked := h != nil && h.Chunked()
	if o.current.bodyAsSent() {
		return unread{o}
	}
	coded := o.coding.start(o.current, h)
	if !chunked && !coded && !o.formats.wanted() && o.scans == nil && !o.bodies.heard() {
		return asSent{o}
	}
	if chunked && o.raw.on {
		o.dechunked.start(o.raw.want)
	}
	o.framed = true
	o.payload.Reset(h, content{o})
	return body{o}
}

// bodyAsSent says whether nothing is to be learnt from what the entry's body would be without
// framing and codings: a revisit has another's, a segment has some of it.
func (e *entry) bodyAsSent() bool {
	return e.kind == warc.TypeRevisit || e.warc != nil && e.warc.Has(warc.FieldSegmentNumber)
}

// asSent is where the body of a message goes of which no other reading is wanted.
type asSent struct{ o *payloadObserver }

func (a asSent) Write(p []byte) (int, error) {
	a.o.contents.sent(p)
	a.o.bodies.asSent(p)
	return a.o.raw.Write(p)
}

// unread is where a body goes that is neither unframed nor decoded. A virus may be in it all the
// same.
type unread struct{ o *payloadObserver }

func (u unread) Write(p []byte) (int, error) {
	u.o.scans.show(readSent, p)
	return asSent(u).Write(p)
}

// body is where the body of a message goes.
type body struct{ o *payloadObserver }

func (b body) Write(p []byte) (int, error) {
	asSent(b).Write(p) //nolint:errcheck // a hash never fails
	if b.o.payload.Dechunked() {
		b.o.scans.show(readStored, p)
	}
	return b.o.payload.Write(p) // fails only where the sinks behind it do, and they do not
}

// content is where the body goes without its chunked framing.
type content struct{ o *payloadObserver }

func (c content) Write(p []byte) (int, error) {
	c.o.dechunked.Write(p) //nolint:errcheck // a hash never fails
	c.o.contents.unframed(p)
	c.o.formats.asSent(p)
	c.o.scans.show(readSent, p)
	if c.o.coding.on {
		return c.o.coding.Write(p)
	}
	return len(p), c.o.bodies.asServed(p)
}

func (o *payloadObserver) chunk(p []byte) error {
	o.block.Write(p) //nolint:errcheck // a hash never fails
	if o.isHTTP {
		_, err := o.splitter.Write(p)
		return err
	}
	unread{o}.Write(p) //nolint:errcheck // a hash never fails
	o.formats.asSent(p)
	return o.bodies.asServed(p)
}

func (o *payloadObserver) end(e *entry) error {
	e.payload = e.read
	if o.isHTTP {
		if err := o.endMessage(e); err != nil {
			return err
		}
	}
	o.formats.end(e)
	o.contents.end(e, o.framed && o.payload.Dechunked())
	if err := o.bodies.end(e, o.framed && o.payload.Dechunked(), o.broken); err != nil {
		return err
	}
	if err := o.scans.end(e, o); err != nil {
		return err
	}
	if e.cut {
		return nil // a digest of half a block says nothing that the cut does not say
	}
	o.judgeBlock(e)
	if o.raw.on {
		o.bodies.stated(e, o.judgePayload(e))
	}
	return nil
}

func (o *payloadObserver) endMessage(e *entry) error {
	if err := o.splitter.Close(); err != nil {
		return err
	}
	e.payload = max(0, e.read-o.splitter.HeadLength())
	if o.framed {
		var broken *http1.ChunkError
		err := o.payload.Close()
		if o.broken = errors.As(err, &broken); err != nil && !o.broken {
			return err
		}
	}
	if e.http != nil && e.kind == warc.TypeResponse && !e.cut && !e.partial() {
		e.http.CheckLength(e.payload, o.httpFault)
	}
	return o.coding.end()
}

// judgePayload compares the payload digest with each of its readings, and gives the one that it is
// of.
//
// The standard means the entity without its chunked framing, in the codings in which it was sent
// (ISO 28500:2017, 5.9; iipc/warc-specifications issue 22). Many crawlers digest the body as sent,
// and some what they show. The finding says which reading fits.
func (o *payloadObserver) judgePayload(e *entry) model.Reading {
	framed := o.dechunked.on && o.payload.Dechunked()
	decoded := o.coding.digest()
	stated := e.warc.Get(warc.FieldPayloadDigest)
	switch {
	case framed && o.dechunked.fits():
		return model.ReadPayload
	case !framed && o.raw.fits():
		return model.ReadSent
	case o.coding.transfer && decoded != nil && decoded.fits():
	case e.partial() && o.raw.fits():
		return model.ReadSent
	case e.partial() && decoded != nil && decoded.fits():
	case framed && o.raw.fits():
		o.fault(FaultDigestFramed,
			"WARC-Payload-Digest is that of the body as sent; without its chunked framing the payload gives %s",
			o.found(&o.dechunked))
		return model.ReadSent
	case decoded != nil && decoded.fits():
		o.fault(FaultDigestDecoded,
			"WARC-Payload-Digest is that of the body decoded (%s); as it was sent, the payload gives %s",
			o.coding.names(), o.found(o.standing(framed)))
	case o.ofBlock():
		o.fault(FaultDigestPayloadOfBlock,
			"WARC-Payload-Digest is that of the whole block; behind its head the payload gives %s",
			o.found(o.standing(framed)))
		return model.ReadBlock
	default:
		o.fault(FaultDigestPayload, "WARC-Payload-Digest is %s, the payload gives %s%s", stated,
			o.found(o.standing(framed)), o.otherReadings(framed, decoded))
		return model.ReadNone
	}
	return model.ReadServed
}

// standing is the reading that the standard means.
func (o *payloadObserver) standing(framed bool) *check {
	if framed {
		return &o.dechunked
	}
	return &o.raw
}

func (o *payloadObserver) otherReadings(framed bool, decoded *check) string {
	text := ""
	if framed {
		text = "; as sent, with its chunked framing, " + o.found(&o.raw)
	}
	if decoded != nil {
		text += fmt.Sprintf("; decoded (%s), %s", o.coding.names(), o.found(decoded))
	}
	return text
}

func (o *payloadObserver) found(c *check) string {
	return warc.FormatDigest(c.want.Algorithm, c.sum())
}

func (o *payloadObserver) fault(code fault.Code, format string, args ...any) {
	o.report.Add(fault.Fault{Code: code, Offset: o.current.offset, Record: o.current.id,
		Detail: fmt.Sprintf(format, args...)})
}
