package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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
}

// tokens returns the tokens searched in a column; "" means those without a column.
func (q *question) tokens(column string) (all []wanted) {
	for _, group := range q.all {
		for _, t := range group {
			if t.column != column {
				continue
			}
			for i, token := range t.tokens {
				all = append(all, wanted{token, t.prefix && i == len(t.tokens)-1})
			}
		}
	}
	return all
}

// mark is the position of a match.
type mark struct{ from, to, which int }

// marks finds tokens in a text.
func marks(s string, tokens []wanted) (all []mark) {
	if len(tokens) == 0 {
		return nil
	}
	for from := 0; from < len(s); {
		r, n := utf8.DecodeRuneInString(s[from:])
		if !isTokenRune(r) {
			from += n
			continue
		}
		to := from + n
		if spaceless(r) { // two form a token, and the second starts the next one
			all = markPair(all, s, from, to, tokens)
			from = to
			continue
		}
		for to < len(s) {
			if r, n = utf8.DecodeRuneInString(s[to:]); !isTokenRune(r) || spaceless(r) {
				break
			}
			to += n
		}
		if which := matchToken(s[from:to], tokens); which >= 0 {
			all = append(all, mark{from, to, which})
		}
		from = to
	}
	return all
}

// markPair marks one or two letters of a script without spaces, if they match.
func markPair(all []mark, s string, from, to int, tokens []wanted) []mark {
	end := to
	if next, n := utf8.DecodeRuneInString(s[to:]); spaceless(next) {
		end = to + n
	}
	which := matchToken(s[from:end], tokens)
	if which < 0 {
		return all
	}
	if tokens[which].prefix && utf8.RuneCountInString(tokens[which].token) == 1 {
		end = to
	}
	if len(all) > 0 && all[len(all)-1].to > from {
		all[len(all)-1].to = end
		return all
	}
	return append(all, mark{from, end, which})
}

func matchToken(s string, tokens []wanted) int {
	const longest = 200
	if len(s) > longest {
		return -1
	}
	folded := fold(s)
	return slices.IndexFunc(tokens, func(w wanted) bool {
		return folded == w.token || w.prefix && strings.HasPrefix(folded, w.token)
	})
}

// highlight splits a text into spans.
func highlight(s string, tokens []wanted) []Span { return spans(s, marks(s, tokens)) }

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
func snippet(body, description string, tokens []wanted) []Span {
	body = cut(body, searched)
	all := marks(body, tokens)
	if len(all) == 0 {
		if description == "" {
			description = body
		}
		short := cut(description, snippetSize)
		if len(short) < len(description) {
			short = atWord(short) + " …"
		}
		return highlight(oneLine(short), tokens)
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
	return highlight(before+oneLine(part)+after, tokens)
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
