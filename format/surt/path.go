package surt

import (
	"regexp"
	"slices"
	"strings"
)

// pathKey returns the path in the form of a key, with its first slash.
func pathKey(path string) string {
	path = strings.ToLower(string(escape(nil, resolveDots(unescape(path)))))
	path = withoutPathSession(path)
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// resolveDots resolves ".", ".." and empty segments. A ".." above the root stays, as in other tools.
func resolveDots(path string) string {
	if path == "" {
		return "/"
	}
	segments := strings.Split(path[1:], "/")
	kept := segments[:0]
	for _, s := range segments {
		switch {
		case s == ".":
		case s == ".." && len(kept) > 0:
			kept = kept[:len(kept)-1]
		default:
			kept = append(kept, s)
		}
	}
	if len(kept) == 0 {
		return "/"
	}
	last := kept[len(kept)-1]
	kept = slices.DeleteFunc(kept[:len(kept)-1], func(s string) bool { return s == "" })
	return "/" + strings.Join(append(kept, last), "/")
}

// The forms of a session in the path of ASP.NET ("cookieless sessions").
var pathSessions = []*regexp.Regexp{
	regexp.MustCompile(`^(.*/)\((?:[a-z]\([0-9a-z]{24}\))+\)/([^?]+\.aspx.*)$`),
	regexp.MustCompile(`^(.*/)\([0-9a-z]{24}\)/([^?]+\.aspx.*)$`),
}

func withoutPathSession(path string) string {
	if !strings.Contains(path, ".aspx") {
		return path
	}
	for _, re := range pathSessions {
		if m := re.FindStringSubmatch(path); m != nil {
			path = m[1] + m[2]
		}
	}
	return path
}

// querySessions are the arguments that name a session, each with a word for a quick first test.
var querySessions = []struct {
	word string
	re   *regexp.Regexp
}{
	{"jsessionid=", regexp.MustCompile(`^(.*)(?:jsessionid=[0-9a-z]{32})(?:&(.*))?$`)},
	{"phpsessid=", regexp.MustCompile(`^(.*)(?:phpsessid=[0-9a-z]{32})(?:&(.*))?$`)},
	{"sid=", regexp.MustCompile(`^(.*)(?:sid=[0-9a-z]{32})(?:&(.*))?$`)},
	{"aspsessionid", regexp.MustCompile(`^(.*)(?:aspsessionid[a-z]{8}=[a-z]{24})(?:&(.*))?$`)},
	{"cftoken=", regexp.MustCompile(`^(.*)(?:cfid=[^&]+&cftoken=[^&]+)(?:&(.*))?$`)},
}

// queryKey returns the query in the form of a key, with its question mark; "" if it is empty.
func queryKey(query string) string {
	if len(query) < 2 {
		return ""
	}
	query = strings.ToLower(string(escape(nil, unescape(query[1:]))))
	for _, s := range querySessions {
		if !strings.Contains(query, s.word) {
			continue
		}
		if m := s.re.FindStringSubmatch(query); m != nil {
			query = m[1] + m[2]
		}
	}
	if query == "" {
		return ""
	}
	return "?" + sorted(query)
}

// sorted sorts the arguments of a query by name, then by value; an argument without "=" comes
// before those with one.
func sorted(query string) string {
	if !strings.Contains(query, "&") {
		return query
	}
	arguments := strings.Split(query, "&")
	slices.SortStableFunc(arguments, func(a, b string) int {
		aName, aValue, aHas := strings.Cut(a, "=")
		bName, bValue, bHas := strings.Cut(b, "=")
		switch {
		case aName != bName:
			return strings.Compare(aName, bName)
		case aHas != bHas && bHas:
			return -1
		case aHas != bHas:
			return 1
		}
		return strings.Compare(aValue, bValue)
	})
	return strings.Join(arguments, "&")
}
