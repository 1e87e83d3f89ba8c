package xmlstream

import (
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"
)

// Buffer sizes in bytes: the data collected before a write, and the part of a long string escaped
// at once.
const (
	bufferSize = 64 << 10
	chunkSize  = 8 << 10
)

// buffers are reused from closed writers, because an OAI-PMH provider makes thousands of documents
// a second.
var buffers = sync.Pool{New: func() any {
	b := make([]byte, 0, bufferSize+chunkSize)
	return &b
}}

// ErrClosed is the error of a Writer used after Close.
var ErrClosed = errors.New("xmlstream: write after Close")

// escape writes s and reports whether XML carries it intact. It writes long strings in chunks, to
// keep the buffer small.
func (w *Writer) escape(s string, attr bool) (intact bool) {
	intact = true
	for len(s) > 0 && w.err == nil {
		n := chunkEnd(s)
		var ok bool
		w.buf, ok = appendEscaped(w.buf, s[:n], attr)
		intact = intact && ok
		s = s[n:]
		w.flushFull()
	}
	return intact
}

// chunkEnd returns the length of the first chunk of s. It never cuts a UTF-8 sequence: a sequence
// has at most three bytes after its first, so looking back three bytes is enough.
func chunkEnd(s string) int {
	if len(s) <= chunkSize {
		return len(s)
	}
	for n := chunkSize; n > chunkSize-utf8.UTFMax; n-- {
		if utf8.RuneStart(s[n]) {
			return n
		}
	}
	return chunkSize
}

// flushFull writes the buffer if it is full.
func (w *Writer) flushFull() {
	if len(w.buf) >= bufferSize {
		w.flush()
	}
}

func (w *Writer) flush() {
	if w.err != nil || len(w.buf) == 0 {
		return
	}
	if _, err := w.out.Write(w.buf); err != nil {
		w.Fail(fmt.Errorf("xmlstream: writing the document: %w", err))
	}
	w.buf = w.buf[:0]
}

// Close ends the document. It fails if the document is incomplete, or an earlier write failed.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	switch {
	case len(w.stack) > 0:
		w.failf("the document ends inside %s", w.stack[len(w.stack)-1].name)
	case !w.begun:
		w.failf("the document has no root element")
	}
	if w.opt.Indent {
		w.buf = append(w.buf, '\n')
	}
	w.flush()
	if w.err != nil {
		return w.err
	}
	w.err = ErrClosed
	b := w.buf[:0]
	buffers.Put(&b)
	w.buf = nil
	return nil
}
