package rights

import (
	"strings"

	"quire/preserve/statements"
)

// pattern is a pattern of URLs.
type pattern struct {
	statements.Pattern
	surt string // instead, the beginning of keys
}

// means says whether one of some patterns means the URL that is asked about.
func means(patterns []pattern, q *Question) bool {
	for i := range patterns {
		p := &patterns[i]
		if p.surt == "" && p.Match(q.split()) || p.surt != "" && p.begins(q.key()) {
			return true
		}
	}
	return false
}

// begins reports whether a key begins as the pattern says. A host that is left open, "example,a,",
// means that host and those below it, as in Heritrix; in our keys no comma follows the host itself.
func (p *pattern) begins(key string) bool {
	host, open := strings.CutSuffix(p.surt, ",")
	if strings.Contains(host, ")") {
		return strings.HasPrefix(key, p.surt)
	}
	if bare, www := strings.CutSuffix(host, ",www"); www && follows(key, bare, "):") { // our keys leave www out
		return true
	}
	return !open && strings.HasPrefix(key, p.surt) || open && follows(key, host, ",):")
}

// follows reports whether one of some characters stands in a key behind its beginning.
func follows(key, beginning, one string) bool {
	rest, ok := strings.CutPrefix(key, beginning)
	return ok && rest != "" && strings.ContainsRune(one, rune(rest[0]))
}

// split is the URL as patterns want it.
func (q *Question) split() *statements.Address {
	if !q.apart {
		q.apart, q.address = true, statements.Split(q.URL)
	}
	return &q.address
}

// byHost are the rules that are about some hosts only, by host; and, in rest, the others: by their
// places in the file. A rule that names a host is about the hosts below it, too.
type byHost struct {
	hosts map[string][]int
	rest  []int
}

// order sorts rules by their hosts: there may be thousands, and few cover any one host.
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

// hostsOf names the hosts that patterns are about; some says whether they are about these only.
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

// each goes through the rules that may be about a URL. One may come twice.
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
