package prose

import "unicode/utf8"

// StopWords returns the stop words of a language, folded; nil if the language has no list here.
func StopWords(language string) map[string]bool { return stopWords[language] }

// tellLanguage detects the language by stop words, if the page declares none.
func (t *Text) tellLanguage() {
	if t.Language != "" {
		return
	}
	if best := LanguageOf(t.Paragraphs); best != "" {
		t.Language, t.LanguageFrom = best, "stop words"
	}
}

// Languages are the languages of a page or text, each usually two letters, and "" if unknown.
type Languages struct {
	Detected string // by stop words
	Declared string // in the html element
}

// Bounds of the text whose language is detected, in bytes. A few hundred words are enough, and most pages have
// them near their beginning.
const (
	languageText  = 2 << 10  // main text
	languageBegin = 12 << 10 // of a page; all of it is read if these do not suffice
)

// LanguagesOfHTML returns the languages of a page, by the beginning of its main text.
func LanguagesOfHTML(page []byte, contentType string) (found Languages) {
	for _, b := range [][]byte{page[:min(len(page), languageBegin)], page} {
		t := untold(b, contentType, languageText)
		found = Languages{Detected: LanguageOf(t.Paragraphs), Declared: t.Language}
		if found.Detected != "" || t.Cut || len(b) == len(page) {
			break
		}
	}
	return found
}

// LanguagesOfPlain returns the language of a plain text by its beginning.
func LanguagesOfPlain(text []byte, contentType string) Languages {
	return Languages{Detected: FromPlain(text[:min(len(text), languageText)], contentType).Language}
}

// LanguageOf detects the language of paragraphs by stop words. It is the language with the most
// stop words, if these are at least one word in ten, and a quarter more than of any other;
// otherwise "".
func LanguageOf(paragraphs []string) string {
	const enough = 3000 // words; the paragraph that reaches it is counted completely
	var counts [len(languages)]int
	words := 0
	for _, p := range paragraphs {
		if words > enough {
			break
		}
		eachWord(p, func(w Word) {
			words++
			for _, language := range languagesWith(w.Text) {
				counts[language]++
			}
		})
	}
	best, most, second := "", 0, 0
	for i, n := range counts { // in a fixed order, for reproducible results
		switch {
		case n > most:
			best, most, second = languages[i], n, most
		case n > second:
			second = n
		}
	}
	if most*10 >= words && most*4 >= second*5 && most > 1 {
		return best
	}
	return ""
}

// languagesWith returns the languages in which a word is a stop word.
func languagesWith(word string) []uint8 {
	var small [32]byte // no stop word is longer
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return languagesOf[Fold(word)]
		}
		if i == len(small) {
			return nil
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		small[i] = c
	}
	if lengths[small[0]]>>len(word)&1 == 0 {
		return nil
	}
	return languagesOf[string(small[:len(word)])]
}

// languages are the languages with a list of stop words.
var languages = [...]string{"en", "fr", "de", "nl", "es", "it", "pt", "da", "sv"}

var (
	stopWords   = map[string]map[string]bool{}
	languagesOf = map[string][]uint8{} // by stop word; places in the list above

	// lengths are the lengths of the stop words that begin with a byte, as bits: most words need no look-up.
	lengths [256]uint64
)

func init() {
	for i, language := range languages {
		stopWords[language] = set(lists[language])
		for word := range stopWords[language] {
			languagesOf[word] = append(languagesOf[word], uint8(i))
			lengths[word[0]] |= 1 << len(word)
		}
	}
}
