package server

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"quire/holdings/holdingstest"
)

// suggestions misspells words of all captures: a word that stands only in denied ones is not suggested.
func (who *asker) suggestions(t *testing.T, s *Server, cases []holdingstest.Case) {
	if os.Getenv("QUIRE_SOLR") != "" {
		return // Solr makes no suggestions
	}
	words := func(c *holdingstest.Case) []string {
		return strings.FieldsFunc(strings.ToLower(c.Name+" "+c.Body), func(r rune) bool { return r < 'a' || r > 'z' })
	}
	open := map[string]bool{}
	for i := range cases {
		if cases[i].Of(who.class) == holdingstest.Allowed {
			for _, w := range words(&cases[i]) {
				open[w] = true
			}
		}
	}
	const least = 5
	asked, suggested := map[string]bool{}, 0
	for i := range cases {
		for _, w := range words(&cases[i]) {
			if len(w) < least || asked[w] || w[len(w)-1] == w[len(w)-2] {
				continue
			}
			asked[w] = true
			wrong := w[:len(w)-2] + w[len(w)-1:] + w[len(w)-2:len(w)-1]
			a := ask(t, s, "GET", ui+"/search?"+url.Values{"q": {wrong}}.Encode(), who.from, who.lines...)
			who.clean(t, "search "+wrong, a)
			has := strings.Contains(a.body, "Did you mean "+w+"?")
			if has && !open[w] {
				t.Errorf("%s is suggested, and stands only in closed captures", w)
			}
			if has {
				suggested++
			}
		}
	}
	if suggested == 0 {
		t.Errorf("no word of %d is suggested", len(asked))
	}
}
