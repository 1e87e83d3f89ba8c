package siterules

import (
	"cmp"
	"slices"
	"strings"

	"quire/holdings/captures"
)

// maxRules and maxRanges bound the work for one request: rules that have a look-up of their own, and
// parts of the index that are read.
const (
	maxRules  = 8
	maxRanges = 6
)

// Lookup compares one request, which has no capture, with captures of others.
type Lookup struct {
	asked     Request
	parsed    parsed
	general   []*Rule      // that ignore arguments
	special   []*Rule      // with a look-up of their own
	forms     []string     // of the request, by the regular expressions of special rules
	counted   [][]argument // of the request, by the arguments of special rules
	arguments []argument   // of the request, without those ignored
	ignoring  []*Rule      // by which the others are ignored
	types     bool         // a general rule applies to some media types only
}

// Alike reports how a captured request is similar: the smallest is the most similar.
type Alike struct {
	rank   int
	Differ int // values of the body that differ
}

// Compare compares two similarities.
func (a Alike) Compare(b Alike) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.Differ, b.Differ))
}

// Lookup returns the look-up of a request, by the rules that apply to its URL.
func (s *Set) Lookup(asked Request) *Lookup {
	l := &Lookup{asked: asked, parsed: parse(asked.Key)}
	at := placeOf(asked.URL)
	for i := range s.Rules {
		r := &s.Rules[i]
		if !r.applies(&at) {
			continue
		}
		if r.ignored.whole != nil {
			l.general = append(l.general, r)
			l.types = l.types || len(r.Types) > 0
		}
		form, counted := "", []argument(nil)
		switch {
		case len(l.special) == maxRules:
			continue
		case r.match != nil && l.parsed.method == "":
			if form = r.form(asked.URL); form == "" {
				continue
			}
		case len(r.Require) > 0:
			var ok bool
			if counted, ok = r.counted(l.parsed.method, &asked); !ok {
				continue
			}
		default:
			continue
		}
		l.special, l.forms, l.counted = append(l.special, r), append(l.forms, form), append(l.counted, counted)
	}
	l.arguments, l.ignoring = l.meant(&l.parsed)
	return l
}

// meant returns the arguments that have a meaning, and the rules by which others have none.
func (l *Lookup) meant(p *parsed) (all []argument, by []*Rule) {
	for _, a := range p.arguments {
		i := slices.IndexFunc(l.general, func(r *Rule) bool { return r.ignores(a) })
		switch {
		case i < 0:
			all = append(all, a)
		case !slices.Contains(by, l.general[i]):
			by = append(by, l.general[i])
		}
	}
	return sorted(all), by
}

// counted returns the arguments that count for a rule; ok reports whether all required are there.
func (r *Rule) counted(method string, q *Request) (all []argument, ok bool) {
	from := spelled(q.URL)
	if method != "" {
		from = parse(q.Key).arguments
	}
	is := func(name string) func(string) bool {
		return func(s string) bool { return strings.EqualFold(s, name) }
	}
	for _, a := range from {
		if slices.ContainsFunc(r.Require, is(a.name)) || slices.ContainsFunc(r.Compare, is(a.name)) {
			all = append(all, a)
		}
	}
	for _, name := range r.Require {
		if !slices.ContainsFunc(all, func(a argument) bool { return strings.EqualFold(a.name, name) }) {
			return nil, false
		}
	}
	return sorted(all), true
}

// Range is a part of the index whose captures may be similar.
type Range struct {
	URL   string
	Match captures.Match
}

// Ranges returns the parts of the index to compare with: the path of the request first.
func (l *Lookup) Ranges() []Range {
	base, _, _ := strings.Cut(l.asked.URL, "?")
	base, _, _ = strings.Cut(base, "#")
	all := []Range{{base, captures.Exact}, {base + "?", captures.Prefix}}
	for _, r := range l.special {
		for _, at := range r.places(l.asked.URL) {
			of := Range{"http://" + at, captures.Prefix}
			if parent, ok := strings.CutPrefix(at, "*."); ok {
				of = Range{"http://" + parent, captures.Domain}
			}
			if len(all) < maxRanges && !slices.Contains(all, of) {
				all = append(all, of)
			}
		}
	}
	return all
}

// Compare compares a captured request; ok is false if it is not similar. Two requests are similar if
// only arguments without meaning differ, or by a rule for the site.
func (l *Lookup) Compare(c Request) (a Alike, ok bool) {
	p := parse(c.Key)
	if p.method != l.parsed.method {
		return a, false
	}
	if p.path == l.parsed.path {
		its, _ := l.meant(&p)
		if n := differ(p.method, l.arguments, its); n >= 0 && l.typed(&p, c.MIME) {
			return Alike{0, n}, true
		}
	}
	at := placeOf(c.URL)
	for i, r := range l.special {
		if !r.answers(c.MIME) || !r.applies(&at) {
			continue
		}
		if r.match != nil {
			ok = r.form(c.URL) == l.forms[i]
		} else if ok = p.path == l.parsed.path || len(r.Within) > 0; ok {
			var its []argument
			its, ok = r.counted(p.method, &c)
			ok = ok && slices.Equal(its, l.counted[i])
		}
		if ok {
			return Alike{i + 1, 0}, true
		}
	}
	return a, false
}

// typed reports whether the rules that make two requests similar apply to the type of the answer.
func (l *Lookup) typed(p *parsed, mime string) bool {
	return !l.types || !slices.ContainsFunc(l.by(p), func(r *Rule) bool { return !r.answers(mime) })
}

// by returns the rules by which arguments of the request, or of a captured one, have no meaning.
func (l *Lookup) by(p *parsed) (all []*Rule) {
	all = slices.Clone(l.ignoring)
	_, its := l.meant(p)
	for _, r := range its {
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	return all
}

// Names returns the rules by which a captured request is similar, each with name and version of its
// file.
func (l *Lookup) Names(c Request, a Alike) (names []string) {
	p := parse(c.Key)
	rules := l.by(&p)
	if a.rank > 0 {
		rules = []*Rule{l.special[a.rank-1]}
	}
	for _, r := range rules {
		names = append(names, r.Name+" ("+r.set+")")
	}
	return names
}

// Callbacks returns the arguments that name a function (JSONP).
func (l *Lookup) Callbacks() (all []string) {
	for _, r := range l.general {
		all = append(all, r.Callbacks...)
	}
	return all
}

// Rules returns the names of the rules that a request is compared by: those that ignore arguments,
// and those with a look-up of their own.
func (l *Lookup) Rules() (general, special []string) {
	for _, r := range l.general {
		general = append(general, r.Name)
	}
	for _, r := range l.special {
		special = append(special, r.Name)
	}
	return general, special
}
