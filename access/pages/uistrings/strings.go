package uistrings

import (
	"embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"quire/access/address"
	"quire/internal/humanize"
	"quire/internal/yamlfile"
)

//go:embed *.yaml
var builtIn embed.FS

// Strings holds the UI strings of our pages in one language: en.yaml is the model for others.
type Strings struct {
	tag   language.Tag
	texts map[string]string
	own   map[string]bool // keys in the file; nil for English
}

// English returns the built-in English UI strings.
func English() *Strings {
	in, err := builtIn.Open("en.yaml")
	if err == nil {
		var w *Strings
		if w, err = read(in, nil); err == nil {
			return w
		}
	}
	panic(fmt.Sprintf("en.yaml is built in: %v", err)) // a test reads it
}

// Read reads a file of UI strings in the form of en.yaml. Missing strings stay English.
// Unknown keys, and placeholders that differ from the English text, are errors.
func Read(in io.Reader) (*Strings, error) { return read(in, English()) }

func read(in io.Reader, model *Strings) (*Strings, error) {
	doc, err := yamlfile.Read(in, "the words")
	if err != nil {
		return nil, err
	}
	w := &Strings{tag: language.English, texts: map[string]string{}}
	if model != nil {
		maps.Copy(w.texts, model.texts)
		w.own = map[string]bool{}
	}
	doc.Each(func(key string, value *yamlfile.Node) {
		text := value.Text()
		if key == "language" {
			var wrong error
			if w.tag, wrong = language.Parse(text); wrong != nil {
				value.Fail("%q is not a BCP 47 language tag", text)
			}
		}
		if model != nil {
			model.compare(key, text, value)
			w.own[key] = true
		}
		w.texts[key] = text
	})
	if _, told := w.own["language"]; model != nil && !told {
		doc.Fail("the language is missing: add language: fr (BCP 47)")
	}
	return w, doc.Err()
}

// compare rejects a string that cannot replace its counterpart in the model.
func (w *Strings) compare(key, text string, at *yamlfile.Node) {
	was, known := w.texts[key]
	if stem, form, isForm := cutForm(key); !known && isForm && form != "other" {
		was, known = w.texts[stem+".other"]
	}
	if !known {
		at.Fail("no page uses %q", key)
		return
	}
	for n := 1; n <= 9; n++ {
		place := "{" + strconv.Itoa(n) + "}"
		if strings.Contains(text, place) && !strings.Contains(was, place) {
			at.Fail("%q lacks the placeholder %s", key, place)
		}
	}
}

var pluralForms = map[plural.Form]string{plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few",
	plural.Many: "many", plural.Other: "other"}

// cutForm splits "captures.one".
func cutForm(key string) (stem, form string, ok bool) {
	i := strings.LastIndexByte(key, '.')
	if i < 0 {
		return key, "", false
	}
	return key[:i], key[i+1:], slices.Contains(slices.Collect(maps.Values(pluralForms)), key[i+1:])
}

// T returns the string of a key, with the placeholders {1}, {2} filled in.
func (w *Strings) T(key string, fill ...any) string {
	text, ok := w.texts[key]
	if !ok {
		return key // a test checks the keys of every template
	}
	if len(fill) == 0 {
		return text
	}
	pairs := make([]string, 0, 2*len(fill))
	for i, f := range fill {
		pairs = append(pairs, "{"+strconv.Itoa(i+1)+"}", fmt.Sprint(f))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// Has reports whether a key has a string.
func (w *Strings) Has(key string) bool { return w.texts[key] != "" }

// N returns the string of a key in the plural form for a number; {n} is the number.
func (w *Strings) N(key string, n int64, fill ...any) string {
	form := pluralForms[plural.Cardinal.MatchPlural(w.tag, int(n%10_000_000), 0, 0, 0, 0)]
	if _, ok := w.texts[key+"."+form]; !ok {
		form = "other"
	}
	return strings.ReplaceAll(w.T(key+"."+form, fill...), "{n}", w.Number(n))
}

// Number formats a number with separators between thousands.
func (w *Strings) Number(n int64) string {
	if n < 0 {
		return "−" + w.Number(-n)
	}
	s, mark := strconv.FormatInt(n, 10), w.texts["number.thousands"]
	if mark == "space" {
		mark = "\u202f"
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + mark + s[i:]
	}
	return s
}

// Short formats a number in few characters: 1.2k.
func (w *Strings) Short(n int64) string {
	for _, unit := range []struct {
		from int64
		key  string
	}{{1_000_000_000, "number.billion"}, {1_000_000, "number.million"}, {1000, "number.thousand"}} {
		if n >= unit.from {
			s := strconv.FormatFloat(float64(n*10/unit.from)/10, 'f', -1, 64)
			return w.T(unit.key, strings.ReplaceAll(s, ".", w.texts["number.decimal"]))
		}
	}
	return strconv.FormatInt(n, 10)
}

// Size formats a number of bytes; "" if unknown.
func (w *Strings) Size(n int64) string {
	if n < 0 {
		return ""
	}
	if n < 1000 {
		return w.N("size.bytes", n)
	}
	value, unit := humanize.Scale(n)
	s := strconv.FormatFloat(value, 'f', 1, 64)
	return strings.ReplaceAll(s, ".", w.texts["number.decimal"]) + "\u00a0" + unit
}

// When formats a timestamp of 4 to 14 digits in its precision.
func (w *Strings) When(timestamp string) string {
	t, ok := address.Time(timestamp)
	if !ok {
		return timestamp
	}
	switch n := len(timestamp); {
	case n < 6:
		return strconv.Itoa(t.Year())
	case n < 8:
		return w.T("date.month", w.Month(t.Month()), t.Year())
	case n < 10:
		return w.Day(t)
	case n < 14:
		return w.T("date.minute", w.Day(t), t.Format("15:04"))
	}
	return w.T("date.second", w.Day(t), t.Format("15:04:05"))
}

// Day formats a date.
func (w *Strings) Day(t time.Time) string {
	return w.T("date.day", t.Day(), w.Month(t.Month()), t.Year())
}

// Moment formats the day of a moment of a log; logs have some lines without one.
func (w *Strings) Moment(t time.Time) string {
	if t.IsZero() {
		return w.T("near.undated")
	}
	return w.Day(t)
}

// Reason explains why a URL was not captured. A reason without words of ours stays as recorded.
func (w *Strings) Reason(name string) string {
	if key := "miss." + name; w.Has(key) {
		return w.T(key)
	}
	return name
}

// ShortDay formats the day of a timestamp, with the short name of its month.
func (w *Strings) ShortDay(timestamp string) string {
	t, ok := address.Time(timestamp)
	if !ok {
		return timestamp
	}
	return w.T("date.day", t.Day(), w.texts[fmt.Sprintf("month.short.%02d", int(t.Month()))], t.Year())
}

// Span formats a period as two days, or as one day if they are equal. It returns "" if there are no
// days.
func (w *Strings) Span(from, to time.Time) string {
	switch {
	case from.IsZero() && to.IsZero():
		return ""
	case to.IsZero():
		return w.Day(from)
	case from.IsZero() || from.Format(time.DateOnly) == to.Format(time.DateOnly):
		return w.Day(to)
	}
	return w.T("date.span", w.Day(from), w.Day(to))
}

// Month returns the name of a month, in the form for dates.
func (w *Strings) Month(m time.Month) string { return w.texts[fmt.Sprintf("month.%02d", int(m))] }

// List joins texts.
func (w *Strings) List(texts []string) string {
	all := ""
	for i, t := range texts {
		if i == 0 {
			all = t
		} else {
			all = w.T("list", all, t)
		}
	}
	return all
}
