package search

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"
)

// fed is the state of the packages in Solr, as Solr itself keeps it: several machines may write and ask.
type fed struct {
	mark     int64 // changes with each update
	packages map[string]fedPackage
}

// fedPackage is the state of a package in Solr.
type fedPackage struct {
	state   string // of the package when it was read; "" while it is
	epoch   string // of the rules when its captures were judged
	outcome string // digest of these judgements
	next    int64  // when a judgement changes by the clock, in seconds; 0 if none does
	pass    int64  // of the reading: captures of an earlier one are gone
	again   bool   // some payloads could not be read
}

// Kinds of documents in the collection of Quire.
const (
	ofCaptures = "quire_kind:capture"
	ofPackages = "quire_kind:package"
	markID     = "state"
)

// solrForm begins the state of a package whose words are folded and split as today.
const solrForm = "2 "

func (f *fed) states() map[string]string {
	all := make(map[string]string, len(f.packages))
	for name, p := range f.packages {
		all[name] = p.state
	}
	return all
}

// document returns the document of a package's state.
func (p *fedPackage) document(name string) map[string]any {
	again := 0
	if p.again {
		again = 1
	}
	state := p.state
	if state != "" {
		state = solrForm + state
	}
	return map[string]any{"id": packageID(name), "quire_kind": "package", "quire_page": packageID(name),
		"quire_package": name, "quire_state": state, "quire_epoch": p.epoch, "quire_outcome": p.outcome,
		"quire_next": p.next, "quire_pass": p.pass, "quire_again": again}
}

func packageID(name string) string { return "package " + name }

// readFed reads the state of all packages.
func (s *Solr) readFed(ctx context.Context) (*fed, error) {
	f := &fed{packages: map[string]fedPackage{}}
	var err error
	if f.mark, err = s.markOf(ctx); err != nil {
		return nil, err
	}
	const some = 5000
	for cursor := "*"; ; {
		var answer struct {
			NextCursorMark string
			Response       struct {
				Docs []struct {
					Name    string `json:"quire_package"`
					State   string `json:"quire_state"`
					Epoch   string `json:"quire_epoch"`
					Outcome string `json:"quire_outcome"`
					Next    int64  `json:"quire_next"`
					Pass    int64  `json:"quire_pass"`
					Again   int    `json:"quire_again"`
				}
			}
		}
		err := s.own.Select(ctx, map[string]any{"query": ofPackages, "limit": some, "sort": "id asc",
			"fields": "quire_package,quire_state,quire_epoch,quire_outcome,quire_next,quire_pass,quire_again",
			"params": map[string]any{"cursorMark": cursor}}, &answer)
		if err != nil {
			return nil, fmt.Errorf("reading which packages Solr has: %w", err)
		}
		for _, d := range answer.Response.Docs {
			state, ok := strings.CutPrefix(d.State, solrForm)
			if !ok {
				state = "" // its words have another form: it is read again
			}
			f.packages[d.Name] = fedPackage{state, d.Epoch, d.Outcome, d.Next, d.Pass, d.Again > 0}
		}
		if answer.NextCursorMark == cursor || answer.NextCursorMark == "" {
			return f, nil
		}
		cursor = answer.NextCursorMark
	}
}

// markOf returns the mark of the latest update.
func (s *Solr) markOf(ctx context.Context) (int64, error) {
	var answer struct {
		Response struct {
			Docs []struct {
				Mark int64 `json:"quire_pass"`
			}
		}
	}
	err := s.own.Select(ctx, map[string]any{"query": "id:" + markID, "limit": 1, "fields": "quire_pass"}, &answer)
	if err != nil || len(answer.Response.Docs) == 0 {
		return 0, err
	}
	return answer.Response.Docs[0].Mark, nil
}

// mark writes the mark of an update.
func (s *Solr) mark(ctx context.Context) error {
	return s.own.Add(ctx, []map[string]any{{"id": markID, "quire_kind": "state", "quire_page": markID,
		"quire_pass": time.Now().UnixNano()}})
}

// current returns the state of the packages. A process that updates knows it; others look every few
// seconds.
func (s *Solr) current(ctx context.Context) (*fed, error) {
	const lookAfter = 3 * time.Second
	s.mu.Lock()
	f, at := s.fed, s.lookedAt
	s.mu.Unlock()
	if f != nil && time.Since(at) < lookAfter {
		return f, nil
	}
	mark, err := s.markOf(ctx)
	if err != nil {
		return nil, err
	}
	if f == nil || f.mark != mark {
		if f, err = s.readFed(ctx); err != nil {
			return nil, err
		}
	}
	s.keepFed(f)
	return f, nil
}

func (s *Solr) keepFed(f *fed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fed, s.lookedAt = f, time.Now()
}

func (s *Solr) forgetFed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fed, s.views = nil, nil
}

// copied returns a copy that an update may change.
func (f *fed) copied() *fed { return &fed{f.mark, maps.Clone(f.packages)} }
