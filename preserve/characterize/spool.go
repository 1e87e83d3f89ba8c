package characterize

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"

	"quire/model"
)

// Entries keeps the records of a container in a temporary file until they are written.
type Entries struct {
	file *os.File
	out  *bufio.Writer
	enc  *gob.Encoder
}

// NewEntries makes a place for the records of one container, below dir or, when that is "", where temporary files go. It is
// to be closed.
func NewEntries(dir string) (*Entries, error) {
	f, err := os.CreateTemp(dir, "quire-entries-*")
	if err != nil {
		return nil, fmt.Errorf("making a temporary file for the entries: %w", err)
	}
	out := bufio.NewWriter(f)
	return &Entries{file: f, out: out, enc: gob.NewEncoder(out)}, nil
}

// Add keeps a record. It has the form of inspect.Options.Record.
func (s *Entries) Add(r model.Record) error {
	if err := s.enc.Encode(&r); err != nil {
		return fmt.Errorf("keeping the entry of the record at byte %d: %w", r.Offset, err)
	}
	return nil
}

// each goes through the records, from the first.
func (s *Entries) each(visit func(*model.Record) error) error {
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("keeping the entries: %w", err)
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("reading the entries back: %w", err)
	}
	dec := gob.NewDecoder(bufio.NewReader(s.file))
	for {
		var r model.Record
		err := dec.Decode(&r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading the entries back: %w", err)
		}
		if err := visit(&r); err != nil {
			return err
		}
	}
}

// Close removes the temporary file.
func (s *Entries) Close() error { return errors.Join(s.file.Close(), os.Remove(s.file.Name())) }
