package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quire/access/search/words"
)

// The size of snippets, in bytes.
const (
	snippetSize = 300
	searched    = 64 << 10 // bytes of a text scanned for a snippet
)

// wanted is a searched token, for highlighting.
type wanted struct {
	token  string
	prefix bool
	stem   bool
}

// highlighter finds the words of a query in texts of one language.
type highlighter struct {
	wanted   []wanted
	language string
	cache    words.Cache
	begins   map[byte]bool // of the first bytes of stems: only words that begin so have one of them
}

// highlighter returns a highlighter for the tokens searched in some columns; "" means the terms without a
// column.
func (q *question) highlighter(language string, columns ...string) *highlighter {
	h := &highlighter{language: language, begins: map[byte]bool{}}
	for _, group := range q.all {
		for _, t := range group {
			if !slices.Contains(columns, t.column) {
				continue
			}
			for i, token := range t.tokens {
				h.wanted = append(h.wanted, wanted{token: token, prefix: t.prefix && i == len(t.tokens)-1})
			}
			for _, stem := range t.stems {
				if strings.HasSuffix(stem, "."+language) {
					h.wanted = append(h.wanted, wanted{token: stem, stem: true})
					h.begins[stem[0]] = true
				}
			}
		}
	}
	return h
}

// describe sets the title and the snippet of a hit.
func (q *question) describe(h *Hit, title, body, description string) {
	h.Title = q.highlighter(h.Language, "", "title").highlight(cmp.Or(title, lastOf(h.URL)))
	h.Snippet = q.highlighter(h.Language, "").snippet(body, description)
}

// mark is the position of a match.
type mark struct{ from, to, which int }

// marks finds the words of the query in a text.
func (h *highlighter) marks(s string) (all []mark) {
	if len(h.wanted) == 0 {
		return nil
	}
	for w := words.Scan(s); w.Next(); {
		which := h.which(w)
		if which < 0 || w.Kind() == words.Last && !h.wanted[which].prefix {
			continue
		}
		from, mid, to := w.Place()
		if h.wanted[which].prefix && w.Kind() == words.Pair && len(h.wanted[which].token) < len(w.Token()) {
			to = mid // a single letter was asked for
		}
		if n := len(all); n > 0 && all[n-1].to > from { // two form a token, and the second starts the next one
			all[n-1].to = max(all[n-1].to, to)
			continue
		}
		all = append(all, mark{from, to, which})
	}
	return all
}

// which returns the number of the word of the query that the current token matches; -1 for none.
func (h *highlighter) which(w *words.Scanner) int {
	token := w.Token()
	for i := range h.wanted {
		switch x := &h.wanted[i]; {
		case x.stem:
		case string(token) == x.token, x.prefix && strings.HasPrefix(string(token), x.token):
			return i
		}
	}
	if !h.begins[token[0]] && (len(h.begins) == 0 || h.language != "ar") { // Arabic stems lose beginnings
		return -1
	}
	for _, stem := range h.cache.Stems(w, h.language) {
		for i := range h.wanted {
			if h.wanted[i].stem && h.wanted[i].token == stem {
				return i
			}
		}
	}
	return -1
}

// highlight splits a text into spans.
func (h *highlighter) highlight(s string) []Span { return spans(s, h.marks(s)) }

func spans(s string, all []mark) (out []Span) {
	at := 0
	for _, m := range all {
		if m.from > at {
			// adjacent matches become one mark
			if gap := s[at:m.from]; len(out) > 0 && strings.TrimSpace(gap) == "" {
				out[len(out)-1].Text += gap + s[m.from:m.to]
				at = m.to
				continue
			}
			out = append(out, Span{Text: s[at:m.from]})
		}
		out = append(out, Span{s[m.from:m.to], true})
		at = m.to
	}
	if at < len(s) {
		out = append(out, Span{Text: s[at:]})
	}
	return out
}

// snippet returns the part of a text with the most matches; without matches, the description, or
// the beginning.
func (h *highlighter) snippet(body, description string) []Span {
	body = cut(body, searched)
	all := h.marks(body)
	if len(all) == 0 {
		if description == "" {
			description = body
		}
		short := cut(description, snippetSize)
		if len(short) < len(description) {
			short = atWord(short) + " …"
		}
		return h.highlight(oneLine(short))
	}
	from, to := window(body, all)
	part := body[from:to]
	before, after := "", ""
	if from > 0 {
		before = "… "
	}
	if to < len(body) {
		after = " …"
	}
	return h.highlight(before + oneLine(part) + after)
}

// window selects the part of a text with the most tokens. Different tokens have more weight than
// repeated tokens.
func window(s string, all []mark) (from, to int) {
	best, bestValue := 0, -1
	for i := range all {
		seen := map[int]bool{}
		value := 0
		for j := i; j < len(all) && all[j].to-all[i].from <= snippetSize*2/3; j++ {
			if value++; !seen[all[j].which] {
				seen[all[j].which] = true
				value += 10
			}
		}
		if value > bestValue {
			best, bestValue = i, value
		}
	}
	const lead = 80
	from = max(0, all[best].from-lead)
	to = min(len(s), from+snippetSize)
	for from > 0 && !utf8.RuneStart(s[from]) {
		from++
	}
	for to < len(s) && !utf8.RuneStart(s[to]) {
		to--
	}
	if space := strings.IndexFunc(s[from:all[best].from], unicode.IsSpace); from > 0 && space >= 0 {
		from += space + 1
	}
	if to < len(s) {
		if trimmed := atWord(s[from:to]); from+len(trimmed) >= all[best].to {
			to = from + len(trimmed)
		}
	}
	return from, to
}

// atWord removes a last word that may be truncated.
func atWord(s string) string {
	if i := strings.LastIndexFunc(s, unicode.IsSpace); i > len(s)/2 {
		return s[:i]
	}
	return s
}

// cut returns the beginning of a text, without breaking a character.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
