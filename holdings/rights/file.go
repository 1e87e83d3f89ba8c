package rights

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"quire/format/surt"
	"quire/format/warc"
	"quire/internal/yamlfile"
	"quire/model"
	"quire/preserve/statements"
)

// Read reads a rules file; name identifies it in messages. The error lists all problems with their
// lines, and the returned set still applies: readable rules hold, and a rule with an unreadable
// part closes everything that its other parts cover. An unreadable file closes everything.
func Read(in io.Reader, name string) (*Set, error) {
	sum := sha256.New()
	in = io.TeeReader(in, sum)
	doc, err := yamlfile.Read(in, name)
	if err != nil {
		return &Set{closed: "the rules cannot be read: " + err.Error()}, err
	}
	s := &Set{}
	some, within := false, 0
	doc.Fields(map[string]func(*yamlfile.Node){"rules": func(n *yamlfile.Node) {
		some = true
		n.Items(func(n *yamlfile.Node) {
			before := n.Problems()
			s.Rules = append(s.Rules, readRule(n, name))
			within += n.Problems() - before
		})
	}})
	if !some {
		doc.Fail("has no list of rules: write rules: [] for none")
	}
	s.byHost, s.sum = order(s.Rules), hex.EncodeToString(sum.Sum(nil))
	err = doc.Err()
	if doc.Problems() > within { // such as another key beside rules: its meaning is unknown
		s.closed = "the rules cannot be read: " + err.Error()
	}
	return s, err
}

// ruleReader reads one rule. It omits an unreadable condition, so the rule covers more, and never
// less.
type ruleReader struct {
	Rule
	odd bool // an unknown key: perhaps a misspelt hidden
}

func readRule(n *yamlfile.Node, file string) Rule {
	r := &ruleReader{Rule: Rule{Line: n.Line()}}
	begin := n.Problems()
	said := false
	n.Each(func(key string, v *yamlfile.Node) {
		before := n.Problems()
		r.field(key, v)
		if n.Problems() > before {
			r.forget(key)
		}
		said = said || key == "access"
	})
	if !said {
		n.Fail("has no effect: add access: open, onsite, restricted or blocked")
	}
	if r.Access == Open && r.Hidden {
		n.Fail("open content cannot be hidden")
	}
	broken := n.Problems() > begin
	if broken {
		r.Override, r.Hidden, r.Message = false, r.Hidden || r.odd, unable
		if r.Access == "" || r.Access == Open {
			r.Access = Blocked
		}
	}
	r.where = r.explain(file)
	if broken {
		r.where += ": the rule cannot be read, so it closes all content that it may apply to"
	}
	return r.Rule
}

// forget removes a key that could not be read.
func (r *ruleReader) forget(key string) {
	switch key {
	case "packages":
		r.Packages = nil
	case "collections":
		r.Collections = nil
	case "urls":
		r.URLs, r.urls = nil, nil
	case "except":
		r.Except, r.except = nil, nil
	case "captured":
		r.Captured = Span{}
	case "asked":
		r.Asked = Span{}
	case "younger-than":
		r.Younger = Age{}
	case "older-than":
		r.Older = Age{}
	case "digests":
		r.Digests = nil
	case "types":
		r.Types = nil
	case "scans":
		r.Scans = nil
	case "access":
		r.Access = ""
	case "hidden":
		r.odd = true
	}
}

// field reads one key of a rule.
func (r *ruleReader) field(key string, n *yamlfile.Node) {
	switch key {
	case "name":
		r.Name = n.Text()
	case "packages":
		r.Packages = whole(n, n.Texts())
	case "collections":
		r.Collections = whole(n, n.Texts())
	case "urls":
		r.URLs, r.urls = patterns(n)
	case "except":
		r.Except, r.except = patterns(n)
	case "captured":
		r.Captured = span(n)
	case "asked":
		r.Asked = span(n)
	case "younger-than":
		r.Younger = age(n)
	case "older-than":
		r.Older = age(n)
	case "digests":
		r.Digests = whole(n, digests(n))
	case "types":
		r.Types = whole(n, types(n))
	case "scans":
		r.Scans = whole(n, scans(n))
	default:
		r.say(key, n)
	}
}

// say reads the effect of a rule, or one of its notes.
func (r *ruleReader) say(key string, n *yamlfile.Node) {
	switch key {
	case "access":
		r.Access = Verdict(n.OneOf(string(Open), string(OnSite), string(Restricted), string(Blocked)))
	case "override":
		r.Override = n.OneOf("rights") != ""
	case "hidden":
		r.Hidden = n.Bool()
	case "message":
		r.Message = n.Text()
	case "comment":
		r.Comment = n.Text()
	case "by":
		r.By = n.Text()
	case "on":
		r.On = statements.Day(n.Date())
	default:
		r.odd = true
		n.Fail("unknown key; the keys are access, asked, by, captured, collections, comment, digests, " +
			"except, hidden, message, name, older-than, on, override, packages, scans, types, urls, " +
			"younger-than")
	}
}

// whole rejects an empty list.
func whole[T any](n *yamlfile.Node, list []T) []T {
	if len(list) == 0 {
		n.Fail("is empty: remove the key to match everything")
	}
	return list
}

// patterns reads URL patterns.
func patterns(n *yamlfile.Node) (texts []string, all []pattern) {
	texts = n.Texts()
	for _, p := range texts {
		if prefix, ok := surtPrefix(p); ok {
			all = append(all, pattern{surt: prefix})
			continue
		}
		if wrong := statements.CheckPattern(p); wrong != "" {
			n.Fail("%s", wrong)
			continue
		}
		all = append(all, pattern{Pattern: statements.Compile(p)})
	}
	return texts, all
}

// surtPrefix parses a pattern in SURT form, as in Heritrix and Wayback:
// "http://(org,example,www,)/private", "(org,example,)/private", "org,example)/private".
func surtPrefix(p string) (string, bool) {
	s := p
	if i := strings.Index(s, "://("); i >= 0 {
		s = s[i+4:]
	} else if strings.HasPrefix(s, "(") {
		s = s[1:]
	} else if !strings.Contains(s, ",") || strings.Contains(s, "://") {
		return "", false
	}
	host, path, closed := strings.Cut(s, ")")
	if !closed {
		return strings.ToLower(s), s != ""
	}
	labels := strings.Split(strings.TrimSuffix(strings.ToLower(host), ","), ",")
	for i, j := 0, len(labels)-1; i < j; i, j = i+1, j-1 {
		labels[i], labels[j] = labels[j], labels[i]
	}
	return surt.Prefix("http://" + strings.Join(labels, ".") + path), true
}

func span(n *yamlfile.Node) (s Span) {
	n.Fields(map[string]func(*yamlfile.Node){
		"from": func(n *yamlfile.Node) { s.From = statements.Day(n.Date()) },
		"to":   func(n *yamlfile.Node) { s.To = statements.Day(n.Date()) },
	})
	if s.From != "" && s.To != "" && s.To < s.From {
		n.Fail("its end (%s) is before its beginning (%s)", s.To, s.From)
	}
	if s == (Span{}) {
		n.Fail("has neither from nor to")
	}
	return s
}

var ages = regexp.MustCompile(`^(\d{1,4}) ?(y|years?|m|months?|w|weeks?|d|days?)$`)

// age parses a calendar duration: 2y, 18 months, 30d.
func age(n *yamlfile.Node) (a Age) {
	m := ages.FindStringSubmatch(n.Text())
	if m == nil {
		n.Fail("is not a duration: use 2 years, 18 months, 6 weeks, 30 days (or 2y, 18m, 6w, 30d)")
		return a
	}
	count, _ := strconv.Atoi(m[1]) // at most four digits
	if count == 0 {
		n.Fail("is zero: remove the key, or use a longer duration")
	}
	switch m[2][0] {
	case 'y':
		a.Years = count
	case 'm':
		a.Months = count
	case 'w':
		a.Days = 7 * count
	case 'd':
		a.Days = count
	}
	return a
}

func digests(n *yamlfile.Node) (all []string) {
	for _, text := range n.Texts() {
		d, err := warc.ParseDigest(text)
		if err != nil || d.Algorithm != "sha1" && d.Algorithm != "sha256" {
			n.Fail("%.100q is not a digest: write sha1: or sha256: and the digest in Base32 or hexadecimal", text)
			continue
		}
		if d.Algorithm == "sha256" {
			all = append(all, fmt.Sprintf("sha256:%x", d.Sum))
			continue
		}
		all = append(all, warc.FormatDigest(d.Algorithm, d.Sum))
	}
	return all
}

var mediaType = regexp.MustCompile(`^[a-z0-9!#$&^_.+-]+/([a-z0-9!#$&^_.+-]+|\*)$`)

func types(n *yamlfile.Node) (all []string) {
	for _, t := range n.Texts() {
		t = strings.ToLower(t)
		if !mediaType.MatchString(t) {
			n.Fail("%.100q is not a media type: write application/pdf, or video/*", t)
			continue
		}
		all = append(all, t)
	}
	return all
}

func scans(n *yamlfile.Node) (all []model.ScanOutcome) {
	for _, t := range n.Texts() {
		switch s := model.ScanOutcome(t); s {
		case model.ScanClean, model.ScanInfected, model.ScanIncomplete, model.ScanNotDone:
			all = append(all, s)
		default:
			n.Fail("%.100q must be %s, %s, %s or %s", t, model.ScanClean, model.ScanInfected, model.ScanIncomplete,
				model.ScanNotDone)
		}
	}
	return all
}
