package pictures

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"quire/preserve/prose"
)

// tokens returns the words of a text, in the form of the index. Texts and queries pass through it alike.
func tokens(s string) (all []string) {
	for _, w := range prose.Words(s) {
		all = append(all, strings.FieldsFunc(fold(w.Text), func(r rune) bool {
			return !unicode.In(r, unicode.L, unicode.N, unicode.Co, unicode.M)
		})...)
	}
	return all
}

// fold returns a word in lower case, without the accents of Latin and Greek letters.
func fold(s string) string {
	var b strings.Builder
	latin := false
	for _, r := range norm.NFKD.String(strings.ToLower(s)) {
		if unicode.Is(unicode.Mn, r) && latin {
			continue
		}
		latin = unicode.In(r, unicode.Latin, unicode.Greek) || latin && unicode.Is(unicode.Mn, r)
		if r == 'ς' {
			r = 'σ'
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

// expression returns the FTS5 expression of a query; "" if it has no words. Words and phrases must all be
// there; those after a minus must not. Each token is quoted, and has letters, marks and digits only: so a query cannot
// inject syntax.
func expression(query string) string {
	var wanted, unwanted []string
	for _, part := range parts(query) {
		text, not := strings.CutPrefix(part, "-")
		all := tokens(text)
		switch {
		case len(all) == 0 || len(wanted)+len(unwanted) >= maxWords:
		case not:
			unwanted = append(unwanted, `"`+strings.Join(all, " ")+`"`)
		default:
			wanted = append(wanted, `"`+strings.Join(all, " ")+`"`)
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
