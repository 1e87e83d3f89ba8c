package warc

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"quire/format/fault"
	"quire/format/http1"
)

var (
	// ErrNotHTTP is the error of Record.HTTP for a record whose block is not an HTTP message.
	ErrNotHTTP = errors.New("the block is not an HTTP message")
	// ErrBlockRead is the error of methods that have to see the block before any of it is read.
	ErrBlockRead = errors.New("the block was read already; ask before the first Read")
)

// message is the HTTP message of a record.
type message struct {
	head    *http1.Head
	err     error // the reason why head is nil
	length  int64 // of the head: where the body begins in the block
	begin   int   // bytes of the block that were to be read again, and
	read    int64 // all that were read from the file, when the head was
	payload io.Reader
	decoded io.Reader
}

// IsHTTP reports whether the block is an HTTP message, and returns the kind of message. The
// Content-Type of the record determines this. If it is missing, the type of the record and the
// scheme of its URI determine it (clause 6.3.2).
func (h *Header) IsHTTP() (http1.Kind, bool) {
	contentType := h.Get(FieldContentType)
	media, params, _ := strings.Cut(contentType, ";")
	if !strings.EqualFold(strings.TrimSpace(media), "application/http") {
		uri := h.TargetURI()
		web := len(uri) >= 8 && (strings.EqualFold(uri[:7], "http://") || strings.EqualFold(uri[:8], "https://"))
		return http1.Response, contentType == "" && strings.EqualFold(h.Type(), TypeResponse) && web
	}
	if strings.EqualFold(h.Type(), TypeRequest) || strings.Contains(strings.ToLower(params), "msgtype=request") {
		return http1.Request, true
	}
	return http1.Response, true
}

// HTTP returns the head of the HTTP message in the block: the start line and the fields, in the
// order and spelling in which they were served. Call HTTP before the block is read. Read still
// returns the complete block afterwards. The error is ErrNotHTTP if the block is not an HTTP
// message. It is http1.ErrNoHead if the block has no start line, as in HTTP/0.9.
func (rec *Record) HTTP() (*http1.Head, error) {
	m, err := rec.openMessage()
	if err != nil {
		return nil, err
	}
	return m.head, m.err
}

// openMessage reads the head of the message, once. The error is one of reading.
func (rec *Record) openMessage() (*message, error) {
	if rec.message != nil {
		return rec.message, nil
	}
	if rec.closed || rec.BlockRead > 0 {
		return nil, rec.wrap(ErrBlockRead)
	}
	kind, is := rec.IsHTTP()
	if !is {
		rec.message = &message{err: rec.wrap(ErrNotHTTP)}
		return rec.message, nil
	}
	found, err := rec.r.message.Open(rec, kind, rec.messageFault)
	rec.replay = found.Begin
	if err != nil {
		return nil, rec.wrap(err)
	}
	m := &message{head: found.Head, length: found.HeadLength, begin: len(found.Begin), read: rec.BlockRead}
	if m.head == nil {
		m.err = rec.wrap(http1.ErrNoHead)
	}
	rec.message = m
	return m, nil
}

// Payload returns the payload as clause 6.3.2 means it: the body of an HTTP message without its
// transfer coding, and the whole block of any other record. Content codings stay; see
// DecodedPayload. Call it, or HTTP, before the block is read. It takes from the same block as Read:
// use one of them.
//
// Reading ends in io.ErrUnexpectedEOF where the block is cut short, and in a *http1.ChunkError
// where chunked framing breaks off.
func (rec *Record) Payload() (io.Reader, error) {
	m, err := rec.openMessage()
	if err != nil {
		return nil, err
	}
	if m.payload == nil {
		if rec.closed || len(rec.replay) != m.begin || rec.BlockRead != m.read {
			return nil, rec.wrap(ErrBlockRead)
		}
		body := &bodyReader{rec: rec, skip: m.length}
		m.payload = rec.r.message.Payload(m.head, body, rec.messageFault)
	}
	return m.payload, nil
}

// DecodedPayload returns the payload without its content codings: gzip, deflate, br and zstd. If
// the payload is not in the coding that its head names, DecodedPayload returns it unchanged and
// reports a fault. If the encoded data is damaged or incomplete, reading ends with a [fault.Fault]
// that states the reason. The caller must limit the amount read, because the size of the decoded
// payload is not bounded.
func (rec *Record) DecodedPayload() (io.Reader, error) {
	payload, err := rec.Payload()
	if err != nil {
		return nil, err
	}
	m := rec.message
	if m.decoded == nil {
		if m.decoded, err = rec.r.message.Decoded(m.head, payload, rec.messageFault); err != nil {
			return nil, rec.wrap(err)
		}
	}
	return m.decoded, nil
}

func (rec *Record) messageFault(f fault.Fault) {
	f.Offset, f.Record = rec.Offset, rec.ID()
	rec.r.Report.Add(f) // not an error even if Strict: the rules of HTTP are not rules of WARC
}

func (rec *Record) wrap(err error) error {
	return fmt.Errorf("record %s at byte %d: %w", rec.ID(), rec.Offset, err)
}

// bodyReader reads the part of the block after the head.
type bodyReader struct {
	rec  *Record
	skip int64
}

func (b *bodyReader) pass() error {
	for b.skip > 0 {
		chunk, err := b.rec.Chunk(b.skip)
		if err != nil {
			return err
		}
		b.skip -= int64(len(chunk))
	}
	return nil
}

// Read implements io.Reader.
func (b *bodyReader) Read(p []byte) (int, error) {
	if err := b.pass(); err != nil {
		return 0, err
	}
	return b.rec.Read(p)
}

// WriteTo implements io.WriterTo.
func (b *bodyReader) WriteTo(w io.Writer) (int64, error) {
	switch err := b.pass(); {
	case errors.Is(err, io.EOF):
		return 0, nil
	case err != nil:
		return 0, err
	}
	return b.rec.WriteTo(w)
}
