package provider

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// Sizes of spools, in bytes.
const (
	spoolFirst = 16 << 10 // minimum in memory for each, whatever the room
	spoolMost  = 1 << 20  // longer records go to a temporary file
)

// room is the number of bytes that all spools together may still use in memory beyond their
// minimum.
type room struct{ free atomic.Int64 }

func (r *room) take(n int64) bool {
	if r.free.Add(-n) < 0 {
		r.free.Add(n)
		return false
	}
	return true
}

// spool holds one rendered record until it is complete; only then is it copied into the page. It
// checks that the content is valid XML text and looks like one element.
type spool struct {
	room  *room
	dir   string
	mem   []byte // the end of the record; all of it without a file
	taken int64  // share of the room
	file  *os.File
	size  int64
	text  textCheck
	err   error
}

var spools = sync.Pool{New: func() any { return &spool{mem: make([]byte, 0, spoolFirst)} }}

func (p *Provider) newSpool() *spool {
	s := spools.Get().(*spool)
	s.room, s.dir = &p.room, p.opt.Spool
	if extra := int64(cap(s.mem) - spoolFirst); extra > 0 {
		if p.room.take(extra) {
			s.taken = extra
		} else {
			s.mem = make([]byte, 0, spoolFirst)
		}
	}
	return s
}

// release frees memory and disk.
func (s *spool) release() {
	if s == nil {
		return
	}
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name()) // already removed on systems that allow it for an open file
	}
	s.room.free.Add(s.taken)
	*s = spool{mem: s.mem[:0]}
	spools.Put(s)
}

// Write appends to the record. Errors are permanent.
func (s *spool) Write(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if s.err = s.text.add(b); s.err != nil {
		return 0, s.err
	}
	all := len(b)
	for len(b) > 0 {
		if len(s.mem) == cap(s.mem) {
			if s.err = s.makeRoom(); s.err != nil {
				return all - len(b), s.err
			}
		}
		n := copy(s.mem[len(s.mem):cap(s.mem)], b)
		s.mem = s.mem[:len(s.mem)+n]
		s.size += int64(n)
		b = b[n:]
	}
	return all, nil
}

// makeRoom enlarges the memory, or writes it to the file.
func (s *spool) makeRoom() error {
	more := int64(cap(s.mem))
	if s.file == nil && 2*more <= spoolMost && s.room.take(more) {
		s.taken += more
		grown := make([]byte, len(s.mem), 2*more)
		copy(grown, s.mem)
		s.mem = grown
		return nil
	}
	return s.toFile()
}

func (s *spool) toFile() error {
	if s.file == nil {
		f, err := os.CreateTemp(s.dir, ".quire-oai-*")
		if err != nil {
			return fmt.Errorf("making a temporary file for a record: %w", err)
		}
		_ = os.Remove(f.Name()) // where allowed: a kill then leaves no file
		s.file = f
	}
	if _, err := s.file.Write(s.mem); err != nil {
		return fmt.Errorf("writing the temporary file of a record: %w", err)
	}
	s.mem = s.mem[:0]
	return nil
}

// done ends the record and returns its first error.
func (s *spool) done() error {
	if s.err == nil {
		s.err = s.text.end()
	}
	if s.err == nil && s.file != nil {
		s.err = s.toFile()
	}
	return s.err
}

// copyTo calls each for every piece of the record.
func (s *spool) copyTo(each func([]byte)) error {
	if s.file == nil {
		each(s.mem)
		return nil
	}
	buf := s.mem[:cap(s.mem)]
	for at := int64(0); at < s.size; {
		n, err := s.file.ReadAt(buf[:min(int64(len(buf)), s.size-at)], at)
		if n == 0 {
			return fmt.Errorf("reading the temporary file of a record: %w", err)
		}
		each(buf[:n])
		at += int64(n)
	}
	return nil
}

// textCheck checks that bytes are UTF-8 text that XML 1.0 allows (clause 2.2), and that they start
// and end like an element.
type textCheck struct {
	begun, inside bool // after <, and after the first letter of the name
	last          byte // except white space
	part          [utf8.UTFMax]byte
	parts         int // bytes in part: the start of an incomplete character
}

var (
	errNotText    = errors.New("the record has bytes that XML forbids")
	errNotElement = errors.New("the record is not one XML element without prolog")
)

func (c *textCheck) add(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	if !c.inside {
		if err := c.begin(b); err != nil {
			return err
		}
	}
	for i := len(b) - 1; i >= 0; i-- {
		if !isSpace(b[i]) {
			c.last = b[i]
			break
		}
	}
	return c.scan(b)
}

// begin checks the first bytes, up to the start of the element's name.
func (c *textCheck) begin(b []byte) error {
	for _, x := range b {
		switch {
		case !c.begun && isSpace(x):
		case !c.begun && x == '<':
			c.begun = true
		case c.begun && (x >= utf8.RuneSelf || x == '_' || 'a' <= x|0x20 && x|0x20 <= 'z'):
			c.inside = true
			return nil
		default:
			return errNotElement
		}
	}
	return nil
}

func (c *textCheck) scan(b []byte) error {
	for c.parts > 0 && len(b) > 0 {
		c.part[c.parts] = b[0]
		c.parts++
		b = b[1:]
		if utf8.FullRune(c.part[:c.parts]) {
			if !legal(utf8.DecodeRune(c.part[:c.parts])) {
				return errNotText
			}
			c.parts = 0
		}
	}
	for len(b) > 0 {
		// Check eight ASCII bytes without control characters at once: most of a record is Base64.
		if len(b) >= 8 {
			x := binary.LittleEndian.Uint64(b)
			if (x|(x-0x2020202020202020))&0x8080808080808080 == 0 {
				b = b[8:]
				continue
			}
		}
		switch x := b[0]; {
		case x < ' ' && !isSpace(x):
			return errNotText
		case x < utf8.RuneSelf:
			b = b[1:]
		case !utf8.FullRune(b):
			c.parts = copy(c.part[:], b)
			return nil
		default:
			r, size := utf8.DecodeRune(b)
			if !legal(r, size) {
				return errNotText
			}
			b = b[size:]
		}
	}
	return nil
}

func legal(r rune, size int) bool {
	return (r != utf8.RuneError || size > 1) && r != 0xFFFE && r != 0xFFFF
}

func (c *textCheck) end() error {
	switch {
	case c.parts > 0:
		return errNotText
	case !c.inside || c.last != '>':
		return errNotElement
	}
	return nil
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }
