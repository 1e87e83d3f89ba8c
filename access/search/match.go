package search

import (
	"context"
	"database/sql"
	"sync"

	"quire/access/search/postings"
)

// matched is the list of documents that match the words of a query.
type matched struct {
	all []posting // ascending; without words all scores are zero
}

// match queries the word index, or its cache.
func (s *Search) match(ctx context.Context, t *table, q *question) (*matched, error) {
	q.stem(t.stemmed())
	if len(q.all) > 0 || len(q.none) > 0 {
		return s.asked.of(t, q.expression()+" NOT "+q.unwanted(), func() (*matched, error) { return s.ask(ctx, t, q) })
	}
	return &matched{t.everything()}, nil
}

// everything returns all documents.
func (t *table) everything() []posting {
	all := make([]posting, t.documents.len())
	for d := range all {
		all[d].document = int32(d) //nolint:gosec // there are fewer than 2^31
	}
	return all
}

// ask reads the lists of the words of a query.
func (s *Search) ask(ctx context.Context, t *table, q *question) (m *matched, err error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	lists, err := postings.Open(ctx, tx, "words")
	if err != nil {
		return nil, err
	}
	e := &evaluation{t: t, tx: tx, lists: lists, kept: &s.frequent}
	m = &matched{}
	if len(q.all) > 0 {
		m.all, err = e.evaluate(ctx, q)
		return m, err
	}
	in := newSet(t.documents.len())
	for d := range t.documents.len() {
		in.add(int32(d)) //nolint:gosec // there are fewer than 2^31
	}
	err = e.without(ctx, in, q)
	m.all = in.postings()
	return m, err
}

// answers caches the matches of recent queries: turning a page or selecting a facet repeats the
// query.
type answers struct {
	mu    sync.Mutex
	table *table
	kept  map[string]*matched
	size  int // total number of documents
}

// mostKept limits the cached documents, in all answers together.
const mostKept = 4 << 20

func (a *answers) of(t *table, expression string, ask func() (*matched, error)) (*matched, error) {
	a.mu.Lock()
	if a.table != t {
		a.table, a.kept, a.size = t, map[string]*matched{}, 0
	}
	m := a.kept[expression]
	a.mu.Unlock()
	if m != nil {
		return m, nil
	}
	m, err := ask()
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.table != t {
		return m, nil
	}
	if a.size += len(m.all); a.size > mostKept {
		clear(a.kept)
		a.size = len(m.all)
	}
	a.kept[expression] = m
	return m, nil
}
