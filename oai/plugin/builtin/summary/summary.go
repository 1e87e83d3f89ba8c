// Package summary chooses the sentences of a text that tell most of what it is about.
//
// A word counts for as often as it is in the text, unless it is a stop word; for twice that if it
// is in the title, too. A sentence counts for the sum of its different words, divided by the square
// root of how many words it has, so that neither long nor short ones win by their length; the first
// of the text for half as much again. The best is chosen, its words count for half from then on,
// and so on: so the second does not say the same as the first (after SumBasic: Nenkova,
// Vanderwende, 2005). What is chosen stands in the order of the text.
package summary

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"quire/preserve/prose"
)

// Options say how long a summary may be. The zero value is good.
type Options struct {
	Sentences int // 0 is 5
	Bytes     int // of all of them; 0 is 2000
}

// The bounds of what is looked at, and of a sentence that can be chosen.
const (
	maxSentences = 3000 // of the text
	leastWords   = 5
	mostWords    = 60
)

// sentence is a sentence that may be chosen.
type sentence struct {
	text   string
	words  []string // different ones, without stop words
	length int      // words
	order  int
	chosen bool
}

// Of gives the sentences of a summary; none where nothing is written.
func Of(t *prose.Text, o Options) []string {
	all, weight := read(t)
	room := cmp.Or(o.Bytes, 2000)
	var chosen []*sentence
	for range min(cmp.Or(o.Sentences, 5), len(all)) {
		best, most := -1, 0.0
		for i := range all {
			s := &all[i]
			if score := s.score(weight); !s.chosen && len(s.text) < room && score > most {
				best, most = i, score
			}
		}
		if best < 0 {
			break
		}
		s := &all[best]
		s.chosen = true
		room -= len(s.text) + 1
		chosen = append(chosen, s)
		for _, w := range s.words {
			weight[w] /= 2
		}
	}
	slices.SortFunc(chosen, func(a, b *sentence) int { return a.order - b.order })
	var texts []string
	for _, s := range chosen {
		texts = append(texts, s.text)
	}
	return texts
}

// read gives the sentences, and what each word counts for. Where no sentence has the length of one,
// all can be chosen.
func read(t *prose.Text) (all []sentence, weight map[string]float64) {
	stop := prose.StopWords(t.Language)
	weight = map[string]float64{}
	seen := map[string]bool{}
	for _, p := range t.Paragraphs {
		for _, text := range prose.Sentences(p) {
			if len(all) == maxSentences {
				break
			}
			s := sentence{text: text, order: len(all)}
			for _, w := range prose.Words(text) {
				s.length++
				word := prose.Fold(w.Text)
				if stop[word] || len(word) < 2 || !strings.ContainsFunc(word, unicode.IsLetter) {
					continue
				}
				weight[word]++
				if !slices.Contains(s.words, word) && len(s.words) < 2*mostWords {
					s.words = append(s.words, word)
				}
			}
			s.chosen = seen[text] // what is said twice need not be said again
			seen[text] = true
			all = append(all, s)
		}
	}
	for _, w := range prose.Words(t.Title) {
		weight[prose.Fold(w.Text)] *= 2
	}
	if usual := slices.DeleteFunc(slices.Clone(all), func(s sentence) bool {
		return s.length < leastWords || s.length > mostWords
	}); len(usual) > 0 {
		all = usual
	}
	return all, weight
}

func (s *sentence) score(weight map[string]float64) float64 {
	sum := 0.0
	for _, w := range s.words {
		sum += weight[w]
	}
	if s.order == 0 {
		sum *= 1.5
	}
	return sum / math.Sqrt(float64(max(1, s.length)))
}
