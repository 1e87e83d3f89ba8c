package http1

import (
	"fmt"
	"io"

	"quire/format/fault"
)

// maxChunkLine bounds a chunk-size line with its extensions, in bytes.
const maxChunkLine = 4096

// maxChunk bounds the size that a chunk may state, in bytes, far below the overflow of 64 bits.
const maxChunk = 1 << 58

// NotChunkedError means that a body is not chunked although its head states that it is. No bytes
// were passed on. The payload is the raw body: Prefix, then the bytes of the failed Write, then the
// rest.
type NotChunkedError struct {
	Prefix []byte // bytes of earlier Writes; at most 4 KiB
	Detail string
}

// Error returns a message with the text found in place of the first chunk size.
func (e *NotChunkedError) Error() string { return "http1: body is not chunked: " + e.Detail }

// ChunkError means that a chunked body cannot be decoded to its end. The content before the error
// was passed on.
type ChunkError struct {
	Offset int64 // within the body, as sent
	Detail string
}

// Error returns a message with the problem and its place.
func (e *ChunkError) Error() string {
	return fmt.Sprintf("http1: chunked body is invalid at byte %d: %s", e.Offset, e.Detail)
}

// Dechunker removes the chunked transfer coding (RFC 9112, 7.1). The body is written to it, in
// pieces of any size, and it passes the content on. It accepts bare LF, white space, missing line
// ends and bytes after the end, and reports them as faults.
type Dechunker struct {
	Report fault.Sink // may be nil

	sink   io.Writer
	state  chunkState
	left   int64  // of the current chunk; while its size is read, the size so far
	line   int    // length of the current line so far
	at     int64  // bytes consumed
	sure   bool   // the first chunk-size line was valid
	prefix []byte // bytes consumed before that
	out    int64
	tally  tally
	after  int64
	err    error
}

type chunkState int

const (
	chunkStart chunkState = iota // before the first digit of a size
	chunkSize                    // in the digits
	chunkSpace                   // in white space after them
	chunkExt                     // in the extensions
	chunkData
	chunkEnd     // after the data, before its CRLF
	trailerStart // at the start of a line after the last chunk
	trailerLine
	chunkDone
)

// NewDechunker returns a Dechunker that passes the content on to sink.
func NewDechunker(sink io.Writer) *Dechunker {
	return &Dechunker{sink: sink}
}

// Reset makes the Dechunker ready for another body. Report and buffers stay.
func (d *Dechunker) Reset(sink io.Writer) {
	*d = Dechunker{Report: d.Report, sink: sink, prefix: d.prefix[:0]}
}

// Size returns the number of content bytes passed on.
func (d *Dechunker) Size() int64 { return d.out }

// Write decodes the next bytes of the body. It fails with a [*NotChunkedError], a [*ChunkError] or
// the error of the sink. All later calls then fail too.
func (d *Dechunker) Write(p []byte) (int, error) {
	rest := p
	for len(rest) > 0 && d.err == nil {
		rest = rest[d.take(rest):]
	}
	if d.err != nil {
		return 0, d.err
	}
	if !d.sure {
		d.prefix = append(d.prefix, p...)
	}
	return len(p), nil
}

// Close ends the body and reports the faults. It fails like Write if content is missing. An empty
// body is not an error: the response to a HEAD request states the coding that a body would have had
// (RFC 9112, 6.1).
func (d *Dechunker) Close() error {
	if d.err == nil && d.at > 0 {
		d.checkEnd()
	}
	d.tally.report(d.Report)
	d.tally = tally{}
	return d.err
}

func (d *Dechunker) checkEnd() {
	switch {
	case d.state == chunkDone:
		if d.after > 0 {
			d.tally.add(AfterBody, "%d bytes after the chunked body", d.after)
		}
	case d.state == trailerStart || d.state == trailerLine:
		d.tally.add(ChunkTruncated, "the last chunk is not followed by an empty line")
	case !d.sure:
		d.notChunked("the body ends in the first chunk size")
	case d.state == chunkData:
		d.tally.add(ChunkTruncated, "%d bytes of the present chunk are missing", d.left)
		d.err = &ChunkError{Offset: d.at, Detail: "the body ends within a chunk"}
	default:
		d.tally.add(ChunkTruncated, "the last chunk is missing")
		d.err = &ChunkError{Offset: d.at, Detail: "the body ends before the last chunk"}
	}
}

// take consumes a part of p, which is not empty, and returns its length.
func (d *Dechunker) take(p []byte) int {
	n := 1
	switch d.state {
	case chunkData:
		n = d.pass(p[:min(int64(len(p)), d.left)])
	case chunkDone:
		n = len(p)
		d.after += int64(n)
	case trailerStart, trailerLine:
		d.trailer(p[0])
	case chunkEnd:
		n = d.dataEnd(p[0])
	default:
		d.sizeLine(p[0])
	}
	d.at += int64(n)
	return n
}

func (d *Dechunker) pass(p []byte) int {
	n, err := d.sink.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	d.err = err
	d.out += int64(len(p))
	if d.left -= int64(len(p)); d.left == 0 {
		d.state, d.line = chunkEnd, 0
	}
	return len(p)
}

// dataEnd consumes the CRLF after the data of a chunk. If it is missing and a size follows at once,
// the byte is left for the size line.
func (d *Dechunker) dataEnd(c byte) int {
	switch {
	case c == '\n':
		if d.line == 0 {
			d.tally.add(ChunkLineEnd, "at byte %d of the body: LF alone after the data of a chunk", d.at)
		}
		d.state, d.line = chunkStart, 0
	case c == '\r' && d.line == 0:
		d.line = 1
	case hexValue(c) >= 0:
		d.tally.add(ChunkLineEnd, "at byte %d of the body: no CRLF after the data of a chunk", d.at)
		d.state, d.line = chunkStart, 0
		return 0
	default:
		d.fail("found 0x%02X instead of CRLF after the data of a chunk", c)
	}
	return 1
}

// sizeLine consumes a byte of chunk-size [chunk-ext] CRLF.
func (d *Dechunker) sizeLine(c byte) {
	if d.line++; d.line > maxChunkLine {
		d.fail("chunk-size line longer than %d bytes", maxChunkLine)
		return
	}
	value := hexValue(c)
	switch {
	case c == '\n':
		d.sizeEnd()
	case d.state == chunkExt:
	case value >= 0 && (d.state == chunkStart || d.state == chunkSize):
		d.digit(value)
	case c == ' ' || c == '\t' || c == '\r':
		d.space()
	case c == ';' && d.state != chunkStart:
		d.state = chunkExt
	default:
		d.fail("0x%02X in place of a chunk size", c)
	}
}

func (d *Dechunker) digit(value int64) {
	if d.state == chunkStart {
		d.state, d.left = chunkSize, 0
	}
	if d.left = d.left<<4 | value; d.left > maxChunk {
		d.fail("chunk size is too large")
	}
}

func (d *Dechunker) space() {
	if d.state == chunkSize {
		d.state = chunkSpace
	}
}

// sizeEnd consumes the LF of a chunk-size line. It accepts an empty line before the size.
func (d *Dechunker) sizeEnd() {
	if d.state == chunkStart {
		d.tally.add(ChunkLineEnd, "at byte %d of the body: empty line in place of a chunk size", d.at)
		return
	}
	d.sure, d.line = true, 0
	if d.left == 0 {
		d.state = trailerStart
		return
	}
	d.state = chunkData
}

// trailer skips the trailer section up to its empty line (RFC 9112, 7.1.2). The fields stay in the
// raw body.
func (d *Dechunker) trailer(c byte) {
	switch {
	case c == '\n' && d.state == trailerStart:
		d.state = chunkDone
	case c == '\n':
		d.state = trailerStart
	case c != '\r':
		d.state = trailerLine
	}
}

// fail ends the decoding: before the first chunk the body is not chunked, later it is damaged.
func (d *Dechunker) fail(format string, args ...any) {
	detail := fmt.Sprintf(format, args...)
	if !d.sure {
		d.notChunked(detail)
		return
	}
	d.tally.add(ChunkSyntax, "at byte %d of the body: %s", d.at, detail)
	d.err = &ChunkError{Offset: d.at, Detail: detail}
}

func (d *Dechunker) notChunked(detail string) {
	d.tally = tally{} // the faults so far do not concern chunked coding
	d.tally.add(BodyNotChunked, "Transfer-Encoding is chunked, but: %s", detail)
	d.err = &NotChunkedError{Prefix: d.prefix, Detail: detail}
}

func hexValue(c byte) int64 {
	switch {
	case '0' <= c && c <= '9':
		return int64(c - '0')
	case 'a' <= c && c <= 'f':
		return int64(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int64(c-'A') + 10
	}
	return -1
}

var _ io.WriteCloser = (*Dechunker)(nil)
