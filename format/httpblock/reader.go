package httpblock

import (
	"errors"
	"io"

	"quire/format/fault"
	"quire/format/http1"
	"quire/format/httpcoding"
)

// Reader reads the messages of one block after the other. Its buffers are used again. The zero
// value is ready.
type Reader struct {
	splitter *http1.Splitter
	found    bool
	held     []byte // read from the block to find the head
	unframed unframed
	decoder  *httpcoding.Decoder
	decoded  decoded
}

// Message is the message that a block begins with.
type Message struct {
	Head *http1.Head // nil if there is no head, as in HTTP/0.9
	// Begin is the part of the block that was read to find the head, the head included. The caller
	// returns it again to readers of the block. It is valid until the next Open.
	Begin      []byte
	HeadLength int64 // in bytes: the offset of the first body byte in the block
}

// Open reads the head of the message from block. Where the block ends within the head, with io.EOF
// or io.ErrUnexpectedEOF, the head is the part that is there. Other errors are returned, with the
// bytes read so far. report, which may be nil, gets the faults of the head.
func (r *Reader) Open(block io.Reader, kind http1.Kind, report fault.Sink) (Message, error) {
	if r.splitter == nil {
		r.splitter = http1.NewSplitter(kind, func(*http1.Head) io.Writer { r.found = true; return nil })
	}
	r.splitter.Reset(kind)
	r.splitter.Report, r.found, r.held = report, false, r.held[:0]
	for !r.found {
		err := r.more(block)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return Message{Begin: r.held}, err
		}
	}
	if err := r.splitter.Close(); err != nil {
		return Message{Begin: r.held}, err
	}
	return Message{Head: r.splitter.Head(), Begin: r.held, HeadLength: r.splitter.HeadLength()}, nil
}

// step is how much is read at once to find the end of a head: most heads are shorter.
const step = 2 << 10

// more reads the next bytes of the block and shows them to the splitter.
func (r *Reader) more(block io.Reader) error {
	from := len(r.held)
	if cap(r.held) < from+step {
		larger := make([]byte, from, 2*cap(r.held)+step)
		copy(larger, r.held)
		r.held = larger
	}
	n, err := block.Read(r.held[from : from+step])
	r.held = r.held[:from+n]
	if _, werr := r.splitter.Write(r.held[from:]); werr != nil {
		return werr
	}
	return err
}

// Payload returns body without its chunked framing, if head declares such framing. Otherwise it
// returns body unchanged. If the framing is invalid or incomplete, reading ends with a
// [*http1.ChunkError]. The result is valid until the next call of Payload. report receives the
// faults of the framing; it may be nil.
func (r *Reader) Payload(head *http1.Head, body io.Reader, report fault.Sink) io.Reader {
	if head == nil || !head.Chunked() {
		return body
	}
	r.unframed.reset(head, body, report)
	return &r.unframed
}

// Decoded returns payload without the content codings that head names. If the payload is not in a
// declared coding, Decoded returns it unchanged and reports a fault. If the encoded data is damaged
// or incomplete, reading ends with a [fault.Fault] that states the reason. An unknown coding is an
// error, also a fault.Fault. The caller must limit the amount read: a small payload can decode to a
// thousand times its size. The result is valid until the next call of Decoded.
func (r *Reader) Decoded(head *http1.Head, payload io.Reader, report fault.Sink) (io.Reader, error) {
	if head == nil || len(head.ContentCodings()) == 0 {
		return payload, nil
	}
	if r.decoder == nil {
		r.decoder = httpcoding.NewDecoder()
	}
	d := &r.decoded
	*d = decoded{decoder: r.decoder, payload: payload, report: report}
	r.decoder.Report = d.note
	from, ok := r.decoder.Pull(head.ContentCodings(), (*watched)(d))
	if !ok {
		return nil, d.end()
	}
	d.from = from
	return d, nil
}
