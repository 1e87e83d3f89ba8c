package arc

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
	err     error // why the header is missing
	length  int64 // of the head: where the body begins in the block
	begin   int   // bytes of the block that were to be read again, and
	read    int64 // all that were read from the file, when the head was
	payload io.Reader
	decoded io.Reader
}

// HTTP returns the header of the HTTP message in the block of a record with an http or https URL.
// The header has the status line, and the fields as served, with their order and spelling. Call
// HTTP before the block is read; Read still returns the whole block afterwards. The error is
// ErrNotHTTP for other records. It is http1.ErrNoHead for a block without a status line, as in
// HTTP/0.9.
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
	if rec.closed || rec.given > 0 {
		return nil, rec.wrap(ErrBlockRead)
	}
	scheme, _, _ := strings.Cut(strings.ToLower(rec.URL[:min(len(rec.URL), len("https:"))]), ":")
	if scheme != "http" && scheme != "https" {
		rec.message = &message{err: rec.wrap(ErrNotHTTP)}
		return rec.message, nil
	}
	found, err := rec.r.message.Open(rec, http1.Response, rec.messageFault)
	rec.replay = found.Begin
	if err != nil {
		return nil, err
	}
	m := &message{head: found.Head, length: found.HeadLength, begin: len(found.Begin), read: rec.given}
	if m.head == nil {
		m.err = rec.wrap(http1.ErrNoHead)
	}
	rec.message = m
	return m, nil
}

// Payload returns the body of the HTTP message without its transfer coding, and the whole block of
// any other record. Content codings stay; see DecodedPayload. Call it, or HTTP, before the block is
// read. It takes from the same block as Read: use one of them. Reading ends in a *http1.ChunkError
// where chunked framing breaks off.
func (rec *Record) Payload() (io.Reader, error) {
	m, err := rec.openMessage()
	if err != nil {
		return nil, err
	}
	if m.payload == nil {
		if rec.closed || len(rec.replay) != m.begin || rec.given != m.read {
			return nil, rec.wrap(ErrBlockRead)
		}
		if _, err := io.CopyN(io.Discard, rec, m.length); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		m.payload = rec.r.message.Payload(m.head, rec, rec.messageFault)
	}
	return m.payload, nil
}

// DecodedPayload returns the payload without its content codings: gzip, deflate, br and zstd. If
// the payload is not in the coding that its header names, it is returned unchanged, and a fault is
// reported. If the coded data is damaged or truncated, reading ends with a [fault.Fault] that
// describes the problem. The decoded size has no limit; the caller must set one.
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
	f.Offset, f.Record = rec.Offset, rec.URL
	rec.r.Report.Add(f)
}

func (rec *Record) wrap(err error) error {
	return fmt.Errorf("arc: record %s at byte %d: %w", quote(rec.URL), rec.Offset, err)
}
