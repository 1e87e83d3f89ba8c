package search

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The bounds of weighing. To weigh words, FTS5 goes through all that match once more, for each word and each phrase of a question: of those
// that are in very many documents, that takes longer than a reader waits, and says little.
const (
	candidates = 2000   // so many that match are weighed: the first by number, which are those of most worth; the others come behind them
	frequent   = 20_000 // of more that match, only titles and URLs are weighed; of phrases when more match than are candidates
	halved     = 10_000 // of more documents, two halves are searched beside each other
)

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
	return s.asked.of(t, expression, func() (*matched, error) { return s.ask(ctx, t, q, expression) })
}

// ask finds what matches, and then weighs as much of it as its number allows.
func (s *Search) ask(ctx context.Context, t *table, q *question, expression string) (*matched, error) {
	all, err := s.numbers(ctx, t, expression)
	if err != nil {
		return nil, err
	}
	m := &matched{all, map[int32]float64{}}
	var wait sync.WaitGroup
	var byName map[int32]float64
	var errWords, errName error
	if len(all) > candidates { // those with the words in title or URL are candidates too, however deep they lie
		wait.Go(func() { byName, errName = s.weigh(ctx, t, "names", q.expression()) })
	}
	if len(all) > 0 && (len(all) <= candidates || len(all) <= frequent && !q.hasPhrase()) {
		m.scores, errWords = s.weigh(ctx, t, "words", expression)
	}
	wait.Wait()
	if err := cmp.Or(errWords, errName); err != nil {
		return nil, err
	}
	for d, score := range byName {
		if _, ok := slices.BinarySearch(all, d); ok { // what is not wanted may be in the text
			m.scores[d] = max(m.scores[d], score)
		}
	}
	return m, nil
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

// numbers finds the documents that match, ascending: of many, the first half and the second at the same time.
func (s *Search) numbers(ctx context.Context, t *table, expression string) ([]int32, error) {
	const everything = math.MaxInt64
	if len(t.documents) < halved {
		return s.numbersIn(ctx, t, expression, 0, everything)
	}
	middle := t.documents[len(t.documents)/2].id
	var wait sync.WaitGroup
	var second []int32
	var errSecond error
	wait.Go(func() { second, errSecond = s.numbersIn(ctx, t, expression, middle, everything) })
	first, err := s.numbersIn(ctx, t, expression, 0, middle-1)
	wait.Wait()
	return append(first, second...), cmp.Or(err, errSecond)
}

// numbersIn finds those whose numbers are in a range. They come as one text: a row each would cost more than to find them.
func (s *Search) numbersIn(ctx context.Context, t *table, expression string, from, to int64) ([]int32, error) {
	var list sql.NullString
	err := s.db.QueryRowContext(ctx, `SELECT group_concat(rowid) FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?`, expression, from, to).Scan(&list)
	if err != nil {
		return nil, err
	}
	if !list.Valid {
		return nil, nil
	}
	count := strings.Count(list.String, ",") + 1
	all := make([]int32, 0, count)
	dense := count > len(t.documents)/16
	d, _ := t.document(from) // or the first behind it
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

// weigh gives scores to the first documents that match in a table, words or names.
func (s *Search) weigh(ctx context.Context, t *table, in, expression string) (map[int32]float64, error) {
	scores := map[int32]float64{}
	query := `SELECT rowid, bm25(` + in + `, ` + weights + `) FROM ` + in + ` WHERE ` + in + ` MATCH ? ORDER BY rowid LIMIT ` + strconv.Itoa(candidates)
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
