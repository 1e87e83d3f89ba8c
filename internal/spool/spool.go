// Package spool keeps values in a temporary file until all of them are known, so that memory does
// not grow with their number: values found in one pass are often wanted several times over, or only
// when the last of it is there.
//
// The values are written with encoding/gob: unexported fields, and the difference between no list
// and an empty one, is lost on the way.
package spool

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
)

// Spool is a file of values of one type. It is not safe for concurrent use.
type Spool[T any] struct {
	file *os.File
	out  *bufio.Writer
	enc  *gob.Encoder
}

// New makes an empty Spool below dir or, when that is "", where temporary files go. The caller
// closes it.
func New[T any](dir string) (*Spool[T], error) {
	f, err := os.CreateTemp(dir, ".quire-spool-*")
	if err != nil {
		return nil, fmt.Errorf("making a temporary file: %w", err)
	}
	// where an open file may go on without its name, a kill leaves nothing; elsewhere Close does it
	_ = os.Remove(f.Name())
	out := bufio.NewWriter(f)
	return &Spool[T]{file: f, out: out, enc: gob.NewEncoder(out)}, nil
}

// Add keeps a value. It must not be called after All.
func (s *Spool[T]) Add(v T) error {
	if err := s.enc.Encode(v); err != nil {
		return fmt.Errorf("writing the temporary file %s: %w", s.file.Name(), err)
	}
	return nil
}

// All gives the values in the order they were added. It can be gone through several times. After an
// error there is no more.
func (s *Spool[T]) All() iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		if err := s.rewind(); err != nil {
			yield(none, err)
			return
		}
		for dec := gob.NewDecoder(bufio.NewReader(s.file)); ; {
			var v T
			err := dec.Decode(&v)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(none, fmt.Errorf("reading the temporary file %s: %w", s.file.Name(), err))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

// Each visits the values as All gives them; the first error of a visit ends it.
func (s *Spool[T]) Each(visit func(T) error) error {
	for v, err := range s.All() {
		if err == nil {
			err = visit(v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Spool[T]) rewind() error {
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("writing the temporary file %s: %w", s.file.Name(), err)
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return err
}

// Close gives the room on disk back.
func (s *Spool[T]) Close() error {
	err := s.file.Close()
	if gone := os.Remove(s.file.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
