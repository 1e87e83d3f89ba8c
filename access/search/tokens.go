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

// The index knows words as the tokenizer unicode61 of SQLite makes them: runs of letters, digits
// and the marks on them, without accents, in small letters. What it cannot do is scripts that have
// no spaces between words. So of these each two neighbours are given to it as one word, in texts
// and in queries alike: 東京タワー is 東京 京タ タワ ワー.

// tokenizer is how SQLite is told so.
const tokenizer = `tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mc Mn'"`

// forIndex is a text as it is given to the index.
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

// spaceless says whether a letter may be of a script without spaces.
func spaceless(r rune) bool { return r > 0x0e00 && prose.WithoutSpaces(r) }

// tokensOf are the tokens of a text. One letter of a script without spaces is the beginning of a
// token.
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

// fold is a token as it is compared: small letters, without accents.
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
		if r < 0x300 || r > 0x36f { // the accents of Latin, Greek and Cyrillic
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

// expression is what is looked for in the words of FTS5; "" when that is nothing. Each token stands
// in quotation marks and has no other characters than letters, marks and digits: nothing of a query
// is syntax.
func (q *question) expression() string {
	var groups []string
	for _, group := range q.all {
		groups = append(groups, anyOf(group))
	}
	return strings.Join(groups, " AND ")
}

// unwanted is what must not be there, in the words of FTS5.
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

// tokens are the words of a term as the tokenizer of SQLite writes them. Of what is not plain, it
// is asked itself, in tables that are gone with the transaction: a text that is indexed otherwise
// than it is looked for is not found.
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

// notPlain says that a character is none of small ASCII letters and digits, which are tokens as
// they are.
func notPlain(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }
