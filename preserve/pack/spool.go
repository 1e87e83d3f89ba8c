package pack

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"quire/model"
)

// packed is what is remembered of a file that is in the package.
type packed struct {
	N         int    // from 1 within its group, in the order of the fileSec
	Dest      string // path within the package
	Name      string // path in the source, as found
	Size      int64
	SHA512    string
	Done      time.Time        // when it had been read
	Container *model.Container // nil for other files
}

// spool keeps what was remembered in a file: METS wants it several times over, in different orders, and a package may have
// tens of thousands of containers with a long list of hosts each.
type spool struct {
	file *os.File
	out  *bufio.Writer
	enc  *gob.Encoder
}

func newSpool(dir string) (*spool, error) {
	f, err := os.CreateTemp(dir, ".spool-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil { // it lives as long as it is open
		return nil, errors.Join(err, f.Close())
	}
	s := &spool{file: f, out: bufio.NewWriter(f)}
	s.enc = gob.NewEncoder(s.out)
	return s, nil
}

func (s *spool) add(p packed) error {
	if err := s.enc.Encode(p); err != nil {
		return fmt.Errorf("keeping what was found in %s: %w", p.Name, err)
	}
	return nil
}

// each goes through what was added, from the first.
func (s *spool) each(visit func(packed) error) error {
	if err := s.out.Flush(); err != nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	dec := gob.NewDecoder(bufio.NewReader(s.file))
	for {
		var p packed
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading back what was found: %w", err)
		}
		if err := visit(p); err != nil {
			return err
		}
	}
}

func (s *spool) close() error { return s.file.Close() }
