// Package bytesource reads a file forward, once, and always knows the offset of the next byte. It
// can go back a bounded number of times to search a damaged stretch again.
//
// The readers of compressed members use it.
package bytesource

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// BufferSize is how many bytes are read ahead, and the most that Peek can return.
const BufferSize = 256 << 10

// rewindAllowance bounds the work that damage can cause. A Source can read again at most this many
// bytes, plus as many as it has read from the file so far. Without this bound, a hostile file of
// nested headers would cost quadratic time.
const rewindAllowance = 64 << 20

// smallRead is how much is read at once in a part of the file that was read before. Each step back
// is charged this much.
const smallRead = 16 << 10

// Source is a file being read. Read it through the embedded bufio.Reader: Read, ReadByte, Peek and
// Discard.
type Source struct {
	*bufio.Reader
	counted  counter
	spent    int64 // bytes read again, and other work charged
	furthest int64
}

type counter struct {
	r     io.Reader
	n     int64
	again int64 // the file was read before up to this offset
	err   error // other than io.EOF
}

func (c *counter) Read(p []byte) (int, error) {
	if c.n < c.again {
		p = p[:min(len(p), smallRead)] // the search often ends after a few bytes
	}
	n, err := c.r.Read(p)
	c.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	return n, err
}

// New returns a Source of r. If r is a Source already, New returns it. If r is an io.Seeker, the
// Source can go back.
func New(r io.Reader) *Source {
	if s, ok := r.(*Source); ok {
		return s
	}
	s := &Source{counted: counter{r: r}}
	s.Reader = bufio.NewReaderSize(&s.counted, BufferSize)
	return s
}

// Restart makes the Source read r from now on, as New would, and reuses its buffer.
func (s *Source) Restart(r io.Reader) {
	reader := s.Reader
	*s = Source{Reader: reader, counted: counter{r: r}}
	reader.Reset(&s.counted)
}

// Offset returns the offset of the next byte, counted from where the Source started.
func (s *Source) Offset() int64 { return s.counted.n - int64(s.Buffered()) }

// Err returns the error of reading the file itself, or nil. If it is nil, a decoder's error comes
// from the content.
func (s *Source) Err() error { return s.counted.err }

// Charge subtracts work that damage has caused, in bytes, from the allowance of GoBackTo. A decoder
// charges for the bytes it inflated in vain: a few bytes of a file can inflate to a thousand times
// as many.
func (s *Source) Charge(work int64) { s.spent += work }

// GoBackTo makes offset the next byte if possible: the file must be an io.Seeker, and the allowance
// for reading again must not be spent. Otherwise reading continues where it is. Either way the next
// byte is at offset or after it, so a search that starts one byte later each time ends.
func (s *Source) GoBackTo(offset int64) error {
	now := s.Offset()
	s.furthest = max(s.furthest, now)
	if now <= offset {
		if _, err := s.Discard(int(offset - now)); err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("cannot continue at byte %d: %w", offset, err)
		}
		return nil
	}
	if !s.Seeks() || s.spent+now-offset > rewindAllowance+s.furthest {
		return nil
	}
	s.Charge(max(now-offset, smallRead))
	return s.seek(offset)
}

// Seeks reports whether the Source can go back: the file is an io.Seeker.
func (s *Source) Seeks() bool {
	_, ok := s.counted.r.(io.Seeker)
	return ok
}

// Unread makes offset, which must have been read, the next byte again if the file is an
// io.Seeker. It is not charged. Callers use it after reading ahead without using the bytes.
func (s *Source) Unread(offset int64) error {
	if offset == s.Offset() {
		return nil
	}
	return s.seek(offset)
}

// GoTo continues reading at offset, from any position. It is for callers that know the position
// they want. Unlike GoBackTo, it does not use up the limit for bytes read again after damage. It
// fails with errors.ErrUnsupported if the file is not an io.Seeker.
func (s *Source) GoTo(offset int64) error {
	if offset < 0 {
		return fmt.Errorf("byte %d is not in the file", offset)
	}
	if !s.Seeks() {
		return fmt.Errorf("going to byte %d of a file that cannot seek: %w", offset, errors.ErrUnsupported)
	}
	s.furthest = max(s.furthest, s.Offset())
	if err := s.seek(offset); err != nil {
		return err
	}
	s.counted.again = offset + 1 // the first read is small: a single record is often small, too
	s.counted.err, s.spent = nil, 0
	return nil
}

func (s *Source) seek(offset int64) error {
	if _, err := s.counted.r.(io.Seeker).Seek(offset-s.counted.n, io.SeekCurrent); err != nil {
		return fmt.Errorf("going to byte %d: %w", offset, err)
	}
	s.counted.again = max(s.counted.again, s.counted.n)
	s.counted.n = offset
	s.Reset(&s.counted)
	return nil
}
