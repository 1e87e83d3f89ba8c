package captures

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// Limits of sorting. Memory use is sortMemory plus a buffer per run.
const (
	sortMemory  = 12 << 20 // bytes of lines
	firstMemory = 64 << 10
	mostRuns    = 64 // more runs are merged
	runBuffer   = 64 << 10
)

// sorter sorts lines by their bytes, in memory while they are few, otherwise in files.
type sorter struct {
	dir   string
	text  []byte
	lines [][2]int // from, to in text
	runs  []*os.File
}

// add adds a line with its line break.
func (s *sorter) add(line []byte) error {
	if len(s.text)+len(line) > sortMemory && len(s.lines) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if s.text == nil {
		s.text = make([]byte, 0, firstMemory)
	} else if cap(s.text) < len(s.text)+len(line) { // growing twice as large as it may become would waste memory
		s.text = append(make([]byte, 0, max(min(4*cap(s.text), sortMemory), len(s.text)+len(line))), s.text...)
	}
	from := len(s.text)
	s.text = append(s.text, line...)
	s.lines = append(s.lines, [2]int{from, len(s.text)})
	return nil
}

func (s *sorter) sort() {
	slices.SortFunc(s.lines, func(a, b [2]int) int { return bytes.Compare(s.text[a[0]:a[1]], s.text[b[0]:b[1]]) })
}

// spill writes the lines in memory as a run.
func (s *sorter) spill() error {
	s.sort()
	err := s.run(func(w io.Writer) error {
		for _, l := range s.lines {
			if _, err := w.Write(s.text[l[0]:l[1]]); err != nil {
				return err
			}
		}
		return nil
	})
	s.text, s.lines = s.text[:0], s.lines[:0]
	if err != nil || len(s.runs) < mostRuns {
		return err
	}
	old := s.runs
	s.runs = nil
	defer closeAll(old)
	return s.run(func(w io.Writer) error {
		return mergeRuns(old, func(line []byte) error {
			_, err := w.Write(line)
			return err
		})
	})
}

// run writes an unlinked file: a kill leaves nothing.
func (s *sorter) run(write func(io.Writer) error) error {
	f, err := os.CreateTemp(s.dir, ".sort-*")
	if err != nil {
		return err
	}
	_ = os.Remove(f.Name()) // if an open file cannot be unlinked, Open removes it later
	s.runs = append(s.runs, f)
	b := bufio.NewWriterSize(f, runBuffer)
	return errors.Join(write(b), b.Flush())
}

// each visits all lines in order. They are valid during the call.
func (s *sorter) each(visit func(line []byte) error) error {
	if len(s.runs) > 0 && len(s.lines) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if len(s.runs) > 0 {
		return mergeRuns(s.runs, visit)
	}
	s.sort()
	for _, l := range s.lines {
		if err := visit(s.text[l[0]:l[1]]); err != nil {
			return err
		}
	}
	return nil
}

func (s *sorter) close() { closeAll(s.runs) }

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close() // no longer needed
		_ = os.Remove(f.Name())
	}
}

// mergeRuns merges sorted files.
func mergeRuns(files []*os.File, visit func(line []byte) error) error {
	var all []*cursor
	for _, f := range files {
		size, err := f.Seek(0, io.SeekEnd)
		if err != nil {
			return fmt.Errorf("reading a temporary file: %w", err)
		}
		all = append(all, forward(f, 0, size, runBuffer))
	}
	return merge(all, false, visit)
}
