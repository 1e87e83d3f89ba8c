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
		return t.asked.of(q.expression()+" NOT "+q.unwanted(), func() (*matched, error) { return s.ask(ctx, t, q) })
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
	e := &evaluation{t: t, tx: tx, lists: lists, kept: &t.frequent}
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

// answers caches the matches of recent queries of one table: turning a page or selecting a facet repeats the
// query.
type answers struct {
	mu   sync.Mutex
	kept map[string]*matched
	size int // cost of all answers
}

// mostKept limits the cached documents, in all answers together. An answer without documents costs as many as its key
// and its entry take.
const mostKept = 4 << 20

func costOf(expression string, m *matched) int {
	return len(m.all) + (len(expression)+keptEntry)/bytesOfHit
}

// bytesOfHit is the memory of a document in an answer.
const bytesOfHit = 8

func (a *answers) of(expression string, ask func() (*matched, error)) (*matched, error) {
	a.mu.Lock()
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
	if a.kept[expression] != nil {
		return m, nil // another reader asked the same
	}
	if a.kept == nil {
		a.kept = map[string]*matched{}
	}
	cost := costOf(expression, m)
	if a.size += cost; a.size > mostKept {
		clear(a.kept)
		a.size = cost
	}
	a.kept[expression] = m
	return m, nil
}
