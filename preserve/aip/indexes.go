package aip

import (
	"errors"
	"io"
	"sync"

	"quire/preserve/cdxj"
)

// indexes compares the heads of capture lines with the containers that they say they are of
// (clauses 2.17 and 4.5). A container and its lines are read at any time, by different goroutines:
// who comes first is remembered until the other is there.
type indexes struct {
	mu    sync.Mutex
	known map[string]*indexed // by path of the lines
	read  int64
}

// indexed is what is known of a container and of its lines.
type indexed struct {
	container   string // its path, "" where none has such lines
	size        int64
	sha512      string
	lines       bool // they are listed,
	header      *cdxj.Header
	wasUnusable bool // and it is told that they are none
}

func (x *indexes) of(path string) *indexed {
	i := x.known[path]
	if i == nil {
		i = &indexed{}
		x.known[path] = i
	}
	return i
}

// container takes a container as the METS states it.
func (x *indexes) container(l *listed) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := x.of(IndexOf(l.path))
	i.container, i.size, i.sha512 = l.path, l.size, l.sha512
}

// lines takes a file of lines; header is nil when they are not to be read, which is told.
func (x *indexes) lines(l *listed, header *cdxj.Header) {
	x.mu.Lock()
	defer x.mu.Unlock()
	i := x.of(l.path)
	i.lines, i.header, i.wasUnusable = true, header, header == nil
	x.read++
}

// judge tells of lines that are of another container, when all files were read.
func (x *indexes) judge(found *findings) {
	for path, i := range x.known {
		switch {
		case !i.lines || i.wasUnusable:
		case i.container == "":
			found.add(breaks(CodeIndexContainer, path,
				"has the name of the capture lines of no container of the package"))
		case i.header.Container != i.container || i.header.Size != i.size || i.header.SHA512 != i.sha512:
			found.add(breaks(CodeIndexContainer, path, "is of other bytes than %s: it says %s, %d bytes, SHA-512 %s",
				i.container, clip(i.header.Container), i.header.Size, clip(i.header.SHA512)))
		}
	}
}

// checkLines reads capture lines while their digest is computed, as long as they are such.
func checkLines(in io.Reader, path string) (*cdxj.Header, *breach) {
	h, err := cdxj.Check(in)
	var wrong *cdxj.UnusableError
	switch {
	case err == nil:
		return h, nil
	case errors.As(err, &wrong) && wrong.Later:
		return nil, breaks(CodeIndexVersion, path,
			"holds capture lines of a later version, which were not looked at: %s", wrong.Why)
	case errors.As(err, &wrong):
		return nil, breaks(CodeIndexLines, path, "holds no capture lines: %s", wrong.Why)
	}
	return nil, nil // of the disk: the reading of the rest tells it
}
