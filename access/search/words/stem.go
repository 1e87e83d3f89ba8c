package words

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	snowball "github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
)

// stemmers are the algorithms of Snowball, by language (ISO 639-1).
var stemmers = map[string]func(*snowball.Env) bool{
	"ar": arabic.Stem, "da": danish.Stem, "de": german.Stem, "en": english.Stem, "es": spanish.Stem,
	"fi": finnish.Stem, "fr": french.Stem, "ga": irish.Stem, "hu": hungarian.Stem, "it": italian.Stem,
	"nb": norwegian.Stem, "nl": dutch.Stem, "nn": norwegian.Stem, "no": norwegian.Stem, "pt": portuguese.Stem,
	"ro": romanian.Stem, "ru": russian.Stem, "sv": swedish.Stem, "ta": tamil.Stem, "tr": turkish.Stem,
}

// Stemmed are the languages with stems, sorted.
var Stemmed = slices.Sorted(maps.Keys(stemmers))

// maxStemmed limits the words with stems, in bytes.
const maxStemmed = 64

// Written returns the current token in lower case with its accents: the form that stems are made of. It is
// empty for tokens without a stem: numbers, names with signs, letters of scripts without spaces.
func (s *Scanner) Written() string {
	if s.kind != Word || len(s.token) < 2 || len(s.token) > maxStemmed {
		return ""
	}
	ascii := true
	for _, c := range s.token {
		if c < 'a' && c < utf8.RuneSelf || c > 'z' && c < utf8.RuneSelf {
			return ""
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	raw := s.text[s.from:s.to]
	if ascii && len(raw) == len(s.token) {
		return string(s.token)
	}
	return written(cut(raw, 2*maxStemmed))
}

// Stems returns the stems of a word in a language: of its written form, and of the folded form if that gives
// another one. So été and ete have a common stem. A stem has the language at its end, so that it meets only
// stems of the same language.
func Stems(language, written, folded string) []string {
	stem := stemmers[language]
	if stem == nil || written == "" || len(written) > 2*maxStemmed {
		return nil
	}
	all := []string{foldWord(stemOf(stem, written)) + "." + language}
	if written == folded {
		return all
	}
	if other := foldWord(stemOf(stem, folded)) + "." + language; other != all[0] {
		all = append(all, other)
	}
	return all
}

// stemOf runs an algorithm. Its code is generated; a panic on a strange word must not end an index.
func stemOf(stem func(*snowball.Env) bool, word string) (result string) {
	defer func() {
		if recover() != nil {
			result = word
		}
	}()
	env := snowball.NewEnv(word)
	stem(env)
	if result = env.Current(); result == "" {
		return word
	}
	return result
}

// foldWord folds a single word.
func foldWord(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			makeTables()
			return string(appendFolded(nil, s, func(b []byte) []byte { return b }))
		}
	}
	return s
}

// Cache remembers the stems of frequent words. It is not safe for concurrent use.
type Cache struct {
	languages map[string]map[string][]string
	words     int
}

// mostCached limits the words in a cache.
const mostCached = 50_000

// Stems returns the stems of the current token of a scanner, in the language of its text.
func (c *Cache) Stems(s *Scanner, language string) []string {
	written := s.Written()
	if written == "" || stemmers[language] == nil {
		return nil
	}
	known := c.languages[language]
	all, ok := known[written]
	if ok {
		return all
	}
	if c.words >= mostCached {
		c.languages, c.words, known = nil, 0, nil
	}
	if known == nil {
		if c.languages == nil {
			c.languages = map[string]map[string][]string{}
		}
		known = map[string][]string{}
		c.languages[language] = known
	}
	all = Stems(language, written, string(s.token))
	known[strings.Clone(written)], c.words = all, c.words+1
	return all
}

// HasStems reports whether a language has stems.
func HasStems(language string) bool { return stemmers[language] != nil }
