package builtin

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// parameters are what a configuration says of a tool, beside its name. Asking for one makes it
// known.
type parameters struct {
	given    map[string]string
	known    []string
	problems []error
}

func (p *parameters) text(name string) string {
	p.known = append(p.known, name)
	return p.given[name]
}

// number reads a whole number.
func (p *parameters) number(name string, otherwise, least, most int) int {
	s := p.text(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < least || n > most {
		p.problems = append(p.problems, fmt.Errorf("%s: %q is no whole number from %d to %d", name, s, least, most))
	}
	return n
}

// oneOf reads one of several words, of which the first is meant where none is given.
func (p *parameters) oneOf(name string, words ...string) string {
	s := p.text(name)
	if s == "" {
		return words[0]
	}
	if !slices.Contains(words, s) {
		p.problems = append(p.problems, fmt.Errorf("%s: %q is none of %s", name, s, strings.Join(words, ", ")))
	}
	return s
}

// problem says what is wrong with what was given, all of it.
func (p *parameters) problem() error {
	problems := p.problems
	for _, name := range slices.Sorted(maps.Keys(p.given)) {
		if slices.Contains(p.known, name) {
			continue
		}
		has := "it has none"
		if len(p.known) > 0 {
			has = "there are " + strings.Join(p.known, ", ")
		}
		problems = append(problems, fmt.Errorf("%q is no parameter; %s", name, has))
	}
	return errors.Join(problems...)
}

// String is what was given, as it stands in a version: what is said depends on it.
func (p *parameters) String() string {
	var b strings.Builder
	for i, name := range slices.Sorted(maps.Keys(p.given)) {
		b.WriteString([]string{"; ", " "}[min(i, 1)] + name + "=" + p.given[name])
	}
	return b.String()
}
