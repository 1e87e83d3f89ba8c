package search

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"unicode/utf8"

	"quire/access/search/postings"
	"quire/access/search/words"
)

// Limits of suggestions.
const (
	maxVocabulary   = 300 // pages of lists read for one word
	maxCandidates   = 8   // words tried
	maxSeen         = 50  // documents counted for a word: one with as many is no mistake
	maxSuggestTerms = 6   // words of a query that are corrected
)

// candidate is a word of the index near to one of a query.
type candidate struct {
	word     string
	distance int
	seen     int // documents that the reader may see
}

// suggestion returns a query with other words, with which this reader finds something; "" if there is none. It is for
// a query without a hit, and runs the other one with the same filters. Only titles and texts of documents that the
// reader may see count: else a suggestion would reveal a word of closed content.
func (s *Search) suggestion(ctx context.Context, g *gatherer, q *question, filters []Filter) (string, error) {
	text, err := s.corrected(ctx, g, q)
	if err != nil || text == "" {
		return "", err
	}
	other := parse(text)
	other.filters = append(other.filters, filters...)
	again, err := s.gatherer(ctx, g, other)
	if err != nil {
		return "", err
	}
	if found := again.gather(); found.total+found.elsewhere == 0 {
		return "", nil
	}
	return text, nil
}

// corrected returns a query with words of the index that are near to its own and more frequent; "" if none changes.
func (s *Search) corrected(ctx context.Context, g *gatherer, q *question) (string, error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return "", err
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	lists, err := postings.Open(ctx, tx, "words")
	if err != nil {
		return "", err
	}
	e := &evaluation{t: g.t, tx: tx, lists: lists}
	return q.corrected(func(word string) (string, error) {
		own, err := e.seen(ctx, word, g.sight)
		if err != nil || own >= maxSeen {
			return "", err
		}
		return e.near(ctx, word, own, g.sight)
	})
}

// corrected replaces words in the text of a query. It returns "" if none changes.
func (q *question) corrected(near func(word string) (string, error)) (string, error) {
	text, tried := q.text, 0
	changed := false
	for _, group := range q.all {
		for _, t := range group {
			if t.raw == "" || !correctable(t) || tried >= maxSuggestTerms {
				continue
			}
			tried++
			other, err := near(t.tokens[0])
			if err != nil {
				return "", err
			}
			if other != "" && strings.Count(text, t.raw) == 1 {
				text, changed = strings.Replace(text, t.raw, other, 1), true
			}
		}
	}
	if !changed {
		return "", nil
	}
	return text, nil
}

// correctable reports whether a term is a single word that may be misspelt: four letters of a script with spaces.
func correctable(t term) bool {
	const least = 4
	if len(t.tokens) != 1 || t.prefix || t.column == "url" || utf8.RuneCountInString(t.tokens[0]) < least ||
		strings.ContainsAny(t.tokens[0], "+#.0123456789") {
		return false
	}
	w := words.Scan(t.tokens[0])
	return w.Next() && w.Kind() == words.Word && len(t.tokens[0]) <= 64
}

// near returns the word of the index that is nearest to one of a query; "" for none.
func (e *evaluation) near(ctx context.Context, word string, own int, sees *readerView) (string, error) {
	runes := []rune(word)
	most := 1
	if len(runes) > 5 {
		most = 2
	}
	found := map[string]int{}
	for i, begin := range []string{string(runes[:2]), string(runes[:1]) + string(runes[2:3]),
		string(runes[1]) + string(runes[0]), string(runes[1:3])} {
		// the second letter is missing or one too many, the first two are exchanged, or the first is one too many
		if i > 0 && begin == string(runes[:2]) {
			continue
		}
		if err := e.lists.Words(ctx, begin, maxVocabulary, func(other []byte) {
			if strings.IndexByte(string(other), '.') >= 0 {
				return // a stem
			}
			if d := distance(runes, string(other), most); d > 0 && d <= most {
				found[string(other)] = d
			}
		}); err != nil {
			return "", err
		}
	}
	var all []candidate
	for other, d := range found {
		all = append(all, candidate{word: other, distance: d})
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.word, b.word))
	})
	best := candidate{}
	for _, c := range all[:min(len(all), maxCandidates)] {
		var err error
		if c.seen, err = e.seen(ctx, c.word, sees); err != nil {
			return "", err
		}
		if c.seen > own && (best.word == "" || c.distance == best.distance && c.seen > best.seen) {
			best = c
		}
	}
	return best.word, nil
}

// seen counts the documents with a word in title or text that the reader may see, up to a limit.
func (e *evaluation) seen(ctx context.Context, word string, sees *readerView) (n int, err error) {
	c, err := e.lists.Word(ctx, word)
	if err != nil {
		return 0, err
	}
	for n < maxSeen && c.Next() {
		var counts [len(weights)]int
		postings.Count(counts[:], c.Raw)
		d, ok := e.t.document(c.Row)
		if !ok || counts[0]+counts[2] == 0 { // neither in the title nor in the text
			continue
		}
		open := false
		e.t.capturesOf(d).each(func(i int32) bool {
			open = sees.sees(i)
			return !open
		})
		if open {
			n++
		}
	}
	return n, c.Close()
}

// distance returns the number of letters to change, add, remove or exchange with a neighbour (Damerau,
// Levenshtein, of optimal alignment), or more than most.
func distance(a []rune, word string, most int) int {
	if len(word) > 4*(len(a)+most) {
		return most + 1
	}
	b := []rune(word)
	if max(len(a), len(b))-min(len(a), len(b)) > most {
		return most + 1
	}
	var rows [3][80]int
	if len(b) >= len(rows[0]) {
		return most + 1
	}
	before, last, now := rows[0][:], rows[1][:], rows[2][:]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i, x := range a {
		now[0] = i + 1
		least := now[0]
		for j, y := range b {
			cost := 1
			if x == y {
				cost = 0
			}
			n := min(last[j]+cost, last[j+1]+1, now[j]+1)
			if i > 0 && j > 0 && x == b[j-1] && a[i-1] == y {
				n = min(n, before[j-1]+1)
			}
			now[j+1] = n
			least = min(least, n)
		}
		if least > most {
			return most + 1
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
