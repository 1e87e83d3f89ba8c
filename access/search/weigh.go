package search

import (
	"context"
	"database/sql"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"quire/access/search/postings"
)

// posting is a document with a term, and its weight.
type posting struct {
	document int32
	weight   float32
}

// weights are the weights of an occurrence in each column of words, in order. A word in another form has
// its stem alone.
var weights = [5]struct {
	column string
	weight float32
}{{"title", 8}, {"url", 3}, {"body", 1}, {"titlestems", 4}, {"bodystems", 0.5}}

// columnsOfText is the number of columns with words; the others have stems.
const columnsOfText = 3

// evaluation finds and ranks the matches of a query, in one snapshot of the index.
type evaluation struct {
	t     *table
	tx    *sql.Tx
	lists *postings.View
	kept  *frequents
	at    []postings.Place // reusable buffer
	other []postings.Place
}

// evaluate returns the documents with a term of each group and without excluded terms, ascending,
// with their scores. Only documents with all terms are weighed.
func (e *evaluation) evaluate(ctx context.Context, q *question) ([]posting, error) {
	var in set
	var terms []*occurrences
	for i, group := range q.all {
		var one set
		for n, t := range group {
			o, err := e.term(ctx, &t)
			if err != nil {
				return nil, err
			}
			terms = append(terms, o)
			if n == 0 {
				one = slices.Clone(o.in)
				continue
			}
			for w := range one {
				one[w] |= o.in[w]
			}
		}
		if i == 0 {
			in = one
			continue
		}
		for w := range in {
			in[w] &= one[w]
		}
		if in.len() == 0 {
			return nil, nil
		}
	}
	if err := e.without(ctx, in, q); err != nil {
		return nil, err
	}
	all := in.postings()
	for _, o := range terms {
		e.weigh(all, in, o)
	}
	for i := range all {
		all[i].weight *= boost(int(e.t.documents.id(all[i].document) >> 32))
	}
	return all, nil
}

// without removes the documents with an excluded term.
func (e *evaluation) without(ctx context.Context, in set, q *question) error {
	for _, t := range q.none {
		o, err := e.term(ctx, &t)
		if err != nil {
			return err
		}
		for w := range in {
			in[w] &^= o.in[w]
		}
	}
	return nil
}

// postings lists the documents of a set.
func (s set) postings() []posting {
	all := make([]posting, 0, s.len())
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			all = append(all, posting{document: int32(i*wordBits + bits.TrailingZeros64(w))}) //nolint:gosec // < 2^31
		}
	}
	return all
}

// weigh adds the BM25 score of a term to each document of a set (Robertson and Zaragoza, The
// Probabilistic Relevance Framework, 2009): the sum of those of its columns. The score rises with the rarity of the
// term in the column and its frequency there. That of a text falls with the length of the document.
func (e *evaluation) weigh(all []posting, in set, o *occurrences) {
	const k, b = 1.2, 0.75
	const body = 2
	var rare [len(weights)]float32
	var scores [len(weights)][1 << 8]float32 // by count; the text's without its divisor
	for c, w := range weights {
		rare[c] = w.weight *
			float32(math.Log(1+(float64(e.t.documents.len())-float64(o.have[c])+0.5)/(float64(o.have[c])+0.5)))
		for n := range min(most(c)+1, len(scores[c])) {
			if scores[c][n] = rare[c] * float32(n) * (k + 1); c != body {
				scores[c][n] /= float32(n) + k
			}
		}
	}
	usual := max(e.t.usualLength, 1)
	o.each(in, func(position int, d int32, c counts) {
		sum := scores[0][c.of(0)] + scores[1][c.of(1)]
		if n := c.of(body); n > 0 {
			sum += scores[body][n] / (float32(n) + k*(1-b+b*float32(e.t.documents.length(d))/usual))
		}
		all[position].weight += sum + scores[3][c.of(3)] + scores[4][c.of(4)]
	})
}

// term returns the documents with a term, and its occurrences.
func (e *evaluation) term(ctx context.Context, t *term) (*occurrences, error) {
	key := t.expression()
	if o := e.kept.get(key); o != nil {
		return o, nil
	}
	list, err := e.read(ctx, t)
	if err != nil {
		return nil, err
	}
	o := collect(e.t.documents.len(), list)
	e.kept.put(e.t.documents.len(), key, o)
	return o, nil
}

// read returns the documents with a term and its occurrences, in any order; one document possibly twice.
func (e *evaluation) read(ctx context.Context, t *term) ([]occurrence, error) {
	if t.prefix {
		return e.beginning(ctx, t)
	}
	all, err := e.phrase(ctx, nil, t.tokens, t.column)
	for _, stem := range t.stems {
		if err != nil {
			break
		}
		column := t.column
		if column == "title" {
			column = "titlestems"
		}
		all, err = e.phrase(ctx, all, []string{stem}, column)
	}
	return all, err
}

// word adds the documents with a token.
func (e *evaluation) word(ctx context.Context, all []occurrence, token, column string) ([]occurrence, error) {
	err := e.lists.Each(ctx, token, func(row int64, raw []byte) {
		d, ok := e.t.document(row)
		if !ok {
			return
		}
		var n [len(weights)]int
		postings.Count(n[:], raw)
		if c := packed(&n) & ofColumn(column); c != 0 {
			all = append(all, occurrence{d, c})
		}
	})
	return all, err
}

// ofColumn returns the bits of a column in counts; all for "".
func ofColumn(column string) (bits counts) {
	for i, w := range weights {
		if column == "" || column == w.column {
			bits |= counts(most(i) << fields[i].shift) //nolint:gosec // they fill 32 bits
		}
	}
	return bits
}

// phrase adds the documents with tokens in this order.
func (e *evaluation) phrase(ctx context.Context, all []occurrence, tokens []string, column string) (
	[]occurrence, error,
) {
	if len(tokens) == 1 {
		return e.word(ctx, all, tokens[0], column)
	}
	var err error
	cursors := make([]*postings.Cursor, len(tokens))
	for i, token := range tokens {
		if cursors[i], err = e.lists.Word(ctx, token); err != nil {
			break
		}
	}
	if err == nil {
		all = e.intersect(all, cursors, column)
	}
	for _, c := range cursors {
		if c != nil {
			if closing := c.Close(); err == nil {
				err = closing
			}
		}
	}
	return all, err
}

// intersect intersects the lists of the words of a phrase: in documents with all of them, their
// positions decide.
func (e *evaluation) intersect(all []occurrence, cursors []*postings.Cursor, column string) []occurrence {
	for meet(cursors) {
		if c := e.counts(cursors) & ofColumn(column); c != 0 {
			if d, ok := e.t.document(cursors[0].Row); ok {
				all = append(all, occurrence{d, c})
			}
		}
	}
	return all
}

// meet advances all cursors to the next common row. It returns false if there is none.
func meet(cursors []*postings.Cursor) bool {
	if !cursors[0].Next() {
		return false
	}
	row := cursors[0].Row
	for i := 0; i < len(cursors); i++ {
		c := cursors[i]
		for c.Raw == nil || c.Row < row {
			if !c.Next() {
				return false
			}
		}
		if c.Row > row {
			row, i = c.Row, -1 // restart from the first
		}
	}
	return true
}

// counts returns the number of a phrase's occurrences in the current document.
func (e *evaluation) counts(cursors []*postings.Cursor) counts {
	var n [len(weights)]int
	e.at = postings.Places(e.at[:0], cursors[0].Raw)
	for i, c := range cursors[1:] {
		e.other = postings.Places(e.other[:0], c.Raw)
		e.at = behind(e.at, e.other, postings.Place(i+1))
	}
	for _, p := range e.at {
		if c := p.Column(); c >= 0 && c < len(n) {
			n[c]++
		}
	}
	return packed(&n)
}

// behind returns the places of the first list that have a match in the second list: a place that
// follows at distance far. Both lists are ascending.
func behind(all, other []postings.Place, far postings.Place) []postings.Place {
	kept, o := all[:0], 0
	for _, p := range all {
		for o < len(other) && other[o] < p+far {
			o++
		}
		if o == len(other) {
			break
		}
		if other[o] == p+far {
			kept = append(kept, p)
		}
	}
	return kept
}

// beginning returns the documents with words that begin with a prefix. FTS5 expands the prefix
// itself, and does not report the words or their counts.
func (e *evaluation) beginning(ctx context.Context, t *term) (all []occurrence, err error) {
	for i, c := range weights[:columnsOfText] {
		if t.column != "" && t.column != c.column {
			continue
		}
		in := term{tokens: t.tokens, prefix: true, column: c.column}
		var list sql.NullString // one text: a row for each would cost more than the search
		if err := e.tx.QueryRowContext(ctx, `SELECT group_concat(rowid) FROM words WHERE words MATCH ?`,
			in.expression()).Scan(&list); err != nil {
			return nil, err
		}
		for rest := list.String; rest != ""; {
			var number string
			number, rest, _ = strings.Cut(rest, ",")
			id, err := strconv.ParseInt(number, 10, 64)
			if err != nil {
				return nil, err
			}
			if d, ok := e.t.document(id); ok {
				all = append(all, occurrence{d, 1 << fields[i].shift})
			}
		}
	}
	return all, nil
}

// boost returns the score factor for documents near the front of their site.
func boost(worth int) float32 {
	const front, near = 1.0, 0.35
	if worth == 0 {
		return 1 + front
	}
	return 1 + near/float32(worth)
}
