package search

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a query.
const (
	maxTerms = 40   // terms of one query
	maxYears = 200  // years of one range
	lastYear = 9999 // the latest year
)

// question is a parsed query.
type question struct {
	all     [][]term // of each group, one must match
	none    []term   // none of these may match
	filters []Filter
	notes   []string
	text    string // the part of the query that was read

	from, to string // bounds of the date
}

// term is a word, a phrase, or a word prefix.
type term struct {
	tokens  []string // in the form of the index
	prefix  bool     // the last token is a prefix
	column  string   // of the index: title, url; "" means all
	written string   // the word that stems are made of; "" for none
	stems   []string // see question.stem
	raw     string   // as entered, if it is an unquoted word
}

// word is an unparsed piece of a query.
type word struct {
	field  string // before the colon, lower case; "" for none
	text   string // without quotation marks
	quoted bool
	not    bool
}

// columns are the searched fields; other fields are filters.
var columns = map[string]string{"title": "title", "url": "url", "inurl": "url", "intitle": "title"}

// filterFields are the names of filters in a query.
var filterFields = map[string]string{
	"host": Host, "site": Host, "type": Type, "filetype": Type, "year": Year, "language": Language, "lang": Language,
	"date":       Date,
	"collection": Collection, "package": Package,
}

// bounds are the names of the ends of a range of dates.
var bounds = map[string]bool{"from": true, "since": true, "to": true, "until": true}

// parse parses a query. Every input is valid; notes report omitted parts.
func parse(text string) *question {
	q := &question{}
	defer func() { q.text = text }()
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, " ")
	}
	if r := []rune(text); len(r) > MaxQuery {
		text = string(r[:MaxQuery])
		q.note("only the first " + strconv.Itoa(MaxQuery) + " characters were read")
	}
	or, terms := false, 0
	for _, w := range pieces(text) {
		switch {
		case !w.quoted && w.field == "" && !w.not && w.text == "OR":
			or = len(q.all) > 0
			continue
		case !w.quoted && w.field == "" && w.text == "AND":
			continue
		case bounds[w.field] && q.bound(w):
			continue
		case filterFields[w.field] != "":
			q.filter(w)
			continue
		}
		if terms++; terms > maxTerms {
			q.note("only the first " + strconv.Itoa(maxTerms) + " words were searched")
			break
		}
		q.add(w, or)
		or = false
	}
	q.addBounds()
	return q
}

func (q *question) note(s string) {
	if !slices.Contains(q.notes, s) {
		q.notes = append(q.notes, s)
	}
}

// add adds a term to search in texts.
func (q *question) add(w word, or bool) {
	t := term{column: columns[w.field]}
	if w.field != "" && t.column == "" { // not a field of ours: "10:30" is two words
		w.text = w.field + " " + w.text
	}
	t.read(w.text, w.quoted)
	if !w.quoted {
		t.raw = w.text
	}
	if trimmed := strings.TrimRight(w.text, "*"); !w.quoted && trimmed != w.text {
		t.prefix = true
	}
	switch {
	case len(t.tokens) == 0:
		if strings.TrimFunc(w.text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }) != "" ||
			w.quoted {
			q.note("“" + w.text + "” contains no searchable word, and was ignored")
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

// filter adds a filter.
func (q *question) filter(w word) {
	f := Filter{Field: filterFields[w.field], Value: strings.TrimSpace(w.text), Not: w.not}
	switch f.Field {
	case Year:
		q.years(f)
		return
	case Date:
		if _, ok := periodOf(f.Value); !ok {
			f.Value = ""
		}
	case Host:
		f.Value = hostOf(f.Value)
	case Type:
		f.Value = typeNamed(f.Value)
	case Language:
		f.Value, _, _ = strings.Cut(strings.ToLower(f.Value), "-")
	}
	if f.Value == "" {
		q.note("“" + w.field + ":" + w.text + "” matches no value, and was ignored")
		return
	}
	q.filters = append(q.filters, f)
}

// FiltersOf returns the filters of a value as readers write it: "2010-2015" means six years,
// "http://www.a.example/" the host a.example. For an invalid value, the error lists the valid
// forms.
func FiltersOf(field, value string) ([]Filter, error) {
	q := &question{}
	q.filter(word{field: field, text: value})
	if len(q.filters) > 0 {
		return q.filters, nil
	}
	wanted := map[string]string{
		Type: "one of " + strings.Join(Types, ", ") + ", a media type, or a file extension",
		Year: "a year, such as 2010, or a range, such as 2010-2015",
		Date: "a day, month or year, such as 2015-03, or a range, such as 2015-03-01..2015-04-15",
	}
	if wanted[field] == "" {
		wanted[field] = "a name"
	}
	return nil, fmt.Errorf("%s %q: use %s", field, value, wanted[field])
}

// years adds a year, or a range of years: 2010-2015, 2010..2015, 2010-.
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
			to, err = min(from+maxYears-1, lastYear), nil
		}
	}
	if err != nil || from < 1 || to < from || to-from >= maxYears || to > lastYear {
		q.note("“year:" + f.Value + "” is not a year, and was ignored")
		return
	}
	for y := from; y <= to; y++ {
		q.filters = append(q.filters, Filter{Field: Year, Value: strconv.Itoa(y), Not: f.Not})
	}
}

// pieces splits a query at white space outside of quotation marks.
func pieces(s string) (all []word) {
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

// quotes maps opening quotation marks to closing ones.
var quotes = map[rune]string{'"': `"“”`, '“': `"”“`, '„': `"“”`, '«': "»", '「': "」", '”': `"”`}

// piece takes the text up to the next white space, or up to the closing quotation mark. An unclosed
// quotation ends with the query.
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
	end := -1
	before := rune(0)
	for i, r := range s {
		inside := r == '"' && unicode.Is(unicode.Hebrew, before) // of an abbreviation: צה"ל
		if inside {
			behind, _ := utf8.DecodeRuneInString(s[i+1:])
			inside = unicode.Is(unicode.Hebrew, behind)
		}
		if unicode.IsSpace(r) || r == '"' && !inside || r == '(' || r == ')' {
			end = i
			break
		}
		before = r
	}
	switch {
	case end < 0:
		return s, false, ""
	case end == 0: // impossible: white space was skipped
		return "", false, s[n:]
	}
	return s[:end], false, s[end:]
}

// isName reports whether the text before a colon may be a field name.
func isName(s string) bool {
	return s != "" && len(s) <= 20 &&
		strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) }) < 0
}
