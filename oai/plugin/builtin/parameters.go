package builtin

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// parameters are the settings of a tool in a configuration, apart from its name. Reading a
// parameter marks it as known.
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
		p.problems = append(p.problems, fmt.Errorf("%s: %q is not a whole number from %d to %d", name, s, least, most))
	}
	return n
}

// oneOf reads one of several words. The first is the default.
func (p *parameters) oneOf(name string, words ...string) string {
	s := p.text(name)
	if s == "" {
		return words[0]
	}
	if !slices.Contains(words, s) {
		p.problems = append(p.problems, fmt.Errorf("%s: %q is not one of %s", name, s, strings.Join(words, ", ")))
	}
	return s
}

// problem returns all errors in the parameters.
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
		problems = append(problems, fmt.Errorf("unknown parameter %q; %s", name, has))
	}
	return errors.Join(problems...)
}

// String returns the parameters in the form for a version, because the output depends on them.
func (p *parameters) String() string {
	var b strings.Builder
	for i, name := range slices.Sorted(maps.Keys(p.given)) {
		b.WriteString([]string{"; ", " "}[min(i, 1)] + name + "=" + p.given[name])
	}
	return b.String()
}
