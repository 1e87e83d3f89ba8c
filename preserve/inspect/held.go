package inspect

import (
	"iter"

	"quire/format/fault"
	"quire/internal/spool"
	"quire/model"
)

// Held keeps the results of a call until all its files are read, because what shows only when files
// are compared belongs among the findings of the file that it is about. They wait in a temporary
// file, so that memory does not grow with their number.
//
//	held, err := inspect.Hold(set)
//	... held.Add(container)            // for each file
//	for container, err := range held.All() { ... }
type Held struct {
	set     *Set
	results *spool.Spool[*model.Container]
	rest    []model.Finding // of Finish, those that are about no file
}

// Hold begins with no results. The caller closes it.
func Hold(set *Set) (*Held, error) {
	results, err := spool.New[*model.Container]("")
	return &Held{set: set, results: results}, err
}

// Add keeps a result.
func (h *Held) Add(c *model.Container) error { return h.results.Add(c) }

// Close gives the room on disk back.
func (h *Held) Close() error { return h.results.Close() }

// Rest holds, once All was called, the findings of the comparison that are about no single file.
func (h *Held) Rest() []model.Finding { return h.rest }

// All compares the files, and gives the results in the order in which they were added, each with
// what was found.
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
		for c, err := range h.results.All() {
			if err == nil {
				h.set.amend(c, about[c.Path])
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// amend adds findings to a result as the pass would have: all are counted, of each code so many are
// listed, and one error makes a container invalid.
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
