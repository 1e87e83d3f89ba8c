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

// Bounds of sorting. Memory is sortMemory and a buffer for each run.
const (
	sortMemory = 32 << 20 // bytes of lines
	mostRuns   = 64       // of them more are made one
	runBuffer  = 64 << 10
)

// sorter puts lines in the order of their bytes, in memory as long as they are few, and else in
// files.
type sorter struct {
	dir   string
	text  []byte
	lines [][2]int // from, to in text
	runs  []*os.File
}

// add takes a line, with its line break.
func (s *sorter) add(line []byte) error {
	if len(s.text)+len(line) > sortMemory && len(s.lines) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	from := len(s.text)
	s.text = append(s.text, line...)
	s.lines = append(s.lines, [2]int{from, len(s.text)})
	return nil
}

func (s *sorter) sort() {
	slices.SortFunc(s.lines, func(a, b [2]int) int { return bytes.Compare(s.text[a[0]:a[1]], s.text[b[0]:b[1]]) })
}

// spill writes what is in memory as a run.
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

// run writes a file that nobody sees: a kill leaves nothing.
func (s *sorter) run(write func(io.Writer) error) error {
	f, err := os.CreateTemp(s.dir, ".sort-*")
	if err != nil {
		return err
	}
	_ = os.Remove(f.Name()) // where an open file may not go on without its name, Open takes it away
	s.runs = append(s.runs, f)
	b := bufio.NewWriterSize(f, runBuffer)
	return errors.Join(write(b), b.Flush())
}

// each gives all lines in order. They hold during the call.
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
		_ = f.Close() // nothing in it is wanted any more
		_ = os.Remove(f.Name())
	}
}

// mergeRuns reads sorted files side by side.
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
