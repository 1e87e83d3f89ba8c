package http1

import (
	"io"

	"quire/format/fault"
)

// Splitter divides a message that is written to it, in chunks of any size, into head and body. It holds the head until
// that is complete (at most MaxHead bytes) and never holds the body: those bytes go on as they come.
type Splitter struct {
	Report  fault.Sink // told what the head broke; may be nil
	MaxHead int        // bound of the head in bytes; 0 means [MaxHead]

	kind   Kind
	onHead func(*Head) io.Writer

	find   finder
	held   []byte // the head so far, when it came in more than one chunk
	head   *Head
	length int64
	body   io.Writer
	inBody bool
	err    error
}

// NewSplitter makes a Splitter. onHead is called once for each message, before the first body byte, with the head, or
// with nil when the message has none; it returns where the body goes. A nil writer discards the body.
func NewSplitter(kind Kind, onHead func(*Head) io.Writer) *Splitter {
	s := &Splitter{onHead: onHead}
	s.Reset(kind)
	return s
}

// Reset makes the Splitter ready for another message. Options and buffers stay.
func (s *Splitter) Reset(kind Kind) {
	s.kind = kind
	s.find = finder{kind: kind}
	s.held = s.held[:0]
	s.head, s.length, s.body = nil, 0, nil
	s.inBody, s.err = false, nil
}

// Head returns the head, or nil before it is complete and when there is none.
func (s *Splitter) Head() *Head { return s.head }

// HeadLength returns the length of the head in bytes: the offset, within the block, of the first body byte.
func (s *Splitter) HeadLength() int64 { return s.length }

// Write takes the next chunk of the message. It fails only where the body's writer fails, and then for good.
func (s *Splitter) Write(p []byte) (int, error) {
	switch {
	case s.err != nil:
		return 0, s.err
	case s.inBody:
		s.pass(p)
	case len(s.held) == 0:
		s.take(p, nil, false)
	default:
		n := min(len(p), max(0, s.bound()-len(s.held)))
		s.held = append(s.held, p[:n]...)
		s.take(s.held, p[n:], false)
	}
	if s.err != nil {
		return 0, s.err
	}
	return len(p), nil
}

// Close says that the message is complete. A head without its empty line ends here, with a fault. The error is that of
// the body's writer.
func (s *Splitter) Close() error {
	if s.err == nil && !s.inBody {
		s.take(s.held, nil, true)
	}
	return s.err
}

func (s *Splitter) bound() int {
	if s.MaxHead > 0 {
		return s.MaxHead
	}
	return MaxHead
}

// take looks for the end of the head in b, which is all there was so far but for rest.
func (s *Splitter) take(b, rest []byte, final bool) {
	bound := b[:min(len(b), s.bound())]
	end, is := s.find.find(bound, final && len(bound) == len(b))
	if is == more {
		if len(bound) < s.bound() {
			s.hold(b)
			return
		}
		end, is = tooLarge(&s.find, bound, s.Report)
	}
	s.inBody = true
	if is == none {
		if len(b) > 0 {
			s.Report.Add(noStartLine(b))
		}
		end = 0
	} else {
		head := parseFound(b[:end], &s.find, is, s.Report)
		s.head, s.length = &head, int64(end)
	}
	s.body = s.onHead(s.head)
	s.pass(b[end:])
	s.pass(rest)
}

// hold keeps an incomplete head for the next chunk; b may be held already.
func (s *Splitter) hold(b []byte) {
	if len(s.held) == 0 {
		s.held = append(s.held, b...)
	}
}

func (s *Splitter) pass(p []byte) {
	if s.err != nil || s.body == nil || len(p) == 0 {
		return
	}
	n, err := s.body.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	s.err = err
}

var _ io.WriteCloser = (*Splitter)(nil)
