package inspect

import (
	"errors"
	"fmt"
	"io"

	"quire/format/fault"
	"quire/format/http1"
	"quire/format/warc"
	"quire/internal/sha1pair"
	"quire/model"
)

// payloadObserver parses the HTTP message of a block, and passes its parts to other observers:
//
//	block ─┬─ block digest
//	       └─ HTTP head | body ─┬─ digest of the body as sent
//	                            └─ without chunked framing ─┬─ digest of the unframed body
//	                                                        ├─ without content codings ── its digest (coding.go)
//	                                                        ├─ digests as sent and as served; listener (bodies.go)
//	                                                        ├─ the windows for formats.go and languages.go
//	                                                        └─ the virus scanner (scans.go)
//
// A block without an HTTP message is its own payload.
type payloadObserver struct {
	report   fault.Sink
	splitter *http1.Splitter
	payload  *http1.Payload
	isHTTP   bool
	framed   bool // the body is written to payload
	broken   bool // its chunked framing is damaged
	coding   *contentCoding
	formats  *formats  // nil if formats are not identified
	contents *contents // nil if payloads are not compared
	scans    *scans    // nil if payloads are not scanned
	bodies   *bodies
	texts    *languages // nil if languages are not counted

	block     check  // WARC-Block-Digest
	waiting   []byte // the current chunk, until the block digest has it (digestpair.go)
	pair      sha1pair.Pair
	raw       check // WARC-Payload-Digest, for the body as sent, or for a block without HTTP
	dechunked check // WARC-Payload-Digest, for the body without chunked framing
	current   *entry
	seen      map[fault.Code]bool // HTTP faults of the current record: one of a kind is enough
	heads     heads
	bodiless  bool         // the current record is a response of a WARC file, and its body has no bytes
	lacks     *fault.Fault // it declares a body; nil if not
}

func newPayloadObserver(report fault.Sink, formats *formats, contents bool) *payloadObserver {
	o := &payloadObserver{report: report, formats: formats, seen: map[fault.Code]bool{}}
	o.heads.report = report
	o.contents = newContents(contents, o)
	o.splitter = http1.NewSplitter(http1.Any, o.onHead)
	o.splitter.Report = o.httpFault
	o.payload = http1.NewPayload(nil, io.Discard)
	o.payload.Report = o.bodyFault
	o.coding = newContentCoding(o)
	return o
}

// httpFault reports a fault of the HTTP message at its record.
func (o *payloadObserver) httpFault(f fault.Fault) {
	if o.seen[f.Code] || o.current.cut { // faults at the end of half a message follow from the truncation
		return
	}
	o.seen[f.Code] = true
	f.Offset, f.Record = o.current.offset, o.current.id
	if o.bodiless && f.Code == http1.BodyShort {
		o.lacks = &f
		return
	}
	o.report.Add(f)
}

// bodyFault is httpFault for the bytes after the head: the end of a truncated record or a segment
// is not a fault.
func (o *payloadObserver) bodyFault(f fault.Fault) {
	if !o.current.partial() {
		o.httpFault(f)
	}
}

func (o *payloadObserver) begin(e *entry) {
	o.current = e
	clear(o.seen)
	o.bodiless, o.lacks = false, nil
	o.block.on, o.raw.on, o.dechunked.on, o.framed, o.broken = false, false, false, false, false
	o.coding.begin()
	o.formats.begin(e)
	o.contents.begin(e)
	o.bodies.begin(e)
	o.texts.begin()
	kind, isHTTP := e.isHTTP()
	o.isHTTP = isHTTP
	if isHTTP {
		o.splitter.Reset(kind)
	} else {
		o.bodies.head(e, nil)
		o.texts.head(e, nil)
	}
	if e.warc == nil {
		return
	}
	o.startCheck(&o.block, warc.FieldBlockDigest)
	// The payload digest of a revisit is the digest of the record to which it refers (clause
	// 6.7.2). The payload digest of a segment is the digest of the whole payload. Neither can be
	// checked here.
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
			o.fault(FaultDigestLabel, "%s names no algorithm; its length is that of %s", field, want.Algorithm)
		}
		c.start(want)
		return
	}
	code := FaultDigestForm
	switch {
	case errors.Is(err, warc.ErrAlgorithm):
		code = FaultDigestAlgorithm
	case errors.Is(err, warc.ErrLetters) && field == warc.FieldBlockDigest: // no content can have this digest
		code = FaultDigestBlock
	case errors.Is(err, warc.ErrLetters):
		code = FaultDigestPayload
	}
	o.fault(code, "%s: %v", field, err)
}

// onHead is called after the HTTP head, before the body.
func (o *payloadObserver) onHead(h *http1.Head) io.Writer {
	o.current.http = h
	o.contents.head(h)
	o.bodies.head(o.current, h)
	o.texts.head(o.current, h)
	chunked := h != nil && h.Chunked()
	if o.current.bodyAsSent() {
		return unread{o}
	}
	coded := o.coding.start(o.current, h)
	if !chunked && !coded && !o.formats.wanted() && o.scans == nil && !o.bodies.heard() && !o.texts.wanted() {
		return asSent{o}
	}
	if chunked && o.raw.on {
		o.dechunked.start(o.raw.want)
	}
	o.framed = true
	o.payload.Reset(h, content{o})
	return body{o}
}

// bodyAsSent reports whether the entry's body is read only as sent: a revisit has the payload of
// another record, and a segment has only part of one.
func (e *entry) bodyAsSent() bool {
	return e.kind == warc.TypeRevisit || e.warc != nil && e.warc.Has(warc.FieldSegmentNumber)
}

// asSent receives the body of a message that is read only as sent.
type asSent struct{ o *payloadObserver }

func (a asSent) Write(p []byte) (int, error) {
	a.o.contents.sent(p)
	a.o.bodies.asSent(p)
	a.o.digestPayload(p)
	return len(p), nil
}

// unread receives a body as sent, without removing its framing or decoding it. The body may still
// contain a virus.
type unread struct{ o *payloadObserver }

func (u unread) Write(p []byte) (int, error) {
	u.o.scans.show(readSent, p)
	return asSent(u).Write(p)
}

// body receives the body of a message.
type body struct{ o *payloadObserver }

func (b body) Write(p []byte) (int, error) {
	asSent(b).Write(p) //nolint:errcheck // a hash never fails
	if b.o.payload.Dechunked() {
		b.o.scans.show(readStored, p)
	}
	return b.o.payload.Write(p) // fails only if its sinks fail, and they do not
}

// content receives the body without its chunked framing.
type content struct{ o *payloadObserver }

func (c content) Write(p []byte) (int, error) {
	c.o.dechunked.Write(p) //nolint:errcheck // a hash never fails
	c.o.contents.unframed(p)
	c.o.formats.asSent(p)
	c.o.scans.show(readSent, p)
	if c.o.coding.on {
		return c.o.coding.Write(p)
	}
	return len(p), c.o.served(p)
}

func (o *payloadObserver) chunk(p []byte) error {
	o.digestBlock(p)
	defer o.finishBlock()
	if o.isHTTP {
		_, err := o.splitter.Write(p)
		return err
	}
	unread{o}.Write(p) //nolint:errcheck // a hash never fails
	o.formats.asSent(p)
	return o.served(p)
}

// served receives bytes of the content without its framing and codings.
func (o *payloadObserver) served(p []byte) error {
	o.texts.served(p)
	return o.bodies.asServed(p)
}

func (o *payloadObserver) end(e *entry) error {
	e.payload = e.read
	if o.isHTTP {
		if err := o.endMessage(e); err != nil {
			return err
		}
	}
	o.heads.end(e, o.lacks)
	if err := o.bodies.end(e, o.framed && o.payload.Dechunked(), o.broken); err != nil {
		return err
	}
	o.formats.end(e) // with the digest of bodies
	o.texts.end(e)
	o.contents.end(e, o.framed && o.payload.Dechunked())
	if err := o.scans.end(e, o); err != nil {
		return err
	}
	if e.cut {
		return nil // a digest of half a block adds nothing to the truncation
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
	o.bodiless = e.payload == 0 && e.warc != nil
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

// judgePayload compares the payload digest with each of its readings, and returns the matching one.
//
// The standard means the entity without its chunked framing, with the content codings as sent (ISO
// 28500:2017, 5.9; iipc/warc-specifications issue 22). Many crawlers digest the body as sent, and
// some the decoded page. The finding states the matching reading.
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
			"WARC-Payload-Digest is that of the body as sent; that of the payload without chunked "+
				"framing is %s",
			o.found(&o.dechunked))
		return model.ReadSent
	case decoded != nil && decoded.fits():
		o.fault(FaultDigestDecoded,
			"WARC-Payload-Digest is that of the decoded body (%s); that of the payload as sent is %s",
			o.coding.names(), o.found(o.standardReading(framed)))
	case o.ofBlock():
		o.fault(FaultDigestPayloadOfBlock,
			"WARC-Payload-Digest is that of the whole block; that of the payload after its head is %s",
			o.found(o.standardReading(framed)))
		return model.ReadBlock
	default:
		o.fault(FaultDigestPayload, "WARC-Payload-Digest is %s, but that of the payload is %s%s", stated,
			o.found(o.standardReading(framed)), o.otherReadings(framed, decoded))
		return model.ReadNone
	}
	return model.ReadServed
}

// standardReading returns the reading that the standard means.
func (o *payloadObserver) standardReading(framed bool) *check {
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
