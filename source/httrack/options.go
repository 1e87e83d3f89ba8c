package httrack

import (
	"path"
	"strings"

	"quire/model"
)

// options has the facts from the arguments of a run.
type options struct {
	Output    string // folder of the mirror; "" if not stated
	UserAgent string
	Footer    string // text inserted into each page; "" for HTTrack's default
	Robots    string // "s0": robots.txt is ignored
	Limits    []model.Field
	Seeds     []string
	Filters   []string
}

// arguments splits a command line. An argument in quotation marks is one, including its spaces.
func arguments(line string) []string {
	var all []string
	var b strings.Builder
	quoted, some := false, false
	for _, c := range []byte(line) {
		switch {
		case c == '"':
			quoted, some = !quoted, true
		case c == ' ' && !quoted:
			if some {
				all = append(all, b.String())
			}
			b.Reset()
			some = false
		default:
			b.WriteByte(c)
			some = true
		}
	}
	if some {
		all = append(all, b.String())
	}
	return all
}

// valued are the options with a following argument (httrack --help). -P may also include its value
// in one word; that form is skipped.
var valued = map[string]bool{"-O": true, "-F": true, "-P": true, "-V": true, "-%A": true, "-%F": true, "-%L": true,
	"-%S": true,
	"-%U": true, "-%W": true, "-%E": true, "-%R": true, "-%l": true, "-%a": true, "-%X": true, "-%K": true, "-N": true}

// readOptions parses the arguments of a run.
func readOptions(args []string) options {
	var o options
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case valued[a] && i+1 < len(args):
			i++
			o.value(a, args[i])
		case strings.HasPrefix(a, "--robots="):
			o.Robots = "s" + strings.TrimPrefix(a, "--robots=")
		case strings.HasPrefix(a, "+"), isFilter(a):
			o.Filters = append(o.Filters, a)
		case strings.HasPrefix(a, "-"):
			o.letters(a[1:])
		case strings.Contains(a, ".") || strings.Contains(a, "://"):
			o.Seeds = append(o.Seeds, a)
		}
	}
	return o
}

// isFilter reports whether an argument with a hyphen excludes URLs: options never contain a dot, a
// star or a slash.
func isFilter(a string) bool {
	return strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.ContainsAny(a, ".*/")
}

func (o *options) value(name, v string) {
	switch name {
	case "-O":
		mirror, _, _ := strings.Cut(v, ",") // a second folder is for the cache and the logs
		o.Output = path.Clean(strings.ReplaceAll(mirror, `\`, "/"))
	case "-F":
		o.UserAgent = v
	case "-%F":
		o.Footer = v
	}
}

// letters parses options in one word, each a letter and its number: "-r8",
// "-c6H1tx%xo0s0M1000000000E172800". A letter after % or # is a different option.
func (o *options) letters(word string) {
	for i := 0; i < len(word); i++ {
		if word[i] == '%' || word[i] == '#' || word[i] == '&' || word[i] == '@' {
			i++
			continue
		}
		end := i + 1
		for end < len(word) && word[end] >= '0' && word[end] <= '9' {
			end++
		}
		if end == i+1 {
			continue
		}
		switch word[i] {
		case 's':
			o.Robots = word[i:end]
		case 'r', 'm', 'M', 'E', 'G', 'A':
			o.Limits = append(o.Limits, model.Field{Name: word[i : i+1], Value: word[i+1 : end]})
		}
		i = end - 1
	}
}
