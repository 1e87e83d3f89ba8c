package siterules

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quire/format/surt"
	"quire/internal/yamlfile"
	"quire/preserve/statements"
)

// Set is the rules in force.
type Set struct {
	Version string // of the file; of several files, all of them
	Rules   []Rule // in the order in which they are asked

	fixing bool // some rule has fixes
}

// Bounds on a file. A megabyte of expressions would slow each request down.
const (
	maxInFile     = 500
	maxExpression = 1000 // bytes of a regular expression or its result
)

// Read reads a file of rules. name is the one of the file, in errors and in notes about captures. The
// error lists all problems, with their lines.
func Read(in io.Reader, name string) (*Set, error) {
	doc, err := yamlfile.Read(in, "the site rules "+name)
	if err != nil {
		return nil, err
	}
	s := &Set{}
	some := false
	doc.Fields(map[string]func(*yamlfile.Node){
		"version": func(n *yamlfile.Node) {
			if s.Version = n.Text(); len(s.Version) > 40 || strings.ContainsFunc(s.Version, control) {
				n.Fail("is longer than 40 bytes, or has a control character")
			}
		},
		"rules": func(n *yamlfile.Node) {
			some = true
			seen := map[string]bool{}
			n.Items(func(n *yamlfile.Node) {
				r := readRule(n)
				if r.Name != "" && seen[r.Name] {
					n.Fail("a rule named %.80q is above: give each its own name", r.Name)
				}
				seen[r.Name] = true
				s.Rules = append(s.Rules, r)
			})
			if len(s.Rules) > maxInFile {
				n.Fail("has more than %d rules", maxInFile)
			}
		},
	})
	if s.Version == "" {
		doc.Fail("has no version: add version: with a date or a number, and change it with the rules")
	}
	if !some {
		doc.Fail("has no list of rules: write rules: [] for none")
	}
	for i := range s.Rules {
		r := &s.Rules[i]
		r.set = name + " " + s.Version
		for j := range r.Fixes {
			r.Fixes[j].by = r.Name + " (" + r.set + ")"
		}
		s.fixing = s.fixing || len(r.Fixes) > 0
	}
	return s, doc.Err()
}

func control(r rune) bool { return r < ' ' || r >= 0x7f }

// Join returns the rules of a file, and then ours, except those with a name that the file uses.
func Join(file, ours *Set) *Set {
	s := &Set{Version: file.Version + ", and ours: " + ours.Version, fixing: file.fixing || ours.fixing}
	for _, r := range file.Rules {
		if !r.Off {
			s.Rules = append(s.Rules, r)
		}
	}
	for _, r := range ours.Rules {
		if !slices.ContainsFunc(file.Rules, func(f Rule) bool { return f.Name == r.Name }) {
			s.Rules = append(s.Rules, r)
		}
	}
	return s
}

func readRule(n *yamlfile.Node) (r Rule) {
	r.Line = n.Line()
	texts := func(to *[]string) func(*yamlfile.Node) {
		return func(n *yamlfile.Node) {
			if *to = n.Texts(); len(*to) == 0 {
				n.Fail("is empty: remove the key")
			}
		}
	}
	begin := n.Problems()
	n.Fields(map[string]func(*yamlfile.Node){
		"name":         func(n *yamlfile.Node) { r.Name = readName(n) },
		"reason":       func(n *yamlfile.Node) { r.Reason = n.Text() },
		"source":       func(n *yamlfile.Node) { r.Source = readSource(n) },
		"off":          func(n *yamlfile.Node) { r.Off = n.Bool() },
		"urls":         func(n *yamlfile.Node) { r.URLs, r.urls = patterns(n) },
		"types":        func(n *yamlfile.Node) { r.Types = readTypes(n) },
		"ignore":       texts(&r.Ignore),
		"ignore-times": texts(&r.Times),
		"bare-times":   func(n *yamlfile.Node) { r.Bare = n.Bool() },
		"callbacks":    texts(&r.Callbacks),
		"require":      texts(&r.Require),
		"compare":      texts(&r.Compare),
		"match":        func(n *yamlfile.Node) { r.Match, r.match = expression(n) },
		"same":         func(n *yamlfile.Node) { r.Same = n.Text() },
		"within":       texts(&r.Within),
		"fixes":        func(n *yamlfile.Node) { r.Fixes = readFixes(n) },
	})
	if n.Problems() == begin {
		r.check(n)
	}
	if len(r.Ignore)+len(r.Times)+len(r.Callbacks) > 0 || r.Bare {
		r.ignored, r.times = namesOf(r.Ignore, r.Callbacks), namesOf(r.Times)
	}
	return r
}

// check records the combinations of keys that mean nothing.
func (r *Rule) check(n *yamlfile.Node) {
	ignoring := len(r.Ignore)+len(r.Times)+len(r.Callbacks) > 0 || r.Bare
	switch {
	case r.Name == "":
		n.Fail("has no name")
	case r.Reason == "":
		n.Fail("has no reason: say why these requests have the same answer")
	case r.Off && (ignoring || r.Match != "" || len(r.Require)+len(r.Fixes) > 0):
		n.Fail("off: true removes our rule of this name; remove the other keys")
	case !r.Off && !ignoring && r.Match == "" && len(r.Require)+len(r.Fixes) == 0:
		n.Fail("has no effect: add ignore, callbacks, require, match or fixes")
	case r.Match != "" && len(r.Require) > 0:
		n.Fail("match and require exclude each other: write two rules")
	case (r.Match == "") != (r.Same == ""):
		n.Fail("match and same belong together: same is the form in which equal requests are equal")
	case len(r.Compare) > 0 && len(r.Require) == 0:
		n.Fail("compare adds to require, which is missing")
	case len(r.Within) > 0 && r.Match == "" && len(r.Require) == 0:
		n.Fail("within belongs to match or require")
	case len(r.Require) > 0 && len(r.urls) == 0:
		n.Fail("require needs urls: the arguments of other sites have another meaning")
	}
	if r.Same != "" {
		template(n, "same", r.Same, r.match)
		if r.match != nil && r.match.NumSubexp() > 0 && !strings.Contains(r.Same, "$") {
			n.Fail("same has no group of match, such as $1: all requests that match would have one answer")
		}
	}
	for _, w := range r.Within {
		template(n, "within", w, r.match)
		if host, _, ok := surt.Host("http://" + strings.TrimPrefix(w, "*.")); !ok || strings.Contains(w, "://") ||
			!strings.Contains(host, ",") && !strings.Contains(w, "$") {
			n.Fail("within: %.80q must begin with a host, without a scheme, such as a.example/video/ or *.a.example", w)
		}
	}
}

// groups finds the groups in a template (regexp.Expand).
var groups = regexp.MustCompile(`\$(?:\$|\{(\w*)\}?|(\w*))`)

// template records groups that the regular expression does not have.
func template(n *yamlfile.Node, key, s string, re *regexp.Regexp) {
	if len(s) > maxExpression {
		n.Fail("%s is longer than %d bytes", key, maxExpression)
	}
	for _, m := range groups.FindAllStringSubmatch(s, -1) {
		name := m[1] + m[2]
		if m[0] == "$$" {
			continue
		}
		number, err := strconv.Atoi(name)
		if re != nil && (err == nil && number <= re.NumSubexp() || re.SubexpIndex(name) > 0) {
			continue
		}
		n.Fail("%s: the expression has no group %.40q; write ${1} for the first", key, name)
	}
}

func readName(n *yamlfile.Node) string {
	s := n.Text()
	if len(s) > 60 || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" {
		n.Fail("%.80q is not a name: use small letters, digits, hyphens and dots, at most 60", s)
	}
	return s
}

func readSource(n *yamlfile.Node) string {
	s := n.Text()
	if s != "" && !strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "http://") {
		n.Fail("%.80q is not a URL", s)
	}
	return s
}

// patterns reads URL patterns, as in access rules.
func patterns(n *yamlfile.Node) (texts []string, all []statements.Pattern) {
	texts = n.Texts()
	if len(texts) == 0 {
		n.Fail("is empty: remove the key to apply to all sites")
	}
	for _, p := range texts {
		if wrong := statements.CheckPattern(p); wrong != "" {
			n.Fail("%s", wrong)
			continue
		}
		all = append(all, statements.Compile(p))
	}
	return texts, all
}

func readTypes(n *yamlfile.Node) []string {
	all := n.Texts()
	if len(all) == 0 {
		n.Fail("is empty: remove the key to apply to all media types")
	}
	for i, t := range all {
		all[i] = strings.ToLower(t)
		kind, sub, ok := strings.Cut(t, "/")
		if !ok || kind == "" || sub == "" || strings.ContainsAny(t, "; ") || strings.Contains(kind, "*") ||
			strings.Contains(sub, "*") && sub != "*" {
			n.Fail("%.80q is not a media type: write text/html, or image/* for all images", t)
		}
	}
	return all
}

// expression reads a regular expression (RE2: the time of one match is linear in the text).
func expression(n *yamlfile.Node) (string, *regexp.Regexp) {
	s := n.Text()
	if len(s) > maxExpression {
		n.Fail("is longer than %d bytes", maxExpression)
		return s, nil
	}
	re, err := regexp.Compile(s)
	if err != nil {
		n.Fail("is not a regular expression (RE2): %v", fmt.Errorf("%w", err))
		return s, nil
	}
	return s, re
}
