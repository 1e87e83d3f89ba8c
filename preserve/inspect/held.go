package inspect

import (
	"iter"

	"quire/format/fault"
	"quire/internal/spool"
	"quire/model"
)

// Held keeps the results of a call until all its files are read, because findings from comparing
// files belong to the file that they describe. They wait in a temporary file, so memory does not
// grow with their number.
//
//	held, err := inspect.Hold(set)
//	... held.Add(container)            // for each file
//	for container, err := range held.All() { ... }
type Held struct {
	set     *Set
	results *spool.Spool[*model.Container]
	rest    []model.Finding // findings of Finish about no single file
}

// Hold returns a Held without results. The caller closes it.
func Hold(set *Set) (*Held, error) {
	results, err := spool.New[*model.Container]("")
	return &Held{set: set, results: results}, err
}

// Add keeps a result.
func (h *Held) Add(c *model.Container) error { return h.results.Add(c) }

// Close removes the temporary file.
func (h *Held) Close() error { return h.results.Close() }

// Rest returns, after All, the findings of the comparison that concern no single file.
func (h *Held) Rest() []model.Finding { return h.rest }

// All compares the files, and returns the results in the order in which they were added, each with
// its new findings.
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

// amend adds findings to a result like the pass: all are counted, a limited number of each code is
// listed, and one error makes a container invalid. If all errors are missing segments, it is incomplete.
func (s *Set) amend(c *model.Container, found []model.Finding) {
	again := findings{limit: s.options.limit(), counts: map[fault.Code]int64{}, kept: c.Findings, options: s.options}
	for code, n := range c.FindingCounts {
		again.counts[fault.Code(code)] = n
	}
	for _, f := range found {
		f.Path = "" // the result has the path
		again.count(f)
	}
	c.Findings, c.FindingCounts = again.kept, again.byCode()
	c.FindingsTotal += again.total
	if c.Outcome == model.Valid {
		c.Outcome = again.outcome()
	}
}
