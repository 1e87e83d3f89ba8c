package http1

import (
	"bytes"
	"io"

	"quire/format/fault"
)

// Splitter divides a message into head and body. The message is written to it in chunks of any
// size. It holds the head until it is complete (at most MaxHead bytes), and passes body bytes on at
// once.
type Splitter struct {
	Report  fault.Sink // receives the faults of the head; may be nil
	MaxHead int        // bound of the head in bytes; 0 means [MaxHead]

	kind   Kind
	onHead func(*Head) io.Writer

	find   finder
	before int    // bytes of the interim responses before the head
	held   []byte // the head so far, if it comes in more than one chunk
	head   *Head
	length int64
	body   io.Writer
	inBody bool
	err    error
}

// NewSplitter returns a Splitter. It calls onHead once for each message, before the first body
// byte, with the head, or with nil if the message has none. onHead returns the writer for the body.
// A nil writer discards the body.
func NewSplitter(kind Kind, onHead func(*Head) io.Writer) *Splitter {
	s := &Splitter{onHead: onHead}
	s.Reset(kind)
	return s
}

// Reset makes the Splitter ready for another message. Options and buffers stay.
func (s *Splitter) Reset(kind Kind) {
	s.kind = kind
	s.find, s.before = finder{kind: kind}, 0
	s.held = s.held[:0]
	s.head, s.length, s.body = nil, 0, nil
	s.inBody, s.err = false, nil
}

// Head returns the head. It returns nil until the head is complete, and if the message has no head.
func (s *Splitter) Head() *Head { return s.head }

// HeadLength returns the length of the head in bytes: the offset, within the block, of the first
// body byte.
func (s *Splitter) HeadLength() int64 { return s.length }

// Write processes the next chunk of the message. It fails only if the body's writer fails; all
// later calls then fail too.
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

// Close ends the message. A head without its empty line ends here, with a fault. The error is the
// one of the body's writer.
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

// take searches for the end of the head in b, which holds all bytes so far except rest.
func (s *Splitter) take(b, rest []byte, final bool) {
	bound := b[:min(len(b), s.bound())]
	end, is := s.find.find(bound[s.before:], final && len(bound) == len(b))
	if is == more {
		if len(bound) < s.bound() {
			s.hold(b)
			return
		}
		end, is = tooLarge(&s.find, bound[s.before:], s.Report)
	}
	if is == whole && isInterim(bound[s.before+s.find.start:]) && s.passInterim(b, rest, s.before+end, final) {
		return
	}
	s.inBody = true
	if is == none {
		if len(b) > s.before {
			s.Report.Add(noStartLine(b[s.before:]))
		}
		end = 0
	} else {
		head := parseFound(b[s.before:s.before+end], &s.find, is, s.Report)
		s.head = &head
	}
	end += s.before
	s.length = int64(end)
	s.body = s.onHead(s.head)
	s.pass(b[end:])
	s.pass(rest)
}

// isInterim reports whether the head is an interim response: 100 Continue, 103 Early Hints (RFC
// 9110, 15.2). After 101 no HTTP follows.
func isInterim(head []byte) bool {
	_, status, ok := bytes.Cut(head[:min(len(head), len("HTTP/1.1 1xx"))], []byte(" "))
	return ok && bytes.HasPrefix(head, []byte("HTTP/")) && len(status) >= 3 && status[0] == '1' &&
		digits(string(status[1:3])) == 2 && string(status[:3]) != "101"
}

// passInterim skips an interim response that ends at end, if the head of another response follows
// or may follow. The skipped bytes count as part of the head, not of the body.
func (s *Splitter) passInterim(b, rest []byte, end int, final bool) bool {
	next := looksLikeStart(b[end:], Response, final)
	if next == no || len(b) >= s.bound() {
		return false
	}
	if next == maybe {
		s.find = finder{kind: s.find.kind}
		s.hold(b) // and search again from the start of this head
		return true
	}
	s.Report.Add(fault.Fault{Code: Interim, Detail: excerpt(string(firstLine(b[s.before:end]))).String()})
	s.find, s.before = finder{kind: Response}, end
	s.take(b, rest, final)
	return true
}

func firstLine(b []byte) []byte {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	return bytes.TrimRight(line, "\r")
}

// hold keeps an incomplete head for the next chunk. b may be held already.
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
