package pictures

import (
	"strings"
	"unicode"

	"quire/access/search/words"
)

// tokenizer is the tokenizer option of SQLite: all other characters than these separate tokens.
const tokenizer = `tokenize = "ascii tokenchars '+#.'"`

// tokens returns a text in the form of the index.
func tokens(text string) string {
	var b strings.Builder
	for s := words.Scan(text); s.Next(); {
		b.Write(s.Token())
		b.WriteByte(' ')
	}
	return b.String()
}

// phrase returns the FTS5 expression of words that follow each other; "" if there are none. A letter of
// a script without spaces begins the tokens that have it.
func phrase(text string) string {
	var all []string
	prefix := false
	for s := words.Scan(text); s.Next(); {
		if s.Kind() == words.Last {
			continue // it is in the pair before it
		}
		prefix = s.Kind() == words.Single
		all = append(all, strings.ReplaceAll(string(s.Token()), `"`, ""))
	}
	switch {
	case len(all) == 0:
		return ""
	case prefix:
		return `"` + strings.Join(all, " ") + `" *`
	}
	return `"` + strings.Join(all, " ") + `"`
}

// expression returns the FTS5 expression of a query; "" if it has no words. Words and phrases must all be
// there; those after a minus must not. Each token is quoted, and has letters, marks and digits only: so a query cannot
// inject syntax.
func expression(query string) string {
	var wanted, unwanted []string
	for _, part := range parts(query) {
		text, not := strings.CutPrefix(part, "-")
		one := phrase(text)
		switch {
		case one == "" || len(wanted)+len(unwanted) >= maxWords:
		case not:
			unwanted = append(unwanted, one)
		default:
			wanted = append(wanted, one)
		}
	}
	if len(wanted) == 0 {
		return ""
	}
	out := strings.Join(wanted, " AND ")
	if len(unwanted) > 0 {
		out = "(" + out + ") NOT (" + strings.Join(unwanted, " OR ") + ")"
	}
	return out
}

// parts splits a query at white space, but not within quotation marks.
func parts(query string) (all []string) {
	begin, quoted := 0, false
	for i, r := range query + " " {
		switch {
		case strings.ContainsRune(`"“”„«»`, r):
			quoted = !quoted
		case unicode.IsSpace(r) && !quoted || i == len(query):
			if i > begin {
				all = append(all, query[begin:i])
			}
			begin = i + 1
		}
	}
	return all
}
