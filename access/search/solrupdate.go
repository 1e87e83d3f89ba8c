package search

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"quire/access/search/solr"
	"quire/holdings"
	"quire/holdings/captures"
)

// Update implements [Engine]. Captures that are closed now leave Solr first, in all packages. Then it
// reads packages that are new or changed.
func (s *Solr) Update(ctx context.Context) error {
	turn, end, err := s.turn(ctx)
	if err != nil {
		return err
	}
	defer end()
	there, err := s.house.Indexed(ctx)
	if err != nil {
		return err
	}
	f, err := s.readFed(ctx)
	if err != nil {
		return err
	}
	u := &solrUpdate{s: s, turn: turn, fed: f.copied(), now: s.now().Unix()}
	u.epoch, _ = s.house.Epoch() // while the rules are unreadable, everything that they may close is closed
	if u.stamp, err = s.house.Stamp(ctx); err != nil {
		return err
	}
	todo := todoOf(there, f.states())
	if len(todo) > 0 || len(f.packages) > 0 {
		if err := s.note(); err != nil {
			return err
		}
	}
	defer s.setIndexing("")
	if todo, err = u.close(ctx, there, todo); err != nil {
		return err
	}
	for i, p := range todo {
		u.at = Progress{Package: p.name, Packages: len(todo) - i, Documents: u.at.Documents}
		s.setIndexing(fmt.Sprintf("%d of the packages are still being read", len(todo)-i))
		if err := u.take(ctx, p); err != nil {
			return fmt.Errorf("indexing the text of package %s in Solr: %w", p.name, err)
		}
	}
	if s.options.Progress != nil {
		s.options.Progress(Progress{Documents: u.at.Documents})
	}
	s.mu.Lock()
	s.tried = attempt{u.stamp, s.now()}
	s.mu.Unlock()
	return u.commit(ctx)
}

func (s *Solr) setIndexing(indexing string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.indexing = indexing
}

// solrUpdate is one run over the packages.
type solrUpdate struct {
	s     *Solr
	turn  *holdings.Turn
	fed   *fed
	epoch string
	stamp any
	now   int64
	at    Progress

	dirty  bool
	recent map[string]string // pages of payloads that searches do not see yet
}

// close deletes what is closed: packages that are gone or changed, from the collection of open records,
// and closed captures of the others. It returns the packages to read.
func (u *solrUpdate) close(ctx context.Context, there map[string]string, todo []work) ([]work, error) {
	changed := map[string]bool{}
	for _, p := range todo {
		changed[p.name] = true
		if was, known := u.fed.packages[p.name]; known {
			was.state = ""
			if err := u.empty(ctx, p.name, was); err != nil {
				return nil, err
			}
		}
	}
	u.s.mu.Lock()
	again := u.s.tried.due(u.stamp, u.s.now())
	u.s.mu.Unlock()
	for name, p := range u.fed.packages {
		state := there[name]
		if changed[name] || state == "" || p.state != state {
			continue
		}
		due := p.next != 0 && p.next <= u.now
		if p.epoch == u.epoch && !due {
			if p.again && again {
				todo = append(todo, work{name, state})
			}
			continue
		}
		outcome, next, closed, err := u.judge(ctx, name)
		if err != nil {
			return nil, err
		}
		if outcome != p.outcome {
			todo = append(todo, work{name, state})
			if err := u.s.deleteOpen(ctx, name, closed); err != nil {
				return nil, err
			}
			u.dirty = true
			continue
		}
		if p.again && again {
			todo = append(todo, work{name, state})
		}
		p.epoch, p.next = u.epoch, next
		if err := u.record(ctx, name, p); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(todo, func(a, b work) int { return strings.Compare(a.name, b.name) })
	return todo, u.commit(ctx)
}

// empty removes a package from the collection of open records, and marks it as being read: no search has it
// until it is complete.
func (u *solrUpdate) empty(ctx context.Context, name string, p fedPackage) error {
	if u.s.open != nil {
		if err := u.s.open.Delete(ctx, u.s.openPackage(name)); err != nil {
			return err
		}
	}
	return u.record(ctx, name, p)
}

// record writes the state of a package, unless another process feeds Solr by now.
func (u *solrUpdate) record(ctx context.Context, name string, p fedPackage) error {
	if err := u.turn.Alive(ctx); err != nil {
		return err
	}
	u.fed.packages[name], u.dirty = p, true
	return u.s.own.Add(ctx, []map[string]any{p.document(name)})
}

// commit makes all changes visible.
func (u *solrUpdate) commit(ctx context.Context) error {
	u.recent = nil
	if u.dirty {
		if err := u.s.mark(ctx); err != nil {
			return err
		}
		for _, c := range u.s.both() {
			if err := c.Commit(ctx); err != nil {
				return fmt.Errorf("committing to Solr: %w", err)
			}
		}
		u.dirty = false
	}
	f := u.fed.copied()
	var err error
	if f.mark, err = u.s.markOf(ctx); err == nil {
		u.s.keepFed(f)
	}
	return err
}

// openPackage is the query of the captures of a package in the collection of open records.
func (s *Solr) openPackage(name string) string {
	prefix := sourceFile(s.settings.Files, name, "")
	return `{!prefix f=source_file_path v=` + singly(prefix) + `}`
}

// singly returns a text as a value of a local parameter.
func singly(s string) string { return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'" }

// deleteOpen deletes captures of a package from the collection of open records.
func (s *Solr) deleteOpen(ctx context.Context, name string, ids []string) error {
	if s.open == nil {
		return nil
	}
	const some = 500
	for part := range slices.Chunk(ids, some) {
		query := "+" + solr.Within(s.openPackage(name)) + " +" + solr.OneOf("id", part...)
		if err := s.open.Delete(ctx, query); err != nil {
			return err
		}
	}
	return nil
}

// judge returns the digest of the judgements on a package, the next moment of a change, and the open ids of
// its closed captures.
func (u *solrUpdate) judge(ctx context.Context, name string) (outcome string, next int64, closed []string, err error) {
	sum := newOutcome()
	for c, err := range u.s.captures(ctx, name) {
		if err != nil {
			return "", 0, nil, err
		}
		a := u.s.accessTo(c.Capture)
		sum.add(c.Capture, &a)
		if !a.forever {
			closed = append(closed, openID(c.Capture))
		}
	}
	return sum.text(), sum.next, closed, nil
}

// captures returns the captures of a package that are for Solr.
func (s *Solr) captures(ctx context.Context, name string) func(func(holdings.Judged, error) bool) {
	return func(yield func(holdings.Judged, error) bool) {
		for c, err := range s.house.Captures(ctx, holdings.Reader{Class: holdings.Staff},
			captures.Query{Packages: []string{name}}) {
			if err == nil && !feedable(c) {
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// outcome is a digest of judgements.
type outcome struct {
	sum  [sha256.Size]byte
	next int64
}

func newOutcome() *outcome { return &outcome{} }

func (o *outcome) add(c *captures.Capture, a *access) {
	line := append(o.sum[:], captureID(c)...)
	for i := range classes {
		line = binary.BigEndian.AppendUint64(line, uint64(a.from[i])) //nolint:gosec // any bits will do
		line = binary.BigEndian.AppendUint64(line, uint64(a.to[i]))   //nolint:gosec // any bits will do
	}
	o.sum = sha256.Sum256(line)
	if a.next != 0 && (o.next == 0 || a.next < o.next) {
		o.next = a.next
	}
}

func (o *outcome) text() string { return hex.EncodeToString(o.sum[:16]) }
