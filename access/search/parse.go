package search

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of what a query is taken for.
const (
	maxTerms = 40  // terms of one query
	maxYears = 200 // years of one range
)

// question is a query as it was understood.
type question struct {
	all     [][]term // of each of these, one must be there
	none    []term   // none of these
	filters []Filter
	notes   []string
}

// term is a word, several words in their order, or the beginning of a word.
type term struct {
	tokens []string // as the index has them
	prefix bool     // the last is the beginning of a word
	column string   // of the index: title, url; "" means all
}

// word is a piece of a query before it is understood.
type word struct {
	field  string // before the colon, lower case; "" where there is none
	text   string // without quotation marks
	quoted bool
	not    bool
}

// columns are the fields that are searched, where others are filters.
var columns = map[string]string{"title": "title", "url": "url", "inurl": "url", "intitle": "title"}

// filterFields are the names that filters have in a query.
var filterFields = map[string]string{
	"host": Host, "site": Host, "type": Type, "filetype": Type, "year": Year, "language": Language, "lang": Language,
	"collection": Collection, "package": Package,
}

// parse understands a query. Whatever is written, something is made of it; what is left out is
// told.
func parse(text string) *question {
	q := &question{}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, " ")
	}
	if r := []rune(text); len(r) > MaxQuery {
		text = string(r[:MaxQuery])
		q.note("only the first " + strconv.Itoa(MaxQuery) + " characters were read")
	}
	or, terms := false, 0
	for _, w := range words(text) {
		switch {
		case !w.quoted && w.field == "" && !w.not && w.text == "OR":
			or = len(q.all) > 0
			continue
		case !w.quoted && w.field == "" && w.text == "AND":
			continue
		case filterFields[w.field] != "":
			q.filter(w)
			continue
		}
		if terms++; terms > maxTerms {
			q.note("only the first " + strconv.Itoa(maxTerms) + " words were looked for")
			break
		}
		q.add(w, or)
		or = false
	}
	return q
}

func (q *question) note(s string) {
	if !slices.Contains(q.notes, s) {
		q.notes = append(q.notes, s)
	}
}

// add adds what is to be looked for in texts.
func (q *question) add(w word, or bool) {
	t := term{column: columns[w.field]}
	if w.field != "" && t.column == "" { // no field of ours: "10:30" is two words
		w.text = w.field + " " + w.text
	}
	t.tokens, t.prefix = tokensOf(w.text)
	if trimmed := strings.TrimRight(w.text, "*"); !w.quoted && trimmed != w.text {
		t.prefix = true
	}
	switch {
	case len(t.tokens) == 0:
		if strings.TrimFunc(w.text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }) != "" ||
			w.quoted {
			q.note("“" + w.text + "” has no word that can be looked for, and was left out")
		}
	case w.not:
		q.none = append(q.none, t)
	case or:
		last := len(q.all) - 1
		q.all[last] = append(q.all[last], t)
	default:
		q.all = append(q.all, []term{t})
	}
}

// filter adds a condition.
func (q *question) filter(w word) {
	f := Filter{Field: filterFields[w.field], Value: strings.TrimSpace(w.text), Not: w.not}
	switch f.Field {
	case Year:
		q.years(f)
		return
	case Host:
		f.Value = hostOf(f.Value)
	case Type:
		f.Value = typeNamed(f.Value)
	case Language:
		f.Value, _, _ = strings.Cut(strings.ToLower(f.Value), "-")
	}
	if f.Value == "" {
		q.note("“" + w.field + ":" + w.text + "” names nothing, and was left out")
		return
	}
	q.filters = append(q.filters, f)
}

// FiltersOf are the filters that a value means as readers write it: "2010-2015" is six years,
// "http://www.a.example/" the host a.example. The error says of a value that means none what could
// be meant.
func FiltersOf(field, value string) ([]Filter, error) {
	q := &question{}
	q.filter(word{field: field, text: value})
	if len(q.filters) > 0 {
		return q.filters, nil
	}
	wanted := map[string]string{
		Type: "one of " + strings.Join(Types, ", ") + ", a media type, or the end of a file's name",
		Year: "a year, as 2010, or several, as 2010-2015",
	}
	if wanted[field] == "" {
		wanted[field] = "a name"
	}
	return nil, fmt.Errorf("%s %q: wanted is %s", field, value, wanted[field])
}

// years adds a year, or all of a range: 2010-2015, 2010..2015, 2010-.
func (q *question) years(f Filter) {
	first, last, isRange := strings.Cut(f.Value, "..")
	if !isRange {
		first, last, isRange = strings.Cut(f.Value, "-")
	}
	from, err := strconv.Atoi(strings.TrimSpace(first))
	to := from
	if isRange && err == nil {
		to, err = strconv.Atoi(strings.TrimSpace(last))
		if strings.TrimSpace(last) == "" {
			to, err = from+maxYears-1, nil
		}
	}
	if err != nil || from < 1 || to < from || to-from >= maxYears {
		q.note("“year:" + f.Value + "” is no year, and was left out")
		return
	}
	for y := from; y <= to; y++ {
		q.filters = append(q.filters, Filter{Field: Year, Value: strconv.Itoa(y), Not: f.Not})
	}
}

// words cuts a query where there is white space outside of quotation marks.
func words(s string) (all []word) {
	for {
		s = strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == ')' || r == '+' })
		if s == "" {
			return all
		}
		var w word
		if rest := strings.TrimLeft(s, "-−"); rest != s && rest != "" &&
			!unicode.IsSpace([]rune(rest[:min(len(rest), 4)])[0]) {
			w.not, s = true, rest
		}
		if name, rest, ok := strings.Cut(s, ":"); ok && isName(name) && rest != "" && !unicode.IsSpace(rune(rest[0])) &&
			!strings.HasPrefix(rest, "//") {
			w.field, s = strings.ToLower(name), rest
		}
		w.text, w.quoted, s = piece(s)
		if w.text == "NOT" && !w.quoted && w.field == "" {
			s = "-" + strings.TrimLeftFunc(s, unicode.IsSpace)
			continue
		}
		all = append(all, w)
	}
}

// quotes are marks that open, with those that close them.
var quotes = map[rune]string{'"': `"“”`, '“': `"”“`, '„': `"“”`, '«': "»", '「': "」", '”': `"”`}

// piece takes the text up to the next white space, or up to the mark that closes a quotation. One
// that is never closed ends with the query.
func piece(s string) (text string, quoted bool, rest string) {
	r, n := utf8.DecodeRuneInString(s)
	if closing, ok := quotes[r]; ok {
		inner := s[n:]
		end := strings.IndexAny(inner, closing)
		if end < 0 {
			return inner, true, ""
		}
		_, m := utf8.DecodeRuneInString(inner[end:])
		return inner[:end], true, inner[end+m:]
	}
	end := strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '"' || r == '(' || r == ')' })
	switch {
	case end < 0:
		return s, false, ""
	case end == 0: // cannot be: what stands here was passed over
		return "", false, s[n:]
	}
	return s[:end], false, s[end:]
}

// isName says whether what stands before a colon may be the name of a field.
func isName(s string) bool {
	return s != "" && len(s) <= 20 &&
		strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) }) < 0
}
