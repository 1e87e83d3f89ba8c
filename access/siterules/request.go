package siterules

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
)

// Request is a request: that of a reader, or the one that a capture answered.
type Request struct {
	URL  string
	Key  string // of the index, with method and body (format/surt)
	MIME string // media type of the answer; of captures only
}

// argument is one argument after the question mark. named reports whether it has an equals sign.
type argument struct {
	name, value string
	named       bool
}

// parsed is the key of a request in its parts.
type parsed struct {
	path      string // before the question mark
	method    string // "" means GET
	arguments []argument
}

func parse(key string) parsed {
	path, query, _ := strings.Cut(key, "?")
	p := parsed{path: path}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, named := strings.Cut(pair, "=")
		switch {
		case pair == "":
		case name == "__wb_method":
			p.method = value
		default:
			p.arguments = append(p.arguments, argument{name, value, named})
		}
	}
	return p
}

// spelled returns the arguments of a URL as they were written: the keys of the index ignore case, and
// identifiers do not. The names are in lower case.
func spelled(address string) (all []argument) {
	address, _, _ = strings.Cut(address, "#")
	_, query, _ := strings.Cut(address, "?")
	for pair := range strings.SplitSeq(query, "&") {
		name, value, named := strings.Cut(pair, "=")
		if pair != "" {
			all = append(all, argument{strings.ToLower(unescaped(name)), unescaped(value), named})
		}
	}
	return all
}

func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

func sorted(all []argument) []argument {
	slices.SortFunc(all, func(x, y argument) int {
		return cmp.Or(strings.Compare(x.name, y.name), strings.Compare(x.value, y.value))
	})
	return all
}

// differ returns the number of values that differ between two requests, or -1 if the requests are
// not similar. Similar GET requests have the same values. Similar request bodies differ in fewer
// than half of their values.
func differ(method string, a, b []argument) int {
	if len(a) != len(b) {
		return -1
	}
	n := 0
	for i := range a {
		if a[i].name != b[i].name {
			return -1
		}
		if a[i].value != b[i].value {
			n++
		}
	}
	if n > 0 && (method == "" || 2*n >= len(a)) {
		return -1
	}
	return n
}
