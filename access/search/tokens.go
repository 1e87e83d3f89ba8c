package search

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"quire/preserve/prose"
)

// The index has words in the form of SQLite's tokenizer unicode61: runs of letters, digits and
// their marks, in lower case without accents. The tokenizer cannot split scripts without spaces
// between words. So each two adjacent letters of these become one word, in texts and in queries:
// 東京タワー becomes 東京 京タ タワ ワー.

// tokenizer is the tokenizer option of SQLite.
const tokenizer = `tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mc Mn'"`

// forIndex returns a text in the form for the index.
func forIndex(s string) string {
	if strings.IndexFunc(s, spaceless) < 0 {
		return s
	}
	var b strings.Builder
	for _, w := range prose.Words(s) {
		b.WriteString(w.Text)
		b.WriteByte(' ')
	}
	return b.String()
}

// spaceless reports whether a letter may belong to a script without spaces.
func spaceless(r rune) bool { return r > 0x0e00 && prose.WithoutSpaces(r) }

// tokensOf returns the tokens of a text. A single letter of a script without spaces is the prefix
// of a token.
func tokensOf(s string) (all []string, prefix bool) {
	for _, w := range prose.Words(s) {
		r, n := utf8.DecodeRuneInString(w.Text)
		prefix = n == len(w.Text) && spaceless(r)
		for _, part := range strings.FieldsFunc(w.Text, func(r rune) bool { return !isTokenRune(r) }) {
			if f := fold(part); f != "" {
				all = append(all, f)
			}
		}
	}
	return all, prefix
}

func isTokenRune(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.Co, unicode.Mc, unicode.Mn)
}

// fold normalizes a token for comparison: lower case, without accents.
func fold(s string) string {
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	s = strings.ToLower(s)
	if ascii {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		if r < 0x300 || r > 0x36f { // accents of Latin, Greek and Cyrillic
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

// expression returns the FTS5 expression of a query; "" if it is empty. Each token is quoted, and
// contains only letters, marks and digits: so a query cannot inject syntax.
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
	if t.column != "" {
		s = t.column + " : " + s
	}
	return s
}

// tokens returns the words of a term in the form of SQLite's tokenizer. For complex text it runs
// the tokenizer itself, in temporary tables of the transaction: text tokenized differently would
// not be found.
func (e *evaluation) tokens(ctx context.Context, t *term) ([]string, error) {
	if !slices.ContainsFunc(t.tokens, func(s string) bool { return strings.IndexFunc(s, notPlain) >= 0 }) {
		return t.tokens, nil
	}
	for _, s := range []string{
		`CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked USING fts5 (text, content = '', ` + tokenizer + `)`,
		`CREATE VIRTUAL TABLE IF NOT EXISTS temp.askedwords USING fts5vocab (temp, asked, instance)`,
		`INSERT INTO temp.asked (asked) VALUES ('delete-all')`,
	} {
		if _, err := e.tx.ExecContext(ctx, s); err != nil {
			return nil, err
		}
	}
	if _, err := e.tx.ExecContext(ctx, `INSERT INTO temp.asked (rowid, text) VALUES (1, ?)`,
		strings.Join(t.tokens, " ")); err != nil {
		return nil, err
	}
	var all []string
	err := each(ctx, e.tx, `SELECT term FROM temp.askedwords ORDER BY offset`, func(rows *sql.Rows) error {
		var s string
		err := rows.Scan(&s)
		all = append(all, s)
		return err
	})
	return all, err
}

// notPlain reports whether a character is not a lower-case ASCII letter or digit; those need no
// tokenizer.
func notPlain(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }
