// Package bytesource reads a file forward, once, knowing at every moment which byte of the file
// comes next; and can go back a bounded number of times when a damaged stretch must be searched
// again.
//
// The readers of compressed members stand on it.
package bytesource

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// BufferSize is how many bytes are read ahead, and the most that Peek can show.
const BufferSize = 256 << 10

// rewindAllowance bounds the work that damage can cause: beyond this many bytes read again, plus as
// many as the file has given so far, there is no going back. Without it, a hostile file of nested
// headers would cost quadratic time.
const rewindAllowance = 64 << 20

// smallRead is how much is read at once where the file was read before; each going back is charged
// for as much.
const smallRead = 16 << 10

// Source is a file being read. Reading goes through the embedded bufio.Reader; use its Read,
// ReadByte, Peek and Discard.
type Source struct {
	*bufio.Reader
	counted  counter
	spent    int64 // bytes gone back over, and other work charged
	furthest int64
}

type counter struct {
	r     io.Reader
	n     int64
	again int64 // up to here the file was read before
	err   error // other than io.EOF
}

func (c *counter) Read(p []byte) (int, error) {
	if c.n < c.again {
		p = p[:min(len(p), smallRead)] // reading again is often given up after a few bytes
	}
	n, err := c.r.Read(p)
	c.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	return n, err
}

// New makes a Source of r; a Source is returned as it is. Where r is an io.Seeker too, Rewind
// works.
func New(r io.Reader) *Source {
	if s, ok := r.(*Source); ok {
		return s
	}
	s := &Source{counted: counter{r: r}}
	s.Reader = bufio.NewReaderSize(&s.counted, BufferSize)
	return s
}

// Restart makes the Source one of r, as New would; its buffer is used again.
func (s *Source) Restart(r io.Reader) {
	reader := s.Reader
	*s = Source{Reader: reader, counted: counter{r: r}}
	reader.Reset(&s.counted)
}

// Offset is the offset, in bytes from where the Source started, of the byte that will be read next.
func (s *Source) Offset() int64 { return s.counted.n - int64(s.Buffered()) }

// Err is the error that reading the file itself met, nil when there was none: a decoder's error is
// then one of the content.
func (s *Source) Err() error { return s.counted.err }

// Charge takes work, in bytes, that damage has caused from what GoBackTo is allowed. A decoder
// charges for what it inflated in vain: a few bytes of a file can inflate to a thousand times as
// many.
func (s *Source) Charge(work int64) { s.spent += work }

// GoBackTo makes offset the next byte to be read, where that is possible: the file is an io.Seeker
// and not too much was read twice already. Otherwise reading goes on from where it is. In any case
// the next byte is at offset or behind it, so that a search which starts one byte further each time
// comes to an end.
func (s *Source) GoBackTo(offset int64) error {
	now := s.Offset()
	s.furthest = max(s.furthest, now)
	if now <= offset {
		if _, err := s.Discard(int(offset - now)); err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("going on to byte %d: %w", offset, err)
		}
		return nil
	}
	if !s.Seeks() || s.spent+now-offset > rewindAllowance+s.furthest {
		return nil
	}
	s.Charge(max(now-offset, smallRead))
	return s.seek(offset)
}

// Seeks says whether there is any going back: the file is an io.Seeker.
func (s *Source) Seeks() bool {
	_, ok := s.counted.r.(io.Seeker)
	return ok
}

// GiveBack makes offset, which must have been read, the next byte again, where the file is an
// io.Seeker. It is not charged for: it is there for who has read ahead and let nobody see it.
func (s *Source) GiveBack(offset int64) error {
	if offset == s.Offset() {
		return nil
	}
	return s.seek(offset)
}

func (s *Source) seek(offset int64) error {
	if _, err := s.counted.r.(io.Seeker).Seek(offset-s.counted.n, io.SeekCurrent); err != nil {
		return fmt.Errorf("going back to byte %d: %w", offset, err)
	}
	s.counted.again = max(s.counted.again, s.counted.n)
	s.counted.n = offset
	s.Reset(&s.counted)
	return nil
}
