package inspect

import (
	"crypto/sha512"
	"hash"
	"io"
	"runtime"
)

// onlookers see each byte of the file, once and in order: the container digest, whoever wants a
// copy, whoever wants to know how far it came. Of a file that is not small they see it in a
// goroutine of their own, so that nobody waits for them.
type onlookers struct {
	sha512   hash.Hash
	copyTo   io.Writer
	progress func(bytes int64)

	seen       int64
	block      []byte      // being filled, once they are apart
	full, free chan []byte // nil while they are not
	failed     chan error  // the first error of copyTo
}

// Bounds of the handing over: small files pay for none of it, and no reader gets further ahead than
// some blocks.
const (
	apartFrom  = 1 << 20
	blockSize  = 256 << 10
	blockCount = 4
)

func newOnlookers(o Options) *onlookers {
	return &onlookers{sha512: sha512.New(), copyTo: o.CopyTo, progress: o.Progress, failed: make(chan error, 1)}
}

// show hands over the next bytes of the file.
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
			l.failed <- err // the only one: there is room
		}
	}
	if l.progress != nil {
		l.progress(int64(len(fresh)))
	}
}

// goApart starts the goroutine, which close ends.
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

// close waits until everything that was shown was seen.
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
