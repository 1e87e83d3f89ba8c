package inspect

import (
	"bufio"
	"encoding/gob"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"

	"quire/format/fault"
	"quire/model"
)

// Held keeps the results of a call until all its files are read, because what shows only when files are compared belongs
// among the findings of the file that it is about. They wait in a temporary file, so that memory does not grow with their
// number.
//
//	held, err := inspect.Hold(set)
//	... held.Add(container)            // for each file
//	for container, err := range held.All() { ... }
type Held struct {
	set  *Set
	file *os.File
	out  *bufio.Writer
	enc  *gob.Encoder
	rest []model.Finding // of Finish, those that are about no file
}

// Hold begins with no results. The caller closes it.
func Hold(set *Set) (*Held, error) {
	f, err := os.CreateTemp("", "quire-held-*")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // most systems let an open file go on without its name: a kill leaves nothing; if not, Close does it
	h := &Held{set: set, file: f, out: bufio.NewWriter(f)}
	h.enc = gob.NewEncoder(h.out)
	return h, nil
}

// Add keeps a result.
func (h *Held) Add(c *model.Container) error { return h.enc.Encode(c) }

// Close gives the room on disk back.
func (h *Held) Close() error {
	err := h.file.Close()
	if gone := os.Remove(h.file.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// Rest holds, once All was called, the findings of the comparison that are about no single file.
func (h *Held) Rest() []model.Finding { return h.rest }

// All compares the files, and gives the results in the order in which they were added, each with what was found.
func (h *Held) All() iter.Seq2[*model.Container, error] {
	about := map[string][]model.Finding{}
	h.rest = nil
	for _, f := range h.set.Finish() {
		if f.Path == "" {
			h.rest = append(h.rest, f)
			continue
		}
		about[f.Path] = append(about[f.Path], f)
	}
	return func(yield func(*model.Container, error) bool) {
		if err := h.rewind(); err != nil {
			yield(nil, err)
			return
		}
		for results := gob.NewDecoder(bufio.NewReader(h.file)); ; {
			c := &model.Container{}
			err := results.Decode(c)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			h.set.amend(c, about[c.Path])
			if !yield(c, nil) {
				return
			}
		}
	}
}

func (h *Held) rewind() error {
	if err := h.out.Flush(); err != nil {
		return err
	}
	_, err := h.file.Seek(0, io.SeekStart)
	return err
}

// amend adds findings to a result as the pass would have: all are counted, of each code so many are listed, and one error
// makes a container invalid.
func (s *Set) amend(c *model.Container, found []model.Finding) {
	again := findings{limit: s.options.limit(), counts: map[fault.Code]int64{}, kept: c.Findings, options: s.options}
	for code, n := range c.FindingCounts {
		again.counts[fault.Code(code)] = n
	}
	for _, f := range found {
		f.Path = "" // the result says it
		again.count(f)
	}
	c.Findings, c.FindingCounts = again.kept, again.byCode()
	c.FindingsTotal += again.total
	if again.errors > 0 && c.Outcome == model.Valid {
		c.Outcome = model.Invalid
	}
}
