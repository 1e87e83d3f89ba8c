// Package summary selects the sentences with the main content of a text.
//
// The weight of a word is its frequency in the text, doubled if it is also in the title; stop words
// have none. The weight of a sentence is the sum of its different words' weights, divided by the
// square root of its word count, so that length gives no advantage. The first sentence of the text
// gets half as much again. After each selection the weights of the selected words are halved, so
// that the next sentence does not repeat them (after SumBasic: Nenkova, Vanderwende, 2005). The
// result is in the order of the text.
package summary

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"quire/preserve/prose"
)

// Options limit the length of a summary. The zero value is good.
type Options struct {
	Sentences int // 0 means 5
	Bytes     int // in total; 0 means 2000
}

// The limits of the text read, and of a sentence to select.
const (
	maxSentences = 3000 // of the text
	leastWords   = 5
	mostWords    = 60
)

// sentence is a candidate sentence.
type sentence struct {
	text   string
	words  []string // distinct, without stop words
	length int      // words
	order  int
	chosen bool
}

// Of returns the sentences of a summary, or none for an empty text.
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

// read returns the sentences and the weight of each word. If no sentence has a suitable length, all
// are candidates.
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
			s.chosen = seen[text] // a repeated sentence is not selected again
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
