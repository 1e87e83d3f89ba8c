package inspect

import (
	"crypto/sha512"
	"hash"
	"io"
	"runtime"
)

// onlookers receive each byte of the file, once and in order: the container digest, the copy, and
// the progress. For a file that is not small they run in a separate goroutine, so the pass does not
// wait for them.
type onlookers struct {
	sha512   hash.Hash
	copyTo   io.Writer
	progress func(bytes int64)

	seen       int64
	block      []byte      // being filled, once the goroutine runs
	full, free chan []byte // nil before the goroutine runs
	failed     chan error  // the first error of copyTo
}

// Limits of the hand-over: small files do not pay for the goroutine, and the reader stays at most
// some blocks ahead.
const (
	apartFrom  = 1 << 20
	blockSize  = 256 << 10
	blockCount = 4
)

func newOnlookers(o Options) *onlookers {
	return &onlookers{sha512: sha512.New(), copyTo: o.CopyTo, progress: o.Progress, failed: make(chan error, 1)}
}

// show passes on the next bytes of the file.
func (l *onlookers) show(fresh []byte) {
	l.seen += int64(len(fresh))
	if l.full == nil {
		if l.seen < apartFrom || runtime.GOMAXPROCS(0) == 1 {
			l.look(fresh)
			return
		}
		l.goApart()
	}
	for len(fresh) > 0 {
		n := copy(l.block[len(l.block):cap(l.block)], fresh)
		l.block, fresh = l.block[:len(l.block)+n], fresh[n:]
		if len(l.block) == cap(l.block) {
			l.full <- l.block
			l.block = (<-l.free)[:0]
		}
	}
}

func (l *onlookers) look(fresh []byte) {
	l.sha512.Write(fresh) // a hash never fails
	if l.copyTo != nil {
		if _, err := l.copyTo.Write(fresh); err != nil {
			l.copyTo = nil
			l.failed <- err // the only error: there is room
		}
	}
	if l.progress != nil {
		l.progress(int64(len(fresh)))
	}
}

// goApart starts the goroutine; close ends it.
func (l *onlookers) goApart() {
	l.full, l.free = make(chan []byte, blockCount), make(chan []byte, blockCount)
	for range blockCount - 1 {
		l.free <- make([]byte, 0, blockSize)
	}
	l.block = make([]byte, 0, blockSize)
	go func() {
		for b := range l.full {
			l.look(b)
			l.free <- b
		}
		close(l.free)
	}()
}

// close waits until all bytes are processed.
func (l *onlookers) close() {
	if l.full == nil {
		return
	}
	l.full <- l.block
	close(l.full)
	for range l.free { // closed by the goroutine, at its end
	}
	l.full, l.free, l.block = nil, nil, nil
}
