package search

import (
	"context"
	"database/sql"
	"math"
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
	at    []postings.Place // reusable buffer
	other []postings.Place
}

// evaluate returns the documents with a term of each group and without excluded terms, ascending,
// with their scores.
func (e *evaluation) evaluate(ctx context.Context, q *question) (all []posting, err error) {
	for i, group := range q.all {
		var one []posting
		for _, t := range group {
			list, err := e.scored(ctx, &t)
			if err != nil {
				return nil, err
			}
			one = union(one, list)
		}
		if i == 0 {
			all = one
		} else {
			all = both(all, one)
		}
		if len(all) == 0 {
			return nil, nil
		}
	}
	out, err := e.out(ctx, q)
	if err != nil {
		return nil, err
	}
	all = without(all, out)
	for i := range all {
		all[i].weight *= boost(int(e.t.documents.at(all[i].document).id >> 32))
	}
	return all, nil
}

// out returns the documents with an excluded term.
func (e *evaluation) out(ctx context.Context, q *question) (all []posting, err error) {
	for _, t := range q.none {
		list, err := e.term(ctx, &t)
		if err != nil {
			return nil, err
		}
		found := make([]posting, len(list))
		for i := range list {
			found[i].document = list[i].document
		}
		all = union(all, found)
	}
	return all, nil
}

// occurrence is a document with a term, and how often each column has it.
type occurrence struct {
	document int32
	counts   [len(weights)]uint8 // at most 255
}

// scored returns the BM25 score of a term in each document (Robertson and Zaragoza, The
// Probabilistic Relevance Framework, 2009): the sum of those of its columns. The score rises with the rarity of the
// term in the column and its frequency there. That of a text falls with the length of the document.
func (e *evaluation) scored(ctx context.Context, t *term) ([]posting, error) {
	const k, b = 1.2, 0.75
	all, err := e.term(ctx, t)
	if err != nil {
		return nil, err
	}
	var have [len(weights)]float64
	for i := range all {
		for c, n := range all[i].counts {
			if n > 0 {
				have[c]++
			}
		}
	}
	var rare [len(weights)]float32
	for c := range weights {
		rare[c] = weights[c].weight *
			float32(math.Log(1+(float64(e.t.documents.len())-have[c]+0.5)/(have[c]+0.5)))
	}
	usual := max(e.t.usualLength, 1)
	scores := make([]posting, len(all))
	for i := range all {
		p := &all[i]
		long := float32(e.t.documents.at(p.document).length) / usual
		var sum float32
		for c, n := range p.counts {
			if n == 0 {
				continue
			}
			norm := float32(k)
			if weights[c].column == "body" {
				norm = k * (1 - b + b*long)
			}
			sum += rare[c] * float32(n) * (k + 1) / (float32(n) + norm)
		}
		scores[i] = posting{p.document, sum}
	}
	return scores, nil
}

// term returns the documents with a term, and its occurrences.
func (e *evaluation) term(ctx context.Context, t *term) ([]occurrence, error) {
	if t.prefix {
		return e.beginning(ctx, t)
	}
	all, err := e.phrase(ctx, t.tokens, t.column)
	for _, stem := range t.stems {
		if err != nil {
			break
		}
		column := t.column
		if column == "title" {
			column = "titlestems"
		}
		var other []occurrence
		if other, err = e.phrase(ctx, []string{stem}, column); len(other) > 0 {
			all = together(all, other)
		}
	}
	return all, err
}

// phrase returns the documents with tokens in this order.
func (e *evaluation) phrase(ctx context.Context, tokens []string, column string) (all []occurrence, err error) {
	cursors := make([]*postings.Cursor, len(tokens))
	for i, token := range tokens {
		if cursors[i], err = e.lists.Word(ctx, token); err != nil {
			break
		}
	}
	if err == nil {
		all = e.intersect(cursors, column)
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
func (e *evaluation) intersect(cursors []*postings.Cursor, column string) (all []occurrence) {
	for meet(cursors) {
		d, ok := e.t.document(cursors[0].Row)
		if !ok || len(all) > 0 && all[len(all)-1].document == d {
			continue
		}
		if counts, ok := e.counts(cursors, column); ok {
			all = append(all, occurrence{d, counts})
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
func (e *evaluation) counts(cursors []*postings.Cursor, column string) (all [len(weights)]uint8, found bool) {
	const most = 255
	var counts [len(weights)]int
	if len(cursors) == 1 {
		postings.Count(counts[:], cursors[0].Raw)
	} else {
		e.at = postings.Places(e.at[:0], cursors[0].Raw)
		for i, c := range cursors[1:] {
			e.other = postings.Places(e.other[:0], c.Raw)
			e.at = behind(e.at, e.other, postings.Place(i+1))
		}
		for _, p := range e.at {
			if n := p.Column(); n >= 0 && n < len(counts) {
				counts[n]++
			}
		}
	}
	for i, w := range weights {
		if column == "" || column == w.column {
			all[i] = uint8(min(counts[i], most)) //nolint:gosec // it is bounded just here
			found = found || counts[i] > 0
		}
	}
	return all, found
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
		var found []occurrence
		for rest := list.String; rest != ""; {
			var number string
			number, rest, _ = strings.Cut(rest, ",")
			id, err := strconv.ParseInt(number, 10, 64)
			if err != nil {
				return nil, err
			}
			if d, ok := e.t.document(id); ok {
				o := occurrence{document: d}
				o.counts[i] = 1
				found = append(found, o)
			}
		}
		all = together(all, found)
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

// union merges two lists, and adds the weights of common documents.
func union(a, b []posting) []posting {
	if len(a) == 0 {
		return b
	}
	all := make([]posting, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].document < b[0].document:
			all, a = append(all, a[0]), a[1:]
		case a[0].document > b[0].document:
			all, b = append(all, b[0]), b[1:]
		default:
			all, a, b = append(all, posting{a[0].document, a[0].weight + b[0].weight}), a[1:], b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// together merges two lists, and adds the occurrences in common documents.
func together(a, b []occurrence) []occurrence {
	if len(a) == 0 {
		return b
	}
	const most = 255
	all := make([]occurrence, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].document < b[0].document:
			all, a = append(all, a[0]), a[1:]
		case a[0].document > b[0].document:
			all, b = append(all, b[0]), b[1:]
		default:
			o := a[0]
			for c, n := range b[0].counts {
				o.counts[c] = uint8(min(int(o.counts[c])+int(n), most)) //nolint:gosec // it is bounded just here
			}
			all, a, b = append(all, o), a[1:], b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// both returns the documents common to two lists.
func both(a, b []posting) []posting {
	kept := a[:0]
	for _, p := range a {
		for len(b) > 0 && b[0].document < p.document {
			b = b[1:]
		}
		if len(b) > 0 && b[0].document == p.document {
			kept = append(kept, posting{p.document, p.weight + b[0].weight})
		}
	}
	return kept
}

// without returns the first list without the documents of the second.
func without(all, out []posting) []posting {
	if len(out) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(p posting) bool {
		for len(out) > 0 && out[0].document < p.document {
			out = out[1:]
		}
		return len(out) > 0 && out[0].document == p.document
	})
}
