package cdxserver

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"

	"quire/holdings/captures"
)

// filter selects captures: [!][=|~][FIELD:]VALUE, as in pywb. Without a sign the field must contain
// the value. "=" requires equality, "~" matches a regular expression at the beginning, "!" negates.
// Without a field the filter applies to the whole line.
type filter struct {
	not   bool
	field string // "" means the line
	value string
	equal bool
	like  *regexp.Regexp
	steps int // length of like, see steps
}

var errSteps = fmt.Errorf("filter=: the regular expressions are too long: written out with repetitions, "+
	"they may have %d letters in total", maxSteps)

// Limits of filters. The time that Go needs to match a regular expression is proportional to the
// length of the text times the length of the expression. Repetitions count in full, so (.?){1000}
// is a long expression.
const (
	maxFilter = 1000 // bytes of one filter
	maxSteps  = 1000 // of all regular expressions of a query, with repetitions written out
)

// steps returns the length of a regular expression with its repetitions written out. The result is
// at most some millions, because the parser rejects more than a thousand repetitions. For nested
// repetitions, the parser multiplies the counts.
func steps(e *syntax.Regexp) int {
	n := 1
	if e.Op == syntax.OpLiteral {
		n = len(e.Rune)
	}
	for _, part := range e.Sub {
		n += steps(part)
	}
	if e.Op == syntax.OpRepeat {
		n *= max(e.Min, e.Max, 1)
	}
	return n
}

func readFilter(text string) (f filter, err error) {
	if len(text) > maxFilter {
		return f, fmt.Errorf("filter=: longer than %d bytes", maxFilter)
	}
	rest := text
	if rest, f.not = strings.CutPrefix(rest, "!"); rest == "" {
		return f, errors.New("filter=: empty; for example filter==status:200")
	}
	isRegexp := false
	if after, ok := strings.CutPrefix(rest, "="); ok {
		rest, f.equal = after, true
	} else if rest, isRegexp = strings.CutPrefix(rest, "~"); isRegexp {
		f.value = rest
	}
	f.value = rest
	if field, value, ok := strings.Cut(rest, ":"); ok {
		if f.field, ok = nameOf(field); !ok {
			return f, fmt.Errorf("filter=%.100q: no field %.40q; the fields are %s", text, field,
				strings.Join(names, ", "))
		}
		f.value = value
	}
	if isRegexp {
		parsed, err := syntax.Parse("^(?:"+f.value+")", syntax.Perl)
		if err != nil {
			return f, fmt.Errorf("filter=%.100q: %w", text, err)
		}
		if f.steps = steps(parsed); f.steps > maxSteps {
			return f, errSteps
		}
		if f.like, err = regexp.Compile("^(?:" + f.value + ")"); err != nil {
			return f, fmt.Errorf("filter=%.100q: %w", text, err)
		}
	}
	return f, nil
}

func passes(filters []filter, c *captures.Capture) bool {
	for i := range filters {
		if filters[i].matches(c) == filters[i].not {
			return false
		}
	}
	return true
}

// whole is the query form of the whole line, for filters without a field.
var whole = &question{}

func (f *filter) matches(c *captures.Capture) bool {
	var value string
	if f.field == "" {
		value = string(text(c, whole))
	} else {
		value = valueOf(f.field, c)
	}
	switch {
	case f.like != nil:
		return f.like.MatchString(value)
	case f.equal:
		return value == f.value || f.value == "-" && value == ""
	}
	return strings.Contains(value, f.value)
}

// collapse omits a capture that equals the previous one in a field, or in its first letters.
type collapse struct {
	field  string
	length int
	status bool // also compare the status
}

// readCollapse parses collapse=FIELD[:LENGTH] of Wayback, and collapseTime=LENGTH of pywb.
func readCollapse(text, digits string) (*collapse, error) {
	if text == "" && digits == "" {
		return nil, nil
	}
	c := &collapse{field: "timestamp", status: text == ""}
	length := digits
	if text != "" {
		field, after, _ := strings.Cut(text, ":")
		known, ok := nameOf(field)
		if !ok {
			return nil, fmt.Errorf("collapse=%.40q: no such field; the fields are %s", text,
				strings.Join(names, ", "))
		}
		c.field, length = known, after
	}
	if length == "" {
		return c, nil
	}
	n, err := strconv.Atoi(length)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("collapse: %.40q is not a number of letters", length)
	}
	c.length = n
	return c, nil
}

func (c *collapse) of(capture *captures.Capture) string {
	value := valueOf(c.field, capture)
	if c.length > 0 && len(value) > c.length {
		value = value[:c.length]
	}
	if c.status {
		value += " " + strconv.Itoa(capture.Status)
	}
	return value
}
