package captures

import (
	"bytes"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"quire/internal/filemap"
)

// segment is an immutable sorted file of lines.
type segment struct {
	f      *os.File
	size   int64
	text   []byte // the whole file, if mapped ([filemap.Map]); its lines are valid until the segment is closed
	probes [cachedProbes]atomic.Pointer[probe]
}

// A search halves the file until little is left. The first halvings always meet the same lines:
// these are cached, in bounded memory, instead of a table of all keys.
const (
	cachedProbes = 1 << 14
	probeText    = 512     // cached bytes of a line: longer lines are read again
	scanned      = 4 << 10 // size at which halving ends
	aroundBlock  = 8 << 10
	readBlock    = 256 << 10
)

// probe is a line that a search has read, with its offset.
type probe struct {
	at   int64
	text []byte
	cut  bool
}

func openSegment(path string) (*segment, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close() // only read
		return nil, err
	}
	return &segment{f: f, size: info.Size(), text: filemap.Map(f, info.Size())}, nil
}

// close is called after the last reader has finished: snapshots are counted (files.users).
func (s *segment) close() {
	filemap.Unmap(s.text)
	s.text = nil
	_ = s.f.Close() // only read
}

// found is the offset of the first line not less than the sought text, and a block of the file
// around it.
type found struct {
	at    int64
	block []byte // nil for none
	lo    int64  // its offset
}

// blocks are reused: a look-up needs one per segment, for microseconds.
var blocks = sync.Pool{New: func() any { return new([aroundBlock]byte) }}

// search finds the first line that is equal to the sought text or sorts after it. Its offset is
// size if there is no such line. search reads the block into buf.
func (s *segment) search(sought, buf []byte) (found, error) {
	lo, hi := int64(0), s.size // the line begins in lo..hi, and a line begins at lo
	for node := 1; hi-lo > scanned; {
		p, err := s.probe(node, lo, hi)
		if err != nil {
			return found{}, err
		}
		if p.at >= hi { // one line fills the rest
			break
		}
		order := bytes.Compare(p.text, sought)
		if p.cut && order < 0 && bytes.HasPrefix(sought, p.text) {
			if order, err = s.compare(p.at, hi, sought); err != nil {
				return found{}, err
			}
		}
		node *= 2
		if order < 0 {
			lo = p.at
			node++
		} else {
			hi = p.at
		}
	}
	return s.scan(lo, sought, buf)
}

// scan continues from a smaller line, or from the first one.
func (s *segment) scan(lo int64, sought, buf []byte) (found, error) {
	if s.text != nil {
		c := s.forward(lo, s.size)
		f := found{at: lo}
		for c.next() && bytes.Compare(c.line, sought) < 0 {
			f.at += int64(len(c.line))
		}
		return f, c.err
	}
	f := found{at: lo, lo: max(0, lo-int64(len(buf)/4))}
	f.block = buf[:min(int64(len(buf)), s.size-f.lo)]
	if n, err := s.f.ReadAt(f.block, f.lo); n < len(f.block) {
		return f, fmt.Errorf("%s has become shorter: %w", s.f.Name(), err)
	}
	for rest := f.block[lo-f.lo:]; ; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			break
		}
		if bytes.Compare(rest[:i+1], sought) >= 0 {
			return f, nil
		}
		f.at += int64(i + 1)
		rest = rest[i+1:]
	}
	if f.at == s.size {
		return f, nil
	}
	f.block = nil // a long line, or many: continue without the block
	c := s.forward(f.at, s.size)
	for c.next() && bytes.Compare(c.line, sought) < 0 {
		f.at += int64(len(c.line))
	}
	return f, c.err
}

// probe returns the first line that begins after the middle.
func (s *segment) probe(node int, lo, hi int64) (*probe, error) {
	if node < cachedProbes {
		if p := s.probes[node].Load(); p != nil {
			return p, nil
		}
	}
	middle := lo + (hi-lo)/2
	c := s.forward(middle, s.size)
	c.block = 1 << 10
	p := &probe{at: hi}
	if c.next() { // rest of a line
		at := middle + int64(len(c.line))
		if c.next() {
			n := min(wordsOf(c.line), probeText)
			p = &probe{at: at, text: c.line[:n], cut: n < len(c.line)}
		}
	}
	if c.err != nil {
		return nil, fmt.Errorf("%s: %w", s.f.Name(), c.err)
	}
	if node < cachedProbes {
		p.text = bytes.Clone(p.text) // cached lines outlive the block, or the map
		s.probes[node].Store(p)
	}
	return p, nil
}

// wordsOf returns the length of a line before its object: searches rarely need more.
func wordsOf(line []byte) int {
	if i := bytes.Index(line, []byte(" {")); i >= 0 {
		return i + 1
	}
	return len(line)
}

// compare compares a long line with the sought text.
func (s *segment) compare(at, hi int64, sought []byte) (int, error) {
	c := s.forward(at, hi)
	if !c.next() {
		return 0, c.err
	}
	return bytes.Compare(c.line, sought), nil
}

// forward returns the lines of a stretch.
func (s *segment) forward(lo, hi int64) *cursor {
	if s.text != nil {
		return &cursor{buf: s.text[:hi], start: int(lo)} // already in memory
	}
	return forward(s.f, lo, hi, readBlock)
}

// from returns the lines from an offset on.
func (s *segment) from(f found) *cursor {
	if f.block == nil {
		return s.forward(f.at, s.size)
	}
	return &cursor{from: s.f, buf: f.block, start: int(f.at - f.lo), lo: f.lo + int64(len(f.block)), hi: s.size,
		shared: true, block: firstBlock, most: readBlock}
}

// before returns the lines before an offset, the last one first.
func (s *segment) before(f found) *cursor {
	if s.text != nil {
		return &cursor{buf: s.text[:f.at], start: int(f.at), back: true}
	}
	c := &cursor{from: s.f, hi: f.at, back: true, block: firstBlock, most: readBlock}
	if f.block != nil {
		c.start, c.hi, c.shared = int(f.at-f.lo), f.lo, true
		c.buf = f.block[:c.start]
	}
	return c
}

// lookup lends blocks to searches, until it is closed.
type lookup struct{ lent []*[aroundBlock]byte }

func (l *lookup) search(s *segment, sought []byte) (found, error) {
	if s.text != nil {
		return s.search(sought, nil)
	}
	b := blocks.Get().(*[aroundBlock]byte)
	l.lent = append(l.lent, b)
	return s.search(sought, b[:])
}

func (l *lookup) close() {
	for _, b := range l.lent {
		blocks.Put(b)
	}
}
