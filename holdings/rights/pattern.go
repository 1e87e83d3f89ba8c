package rights

import (
	"strings"

	"quire/preserve/statements"
)

// pattern is a URL pattern.
type pattern struct {
	statements.Pattern
	surt string // instead of a pattern: a prefix of keys
}

// means reports whether one of the patterns matches the URL of a case.
func means(patterns []pattern, q *Question) bool {
	for i := range patterns {
		p := &patterns[i]
		if p.surt == "" && p.Match(q.split()) || p.surt != "" && p.begins(q.key()) {
			return true
		}
	}
	return false
}

// begins reports whether a key begins with the pattern. An open host, "example,a,", also matches
// its subdomains, as in Heritrix; in our keys no comma follows the host itself.
func (p *pattern) begins(key string) bool {
	host, open := strings.CutSuffix(p.surt, ",")
	if strings.Contains(host, ")") {
		return strings.HasPrefix(key, p.surt)
	}
	if bare, www := strings.CutSuffix(host, ",www"); www && follows(key, bare, "):") { // our keys omit www
		return true
	}
	return !open && strings.HasPrefix(key, p.surt) || open && follows(key, host, ",):")
}

// follows reports whether one of some characters follows a prefix in a key.
func follows(key, beginning, one string) bool {
	rest, ok := strings.CutPrefix(key, beginning)
	return ok && rest != "" && strings.ContainsRune(one, rune(rest[0]))
}

// split returns the URL in the form for patterns.
func (q *Question) split() *statements.Address {
	if !q.apart {
		q.apart, q.address = true, statements.Split(q.URL)
	}
	return &q.address
}

// byHost indexes rules by host; rest has the rules without a host. Both hold positions in the file.
// A rule for a host also covers its subdomains.
type byHost struct {
	hosts map[string][]int
	rest  []int
}

// order indexes rules by host: there may be thousands, and few cover any single host.
func order(all []Rule) byHost {
	b := byHost{hosts: map[string][]int{}}
	for i := range all {
		hosts, some := hostsOf(all[i].urls)
		if !some {
			b.rest = append(b.rest, i)
			continue
		}
		for _, h := range hosts {
			if n := len(b.hosts[h]); n == 0 || b.hosts[h][n-1] != i {
				b.hosts[h] = append(b.hosts[h], i)
			}
		}
	}
	return b
}

// hostsOf returns the hosts that patterns cover; some reports whether they cover only these.
func hostsOf(patterns []pattern) (hosts []string, some bool) {
	for i := range patterns {
		host, ok := patterns[i].Host()
		if !ok || patterns[i].surt != "" {
			return nil, false
		}
		hosts = append(hosts, host)
	}
	return hosts, len(hosts) > 0
}

// each visits the rules that may cover a URL. A rule may be visited twice.
func (b *byHost) each(q *Question, visit func(int)) {
	for _, i := range b.rest {
		visit(i)
	}
	if len(b.hosts) == 0 || q.URL == "" {
		return
	}
	host := q.split().Host()
	b.visit(host, visit)
	if name, _, port := strings.Cut(host, ":"); port {
		host = name
		b.visit(host, visit)
	}
	for {
		_, parent, ok := strings.Cut(host, ".")
		if !ok {
			return
		}
		host = parent
		b.visit(host, visit)
	}
}

func (b *byHost) visit(host string, visit func(int)) {
	for _, i := range b.hosts[host] {
		visit(i)
	}
}
