package siterules

import (
	"regexp"
	"slices"
	"strings"

	"quire/preserve/statements"
)

// Rule is one rule. It applies to the URLs of its patterns, and to all if it has none.
type Rule struct {
	Name   string   `json:"name"`             // unique in a file; a rule of ours with the same name is replaced
	Reason string   `json:"reason"`           // why it is right
	Source string   `json:"source,omitempty"` // URL of the fact
	Line   int      `json:"line"`             // line in its file, from 1
	Off    bool     `json:"off,omitempty"`    // it only removes our rule of this name
	URLs   []string `json:"urls,omitempty"`   // patterns, as in access rules
	Types  []string `json:"types,omitempty"`  // media types of answers, such as image/*; nil means all

	Ignore    []string `json:"ignore,omitempty"`       // arguments without meaning; a name may end with *
	Times     []string `json:"ignore-times,omitempty"` // arguments without meaning if the value is a time
	Bare      bool     `json:"bare-times,omitempty"`   // also a time without a name
	Callbacks []string `json:"callbacks,omitempty"`    // arguments that name a function: ignored, and renamed

	Require []string `json:"require,omitempty"` // the arguments that count, and must be there
	Compare []string `json:"compare,omitempty"` // arguments that also count, if they are there

	Match  string   `json:"match,omitempty"`  // a regular expression for the URL without scheme and www
	Same   string   `json:"same,omitempty"`   // the form in which equal requests are equal, with groups of Match
	Within []string `json:"within,omitempty"` // further parts of the index to search, with groups of Match

	Fixes []Fix `json:"fixes,omitempty"` // changes of bodies

	set     string // name and version of its file
	urls    []statements.Pattern
	match   *regexp.Regexp
	ignored names
	times   names
}

// names are argument names in lower case; those with * are beginnings.
type names struct {
	whole  map[string]bool
	begins []string
}

func namesOf(lists ...[]string) names {
	n := names{whole: map[string]bool{}}
	for _, list := range lists {
		for _, name := range list {
			name = strings.ToLower(name)
			if begin, ok := strings.CutSuffix(name, "*"); ok {
				n.begins = append(n.begins, begin)
				continue
			}
			n.whole[name] = true
		}
	}
	return n
}

func (n *names) has(name string) bool {
	return n.whole[name] || slices.ContainsFunc(n.begins, func(b string) bool { return strings.HasPrefix(name, b) })
}

// place is a URL as patterns see it: as it is, and without www.
type place struct{ whole, short statements.Address }

func placeOf(url string) place {
	return place{statements.Split(url), statements.Split("http://" + Spelt(url))}
}

// applies reports whether a rule applies to a URL.
func (r *Rule) applies(p *place) bool {
	if len(r.urls) == 0 {
		return true
	}
	for i := range r.urls {
		if r.urls[i].Match(&p.whole) || r.urls[i].Match(&p.short) {
			return true
		}
	}
	return false
}

// answers reports whether a rule applies to answers of a media type.
func (r *Rule) answers(mime string) bool { return len(r.Types) == 0 || isOf(r.Types, mime) }

func isOf(types []string, mime string) bool {
	mime, _, _ = strings.Cut(strings.ToLower(mime), ";")
	mime = strings.TrimSpace(mime)
	return slices.ContainsFunc(types, func(t string) bool {
		if begin, ok := strings.CutSuffix(t, "*"); ok {
			return strings.HasPrefix(mime, begin)
		}
		return t == mime
	})
}

// ignores reports whether an argument has no meaning by this rule.
func (r *Rule) ignores(a argument) bool {
	if r.ignored.has(a.name) {
		return true
	}
	if !a.named {
		return r.Bare && isTime(a.name)
	}
	return (isTime(a.value) || isFraction(a.value)) && r.times.has(a.name)
}

// isTime reports whether a value is a script's time: seconds or milliseconds since 1970.
func isTime(s string) bool {
	return len(s) >= 10 && len(s) <= 16 && strings.Trim(s, "0123456789.") == ""
}

// isFraction reports whether a value is a random number of a script, from 0 to 1 (Math.random).
func isFraction(s string) bool {
	digits, ok := strings.CutPrefix(s, "0.")
	return ok && len(digits) >= 6 && len(digits) <= 24 && strings.Trim(digits, "0123456789") == ""
}

// maxURL limits the length of a URL that a regular expression reads, in bytes.
const maxURL = 4 << 10

// form returns the form of a URL by the rule's regular expression; "" if it does not match.
func (r *Rule) form(url string) string {
	s := Spelt(url)
	if len(s) > maxURL {
		return ""
	}
	m := r.match.FindStringSubmatchIndex(s)
	if m == nil {
		return ""
	}
	return string(r.match.ExpandString(nil, r.Same, s, m))
}

// places returns the beginnings of the URLs of captures that may answer a URL.
func (r *Rule) places(url string) (all []string) {
	s := Spelt(url)
	if len(s) > maxURL {
		return nil
	}
	for _, w := range r.Within {
		if r.match == nil {
			all = append(all, w)
		} else if m := r.match.FindStringSubmatchIndex(s); m != nil {
			all = append(all, string(r.match.ExpandString(nil, w, s, m)))
		}
	}
	return all
}

// Spelt returns a URL as regular expressions see it: without the parts that vary between captures of
// one page, which are scheme, www, default port, fragment, and the case of the host.
func Spelt(url string) string {
	url, _, _ = strings.Cut(url, "#")
	if scheme, rest, ok := strings.Cut(url, "://"); ok && len(scheme) <= len("https") {
		url = rest
	}
	host, path, _ := strings.Cut(url, "/")
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	host = strings.TrimSuffix(strings.TrimSuffix(host, ":80"), ":443")
	return host + "/" + path
}
