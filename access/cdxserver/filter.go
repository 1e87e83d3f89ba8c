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

// filter says which captures are wanted: [!][=|~][FIELD:]VALUE, as pywb has it. Without a sign the
// field must contain the value, with "=" be it, with "~" begin with what the regular expression
// means; "!" turns it round; without a field it is about the whole line.
type filter struct {
	not   bool
	field string // "" is the line
	value string
	equal bool
	like  *regexp.Regexp
	steps int // of like
}

var errSteps = fmt.Errorf("filter=: the regular expressions are too long: with their repetitions written out they "+
	"may have %d letters together", maxSteps)

// The bounds. Regular expressions of Go take time by the length of the text times that of the
// expression: and (.?){1000} is a long one.
const (
	maxFilter = 1000 // bytes of one filter
	maxSteps  = 1000 // of the regular expressions of one question, their repetitions written out
)

// steps says how long a regular expression is with its repetitions written out. It is at most some
// millions: the parser refuses what repeats more than a thousand times, one repetition within the
// other.
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
		return f, fmt.Errorf("filter=: it has more than %d bytes", maxFilter)
	}
	rest := text
	if rest, f.not = strings.CutPrefix(rest, "!"); rest == "" {
		return f, errors.New("filter=: nothing is in it; for example filter==status:200")
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
			return f, fmt.Errorf("filter=%.100q: there is no field %.40q; there are %s", text, field,
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

// whole is the line that a filter without a field is about.
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

// collapse leaves out what is like the capture before: in a field, or in so many letters of it.
type collapse struct {
	field  string
	length int
	status bool // and in the status
}

// readCollapse reads collapse=FIELD[:LENGTH], as Wayback has it, and collapseTime=LENGTH, as pywb
// does.
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
			return nil, fmt.Errorf("collapse=%.40q: there is no such field; there are %s", text,
				strings.Join(names, ", "))
		}
		c.field, length = known, after
	}
	if length == "" {
		return c, nil
	}
	n, err := strconv.Atoi(length)
	if err != nil || n < 1 {
		return nil, fmt.Errorf("collapse: %.40q is no number of letters", length)
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
