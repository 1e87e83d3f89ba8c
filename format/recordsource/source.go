package recordsource

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"quire/format/fault"
	"quire/format/inflate"
)

// sniffed is how much of the inflated beginning Open looks at, in bytes.
const sniffed = 64 << 10

// ErrClosed is the error of Begin after Close.
var ErrClosed = fmt.Errorf("reading records: %w", os.ErrClosed)

// Form is a form of files.
type Form struct {
	Sniff  func(head []byte) bool // whether a file begins so, for inflate.Options.Holds
	Begins func(head []byte) bool // whether a record begins in the first 64 KiB of the inflated file
	None   error                  // the error of Open if none does
}

// Source is a file whose records are read.
type Source struct {
	In *inflate.Reader

	add     func(fault.Fault)
	owns    bool     // In is closed with the source
	file    *os.File // that Open opened
	begun   bool
	closed  bool
	waiting []fault.Fault
}

// Open opens a file of any compression. It fails if no record begins near its beginning; damage there is no error.
// add receives the faults of the compression, as with New.
func Open(path string, form Form, add func(fault.Fault)) (*Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := newSource(f, form.Sniff, true, add)
	s.file = f
	head, err := s.In.Peek(sniffed)
	if !OfContent(err) {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), s.Close())
	}
	whole := err == nil || errors.Is(err, io.EOF) // and not shortened by damage
	if whole && len(head) > 0 && !form.Begins(head) {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, form.None), s.Close())
	}
	return s, nil
}

// New reads a file of any compression from its current position. An *inflate.Reader is used as it is: its Report
// receives the faults, and the caller closes it. add receives those of another file, from the first call of Begin on.
func New(in io.Reader, sniff func([]byte) bool, add func(fault.Fault)) *Source {
	if in, ok := in.(*inflate.Reader); ok {
		return &Source{In: in, add: add}
	}
	return newSource(in, sniff, false, add)
}

func newSource(in io.Reader, sniff func([]byte) bool, ahead bool, add func(fault.Fault)) *Source {
	s := &Source{owns: true, add: add}
	s.In = inflate.NewReader(in, inflate.Options{Report: s.report, Holds: sniff, Ahead: ahead})
	return s
}

// report takes a fault of the compression. Those from before Begin wait for it, so that the caller of a reader can
// first say where faults go.
func (s *Source) report(f fault.Fault) {
	if !s.begun {
		s.waiting = append(s.waiting, f)
		return
	}
	s.add(f)
}

// Begin begins the reading, or goes on: at the first call it hands over the faults that waited. The error is
// ErrClosed.
func (s *Source) Begin() error {
	if s.closed {
		return ErrClosed
	}
	if s.begun {
		return nil
	}
	s.begun = true
	for _, f := range s.waiting {
		s.add(f)
	}
	s.waiting = nil
	return nil
}

// Close closes the file that Open opened, and frees the decoder, unless it is the caller's.
func (s *Source) Close() error {
	s.closed = true
	var err error
	if s.owns {
		err = s.In.Close()
	}
	if s.file != nil {
		err = errors.Join(err, s.file.Close())
		s.file = nil
	}
	return err
}

// OfContent reports whether an error, or its absence, says something of the content: its end, or damage. Others are
// failures to read it.
func OfContent(err error) bool {
	var d *inflate.Damage
	return err == nil || errors.Is(err, io.EOF) || errors.As(err, &d)
}

// Records returns the records that next reads, up to io.EOF. Another error is the last pair.
func Records[R any](next func() (R, error)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for {
			record, err := next()
			if errors.Is(err, io.EOF) || !yield(record, err) || err != nil {
				return
			}
		}
	}
}
