// Copyright 2014-2024 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

import (
	"errors"
	"io"
	"slices"
)

// Source is the content to identify. It may lack a part in the middle.
type Source interface {
	// Slice returns l bytes from offset off. If there are fewer, it returns them and io.EOF.
	Slice(off int64, l int) ([]byte, error)
	// EofSlice returns the l bytes that end o bytes before the end; if there are fewer, the last of
	// them and io.EOF.
	EofSlice(o int64, l int) ([]byte, error)
	// Size returns the size in bytes, with a missing part.
	Size() int64
}

// readerAt reads a Source.
type readerAt struct{ Source }

func (r readerAt) ReadAt(p []byte, off int64) (int, error) {
	b, err := r.Slice(off, len(p))
	if err != nil && err != io.EOF { //nolint:errorlint // a Source returns io.EOF itself
		return 0, err
	}
	return copy(p, b), err
}

// entry is the content of an entry of a container. It is read at once, but shows only the bytes that
// siegfried would have read so far. This matters if the reading failed: siegfried gets an error
// once, and then the bytes before it.
type entry struct {
	data   []byte
	filled int
	err    error // where data ends; nil at the end of the entry
}

const (
	unit     = 4 << 10  // siegfried reads so many bytes at once
	maxEntry = 32 << 20 // an entry is read up to this size
)

var errEntryTooLarge = errors.New("the entry is too large")

// newEntry reads r, in whole units. It ignores an error in the first, as siegfried does.
func newEntry(r io.Reader) *entry {
	e := &entry{}
	for e.err == nil && len(e.data) < maxEntry {
		e.data = slices.Grow(e.data, unit)
		n, err := io.ReadFull(r, e.data[len(e.data):len(e.data)+unit])
		e.data = e.data[:len(e.data)+n]
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			_ = e.more()
			return e
		}
		e.err = err
	}
	if e.err == nil {
		e.err = errEntryTooLarge
	}
	_ = e.more()
	return e
}

// more shows the next bytes. It returns an error at the end; once, the error of reading.
func (e *entry) more() error {
	whole := e.filled+unit <= len(e.data)
	e.filled = min(e.filled+unit, len(e.data))
	if whole {
		return nil
	}
	if err := e.err; err != nil {
		e.err = nil
		return err
	}
	return io.EOF
}

// fill shows the bytes up to an offset, in whole units.
func (e *entry) fill(offset int) {
	for e.filled < offset && e.more() == nil {
	}
}

// stream returns the bytes that siegfried reads from the start: whole units up to an error.
func (e *entry) stream(limit int) []byte {
	n := len(e.data)
	if e.err != nil {
		n = n / unit * unit
	}
	return e.data[:min(n, limit)]
}

func (e *entry) Size() int64 { return int64(len(e.data)) }

func (e *entry) Slice(off int64, l int) ([]byte, error) {
	if off < 0 || l < 0 {
		return nil, io.EOF
	}
	end := off + int64(l)
	for int64(e.filled) < end {
		err := e.more()
		if err == io.EOF { //nolint:errorlint // more returns io.EOF itself
			break
		}
		if err != nil {
			return nil, err
		}
	}
	shown := e.data[min(off, int64(e.filled)):e.filled]
	if len(shown) < l {
		return shown, io.EOF
	}
	return shown[:l], nil
}

func (e *entry) EofSlice(o int64, l int) ([]byte, error) {
	e.fill(maxInt)
	if o < 0 || l < 0 || o >= int64(e.filled) {
		return nil, io.EOF
	}
	shown := e.data[:int64(e.filled)-o]
	if len(shown) < l {
		return shown, io.EOF
	}
	return shown[len(shown)-l:], nil
}
