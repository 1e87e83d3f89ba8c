package search

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"quire/access/search/words"
)

// The index has the tokens of package words, in texts and in queries:
// 東京タワー becomes 東京 京タ タワ ワー ー. They are separated by spaces, so FTS5 need
// not split, and need not know Unicode.

// tokenizer is the tokenizer option of SQLite: all other characters than these separate tokens. Signs are
// parts of names (C++), a full stop is in stems.
const tokenizer = `tokenize = "ascii tokenchars '+#.'"`

// forIndex returns a text in the form for the index.
func forIndex(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for w := words.Scan(s); w.Next(); {
		b.Write(w.Token())
		b.WriteByte(' ')
	}
	return b.String()
}

// stemsOf returns the stems of the words of a text, each once: their number says nothing more than that of the
// words.
func stemsOf(s, language string, cache *words.Cache) string {
	if !words.HasStems(language) {
		return ""
	}
	var b strings.Builder
	seen := map[string]bool{}
	for w := words.Scan(s); w.Next(); {
		for _, stem := range cache.Stems(w, language) {
			if !seen[stem] {
				seen[stem] = true
				b.WriteString(stem)
				b.WriteByte(' ')
			}
		}
	}
	return b.String()
}

// caches have the stems of frequent words, one for each goroutine that needs it.
var caches = sync.Pool{New: func() any { return new(words.Cache) }}

// elided are articles and other small words before an apostrophe: who looks for l'opéra means all'opera, too.
var elided = map[string]bool{"l": true, "d": true, "j": true, "m": true, "t": true, "s": true, "n": true, "c": true,
	"qu": true, "jusqu": true, "lorsqu": true, "puisqu": true, "all": true, "dall": true, "dell": true, "nell": true,
	"sull": true, "coll": true, "un": true, "quest": true, "quell": true}

// read sets the tokens of a term. A single letter of a script without spaces is the prefix of a token. A
// quotation is searched exactly.
func (t *term) read(s string, quoted bool) {
	if first, rest, ok := cutApostrophe(s); ok && !quoted && elided[strings.ToLower(first)] {
		s = rest
	}
	kind := words.Word
	w := words.Scan(s)
	for w.Next() {
		t.tokens, kind = append(t.tokens, string(w.Token())), w.Kind()
		t.written = w.Written()
	}
	switch {
	case kind == words.Last: // a longer run may begin so
		t.tokens = t.tokens[:len(t.tokens)-1]
	case kind == words.Single:
		t.prefix = true
	}
	if len(t.tokens) != 1 || quoted || t.column == "url" {
		t.written = ""
	}
}

func cutApostrophe(s string) (first, rest string, ok bool) {
	if i := strings.IndexAny(s, "'’"); i > 0 {
		rest = strings.TrimLeft(s[i:], "'’")
		return s[:i], rest, rest != "" && strings.IndexFunc(rest, unicode.IsLetter) == 0
	}
	return s, "", false
}

// stem adds the stems of the words of a query, by the languages of the index.
func (q *question) stem(languages []string) {
	for g := range q.all {
		for i := range q.all[g] {
			t := &q.all[g][i]
			t.stems = nil
			if t.prefix || t.written == "" {
				continue
			}
			for _, language := range languages {
				t.stems = append(t.stems, words.Stems(language, t.written, t.tokens[0])...)
			}
		}
	}
}

// stemmed returns the languages of the documents that have stems.
func (t *table) stemmed() (all []string) {
	for _, language := range words.Stemmed {
		if slices.Contains(t.languages, language) {
			all = append(all, language)
		}
	}
	return all
}

// expression returns the FTS5 expression of a query; "" if it is empty. Each token is quoted, and
// contains only letters, marks, digits and the signs of names: so a query cannot inject syntax.
func (q *question) expression() string {
	var groups []string
	for _, group := range q.all {
		groups = append(groups, anyOf(group))
	}
	return strings.Join(groups, " AND ")
}

// unwanted returns the FTS5 expression of the excluded terms.
func (q *question) unwanted() string {
	if len(q.none) == 0 {
		return ""
	}
	return anyOf(q.none)
}

func anyOf(terms []term) string {
	parts := make([]string, len(terms))
	for i, t := range terms {
		parts[i] = t.expression()
	}
	return "(" + strings.Join(parts, " OR ") + ")"
}

func (t *term) expression() string {
	s := `"` + strings.Join(t.tokens, " ") + `"`
	if t.prefix {
		s += " *"
	}
	columns := "{title url body}"
	if t.column != "" {
		columns = t.column
	}
	if t.column != "" || t.prefix {
		s = columns + " : " + s
	}
	if len(t.stems) == 0 {
		return s
	}
	columns = "{titlestems bodystems}"
	if t.column != "" {
		columns = "titlestems"
	}
	return "(" + s + " OR " + columns + ` : ("` + strings.Join(t.stems, `" OR "`) + `"))`
}
