// Package spool keeps values in a temporary file until all of them are known, so that memory does
// not grow with their number. Values found in one pass are often used several times, or only at the
// end.
//
// It writes the values with encoding/gob. Unexported fields are lost, and so is the difference
// between nil and an empty list.
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

// New returns an empty Spool with its file below dir or, if dir is "", in the system's temporary
// folder. The caller must close it.
func New[T any](dir string) (*Spool[T], error) {
	f, err := os.CreateTemp(dir, ".quire-spool-*")
	if err != nil {
		return nil, fmt.Errorf("making a temporary file: %w", err)
	}
	// If the system allows an open file without a name, a kill leaves no file; otherwise Close
	// removes it.
	_ = os.Remove(f.Name())
	out := bufio.NewWriter(f)
	return &Spool[T]{file: f, out: out, enc: gob.NewEncoder(out)}, nil
}

// Add adds a value. It must not be called after All.
func (s *Spool[T]) Add(v T) error {
	if err := s.enc.Encode(v); err != nil {
		return fmt.Errorf("writing the temporary file %s: %w", s.file.Name(), err)
	}
	return nil
}

// All returns the values in the order of Add. The sequence can be used several times. An error ends
// it.
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

// Each visits the values in the order of All. The first error of visit ends it.
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

// Close frees the disk space.
func (s *Spool[T]) Close() error {
	err := s.file.Close()
	if gone := os.Remove(s.file.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
