package aip

import (
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"quire/preserve/cdxj"
)

// indexes compares the headers of CDXJ indexes with the containers that they name (clauses 2.17 and
// 4.5). Different goroutines read a container and its index at any time. The first of the two is
// kept until the other arrives.
type indexes struct {
	mu    sync.Mutex
	known map[string]*indexed // by path of the index
	read  int64
}

// indexed is the known data of a container and of its CDXJ index.
type indexed struct {
	container   string // its path, "" if no container has this index
	size        int64
	sha512      string
	lines       bool // the index is listed
	header      *cdxj.Header
	sums        *lineSums // of its lines
	wasUnusable bool      // it was reported as invalid
}

func (x *indexes) of(path string) *indexed {
	i := x.known[path]
	if i == nil {
		i = &indexed{}
		x.known[path] = i
	}
	return i
}

// container adds a container as the METS states it.
func (x *indexes) container(l *listed) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := x.of(IndexOf(l.path))
	i.container, i.size, i.sha512 = l.path, l.size, l.sha512
}

// lines adds a CDXJ index. header is nil when the index cannot be read; that was reported before.
func (x *indexes) lines(l *listed, header *cdxj.Header, sums *lineSums) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := x.of(l.path)
	i.lines, i.header, i.sums, i.wasUnusable = true, header, sums, header == nil
	x.read++
}

// judge reports indexes of another container, after all files were read.
func (x *indexes) judge(found *findings) {
	for path, i := range x.known {
		switch {
		case !i.lines || i.wasUnusable:
		case i.container == "":
			found.add(breaks(CodeIndexContainer, path,
				"is a CDXJ index, but is not named after a container of the package"))
		case i.header.Container != i.container || i.header.Size != i.size || i.header.SHA512 != i.sha512:
			found.add(breaks(CodeIndexContainer, path, "describes other bytes than %s: it states %s, %d "+
				"bytes, SHA-512 %s",
				i.container, clip(i.header.Container), i.header.Size, clip(i.header.SHA512)))
		}
	}
}

// checkLines reads a CDXJ index up to the first error, while its digest is computed.
func checkLines(in io.Reader, path string) (*cdxj.Header, *lineSums, *breach) {
	sums := &lineSums{numbers: map[string]int64{}}
	h, err := cdxj.Check(in, sums.add)
	var wrong *cdxj.UnusableError
	switch {
	case err == nil:
		return h, sums, nil
	case errors.As(err, &wrong) && wrong.Later:
		return nil, nil, breaks(CodeIndexVersion, path,
			"has a CDXJ index of a later version, which was not checked: %s", wrong.Why)
	case errors.As(err, &wrong):
		return nil, nil, breaks(CodeIndexLines, path, "is not a valid CDXJ index: %s", wrong.Why)
	}
	return nil, nil, nil // a disk error; reading the rest reports it
}

// lineSums are the numbers and the dates of the lines of a CDXJ index.
type lineSums struct {
	numbers map[string]int64 // by type of record, of the types that have lines
	dates   dateSpan
}

func (s *lineSums) add(l *cdxj.Line) error {
	if slices.Contains(lineTypes, l.Type) {
		s.numbers[l.Type]++
	}
	if at, err := time.Parse(timestampLayout, l.Timestamp); err == nil && l.Segment < 2 {
		s.dates.add(at)
	}
	return nil
}

// timestampLayout is the form of a timestamp in CDXJ.
const timestampLayout = "20060102150405"

// withoutLine returns the number of captures that have no line.
func (i *indexed) withoutLine() (n int64) {
	for why, left := range i.header.Left {
		if i.header.WithoutLine(why) {
			n += left
		}
	}
	return n
}
