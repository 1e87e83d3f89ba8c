package search

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"sync"
)

// candidates is how many of those that match are weighed by their words: the first by number, which are those of most worth. The others
// come behind them, by worth.
const candidates = 2000

// weights are those of title, URL and text, for BM25.
const weights = "8.0, 3.0, 1.0"

// matched is what matches the words of a question.
type matched struct {
	all    []int32           // documents, ascending
	scores map[int32]float64 // of candidates, the higher the better
}

// match asks the index of words.
func (s *Search) match(ctx context.Context, t *table, q *question) (*matched, error) {
	wanted, unwanted := q.expression(), q.unwanted()
	if wanted == "" {
		m := &matched{all: make([]int32, len(t.documents))}
		for d := range m.all {
			m.all[d] = int32(d) //nolint:gosec // there are fewer than 2^31
		}
		if unwanted == "" {
			return m, nil
		}
		out, err := s.numbers(ctx, t, unwanted)
		if err != nil {
			return nil, err
		}
		m.all = without(m.all, out)
		return m, nil
	}
	expression := wanted
	if unwanted != "" {
		expression = "(" + wanted + ") NOT " + unwanted
	}
	return s.asked.of(t, expression, func() (*matched, error) { return s.ask(ctx, t, expression, wanted, unwanted) })
}

// ask finds and weighs what matches. The questions that this takes are asked beside each other: each goes through all that match.
func (s *Search) ask(ctx context.Context, t *table, expression, wanted, unwanted string) (*matched, error) {
	var wait sync.WaitGroup
	var byWords, byName map[int32]float64
	var errWords, errName error
	wait.Go(func() { byWords, errWords = s.weigh(ctx, t, expression) })
	all, err := s.numbers(ctx, t, expression)
	if err == nil && len(all) > candidates { // those with the words in title or URL are candidates too, however deep they lie
		named := "{title url} : (" + wanted + ")"
		if unwanted != "" {
			named = "(" + named + ") NOT " + unwanted
		}
		byName, errName = s.weigh(ctx, t, named)
	}
	wait.Wait()
	for _, err := range []error{err, errWords, errName} {
		if err != nil {
			return nil, err
		}
	}
	for d, score := range byName {
		byWords[d] = max(byWords[d], score)
	}
	return &matched{all, byWords}, nil
}

// answers keeps what the latest questions matched: who turns a page or chooses from a facet asks the same again.
type answers struct {
	mu    sync.Mutex
	table *table
	kept  map[string]*matched
	size  int // documents in all
}

// mostKept is how many documents are kept, in all answers.
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
	if a.size += len(m.all) + len(m.scores); a.size > mostKept {
		clear(a.kept)
		a.size = len(m.all)
	}
	a.kept[expression] = m
	return m, nil
}

// numbers finds the documents that match. They come as one text: a row each would cost more than to find them.
func (s *Search) numbers(ctx context.Context, t *table, expression string) ([]int32, error) {
	var list sql.NullString
	err := s.db.QueryRowContext(ctx, `SELECT group_concat(rowid) FROM words WHERE words MATCH ?`, expression).Scan(&list)
	if err != nil {
		return nil, err
	}
	count := strings.Count(list.String, ",") + 1
	if !list.Valid {
		return nil, nil
	}
	all := make([]int32, 0, count)
	dense := count > len(t.documents)/16
	d := int32(0)
	for rest := list.String; rest != ""; {
		var number string
		number, rest, _ = strings.Cut(rest, ",")
		id, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, err
		}
		if dense { // go along: both are ascending
			for int(d) < len(t.documents) && t.documents[d].id < id {
				d++
			}
			if int(d) < len(t.documents) && t.documents[d].id == id {
				all = append(all, d)
			}
			continue
		}
		if d, ok := t.document(id); ok {
			all = append(all, d)
		}
	}
	return all, nil
}

// weigh gives scores to the first documents that match.
func (s *Search) weigh(ctx context.Context, t *table, expression string) (map[int32]float64, error) {
	scores := map[int32]float64{}
	query := `SELECT rowid, bm25(words, ` + weights + `) FROM words WHERE words MATCH ? ORDER BY rowid LIMIT ` + strconv.Itoa(candidates)
	return scores, each(ctx, s.db, query, func(rows *sql.Rows) error {
		var id int64
		var score float64
		if err := rows.Scan(&id, &score); err != nil {
			return err
		}
		if d, ok := t.document(id); ok {
			scores[d] = -score * boost(int(id>>32))
		}
		return nil
	}, expression)
}

// boost is by how much a document counts more that lies near the front of its site.
func boost(worth int) float64 {
	const front, near = 1.0, 0.35
	if worth == 0 {
		return 1 + front
	}
	return 1 + near/float64(worth)
}

// without is a list without those of another; both are ascending.
func without(all, out []int32) []int32 {
	kept := all[:0]
	for _, d := range all {
		for len(out) > 0 && out[0] < d {
			out = out[1:]
		}
		if len(out) == 0 || out[0] != d {
			kept = append(kept, d)
		}
	}
	return kept
}
