package httrack

import (
	"path"
	"strings"

	"quire/model"
)

// options is what the arguments of a run tell.
type options struct {
	Output    string // folder that the mirror was written to; "" when not told
	UserAgent string
	Footer    string // text that is put into each page; "" for HTTrack's own
	Robots    string // "s0": robots.txt is not obeyed
	Limits    []model.Field
	Seeds     []string
	Filters   []string
}

// arguments takes a command line apart. An argument in quotation marks is one, spaces and all.
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

// valued are the options that are followed by an argument of their own (httrack --help). -P may
// stand alone with its value in one word, and is passed over then.
var valued = map[string]bool{"-O": true, "-F": true, "-P": true, "-V": true, "-%A": true, "-%F": true, "-%L": true,
	"-%S": true,
	"-%U": true, "-%W": true, "-%E": true, "-%R": true, "-%l": true, "-%a": true, "-%X": true, "-%K": true, "-N": true}

// readOptions understands the arguments of a run.
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

// isFilter says whether an argument that begins with a hyphen excludes URLs: no option holds a dot,
// a star or a slash.
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

// letters reads options that are written in one word, each a letter and its number: "-r8",
// "-c6H1tx%xo0s0M1000000000E172800". A letter behind % or # is another option, of the same name.
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
