package index

import (
	"bytes"
	"fmt"
	"os"
	"sync/atomic"
)

// segment is a sorted file of lines. It never changes.
type segment struct {
	f      *os.File
	size   int64
	probes [cachedProbes]atomic.Pointer[probe]
}

// A search halves the file until little is left. The first halvings are the same ones again and again: what was found there is kept, in
// bounded memory, instead of a table of all keys.
const (
	cachedProbes = 1 << 14
	probeText    = 512      // bytes of a line that are kept: a longer one is read again
	scanned      = 16 << 10 // bytes in which halving ends
	readBlock    = 256 << 10
)

// probe is a line that a search meets, and where it begins.
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
		_ = f.Close() // it was only read
		return nil, err
	}
	return &segment{f: f, size: info.Size()}, nil
}

// search gives the place of the first line that is not less than what is sought; size when there is none.
func (s *segment) search(sought []byte) (int64, error) {
	lo, hi := int64(0), s.size // the line begins in lo..hi, and a line begins at lo
	for node := 1; hi-lo > scanned; {
		p, err := s.probe(node, lo, hi)
		if err != nil {
			return 0, err
		}
		if p.at >= hi { // one line fills what is left
			break
		}
		order := bytes.Compare(p.text, sought)
		if p.cut && order < 0 && bytes.HasPrefix(sought, p.text) {
			if order, err = s.compare(p.at, hi, sought); err != nil {
				return 0, err
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
	for c := forward(s.f, lo, s.size, readBlock); c.next() || c.err != nil; {
		if c.err != nil {
			return 0, c.err
		}
		if bytes.Compare(c.line, sought) >= 0 {
			return lo, nil
		}
		lo += int64(len(c.line))
	}
	return s.size, nil
}

// probe gives the first line that begins behind the middle.
func (s *segment) probe(node int, lo, hi int64) (*probe, error) {
	if node < cachedProbes {
		if p := s.probes[node].Load(); p != nil {
			return p, nil
		}
	}
	middle := lo + (hi-lo)/2
	c := &cursor{from: s.f, lo: middle, hi: s.size, block: 1 << 10, most: readBlock}
	p := &probe{at: hi}
	if c.next() { // what is left of a line
		at := middle + int64(len(c.line))
		if c.next() {
			n := min(len(c.line), probeText)
			p = &probe{at: at, text: bytes.Clone(c.line[:n]), cut: n < len(c.line)}
		}
	}
	if c.err != nil {
		return nil, fmt.Errorf("%s: %w", s.f.Name(), c.err)
	}
	if node < cachedProbes {
		s.probes[node].Store(p)
	}
	return p, nil
}

// compare compares a long line with what is sought.
func (s *segment) compare(at, hi int64, sought []byte) (int, error) {
	c := forward(s.f, at, hi, readBlock)
	if !c.next() {
		return 0, c.err
	}
	return bytes.Compare(c.line, sought), nil
}

// between gives the lines from one text up to another, which is not among them.
func (s *segment) between(from, to []byte, back bool) (*cursor, error) {
	lo, err := s.search(from)
	if err != nil {
		return nil, err
	}
	hi := s.size
	if back { // forward, who reads sees where it ends
		if hi, err = s.search(to); err != nil {
			return nil, err
		}
		return backward(s.f, lo, max(lo, hi), readBlock), nil
	}
	return forward(s.f, lo, hi, readBlock), nil
}
