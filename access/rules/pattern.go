package rules

import (
	"strings"

	"quire/preserve/rights"
)

// pattern is what URLs are meant.
type pattern struct {
	text string
	surt string // the beginning of keys, when it is written so
}

// means says whether one of some patterns means the URL that is asked about.
func means(patterns []pattern, q *Question) bool {
	for i := range patterns {
		p := &patterns[i]
		if p.surt == "" && rights.Match(p.text, q.URL) || p.surt != "" && strings.HasPrefix(q.key(), p.surt) {
			return true
		}
	}
	return false
}
