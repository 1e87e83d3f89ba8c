// Package phrases finds the key phrases of a text by RAKE (Rose, Engel, Cramer, Cowley: Automatic
// keyword extraction from individual documents, 2010).
//
// A candidate is a sequence of words without a stop word, a number or a punctuation mark in it. A
// long sequence is split. The score of a word is the total number of words in the candidates with
// it, including itself, divided by its frequency. The score of a phrase is the sum of its words'
// scores, multiplied by the phrase's frequency. This factor is not in RAKE; without it, long
// phrases that occur once rank above the main subject. For a language without a list of stop words,
// words of up to three letters replace it.
package phrases

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quire/preserve/prose"
)

// Options limit the number and length of phrases. The zero value is good.
type Options struct {
	Most  int // number of phrases; 0 means 10
	Words int // maximum words of a phrase; 0 means 4
}

// Phrase is one key phrase.
type Phrase struct {
	Text  string  // as at its first occurrence
	Score float64 // with two decimals
	Count int     // frequency
}

// maxCandidates is the maximum number of different candidates from one text. Further candidates are
// ignored.
const maxCandidates = 50_000

// candidate is a phrase that may be a key phrase.
type candidate struct {
	text  string
	words []string
	count int
	order int
}

// Of returns the key phrases of a text, the highest score first. If two phrases have the same
// score, the phrase that is earlier in the text is first.
func Of(t *prose.Text, o Options) []Phrase {
	f := &finder{
		stop: prose.StopWords(t.Language), longest: cmp.Or(o.Words, 4), candidates: map[string]*candidate{},
		frequency: map[string]int{}, degree: map[string]int{},
	}
	for _, p := range t.Paragraphs {
		for _, s := range prose.Sentences(p) {
			f.sentence(s)
		}
	}
	all := make([]Phrase, 0, len(f.candidates))
	for _, c := range f.inOrder() {
		all = append(all, Phrase{c.text, f.score(c), c.count})
	}
	slices.SortStableFunc(all, func(a, b Phrase) int { return cmp.Compare(b.Score, a.Score) })
	return all[:min(len(all), cmp.Or(o.Most, 10))]
}

type finder struct {
	stop              map[string]bool
	longest           int
	candidates        map[string]*candidate
	frequency, degree map[string]int // of words
}

// sentence adds the candidates of a sentence.
func (f *finder) sentence(s string) {
	var run []string
	end := func() {
		for len(run) > 0 { // the first part of a long sequence may be short: the main word is at the end
			n := len(run) % f.longest
			if n == 0 {
				n = f.longest
			}
			f.add(run[:n])
			run = run[n:]
		}
	}
	for _, w := range prose.Words(s) {
		if !w.Joined {
			end()
		}
		if f.stops(w.Text) {
			end()
			continue
		}
		run = append(run, w.Text)
	}
	end()
}

// stops reports whether a word ends a phrase.
func (f *finder) stops(word string) bool {
	if !strings.ContainsFunc(word, unicode.IsLetter) {
		return true
	}
	letters := utf8.RuneCountInString(word)
	if f.stop == nil {
		return letters <= 3
	}
	return letters < 2 || f.stop[prose.Fold(word)]
}

func (f *finder) add(run []string) {
	words := make([]string, len(run))
	for i, w := range run {
		words[i] = prose.Fold(w)
	}
	key := strings.Join(words, " ")
	c := f.candidates[key]
	if c == nil {
		if len(f.candidates) == maxCandidates || len(key) > 200 {
			return
		}
		c = &candidate{text: strings.Join(run, " "), words: words, order: len(f.candidates)}
		f.candidates[key] = c
	}
	c.count++
	for _, w := range words {
		f.frequency[w]++
		f.degree[w] += len(words)
	}
}

func (f *finder) inOrder() []*candidate {
	all := make([]*candidate, len(f.candidates))
	for _, c := range f.candidates {
		all[c.order] = c
	}
	return all
}

func (f *finder) score(c *candidate) float64 {
	sum := 0.0
	for _, w := range c.words {
		sum += float64(f.degree[w]) / float64(f.frequency[w])
	}
	return math.Round(sum*float64(c.count)*100) / 100
}
