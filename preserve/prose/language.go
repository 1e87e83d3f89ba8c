package prose

// StopWords are the words of a language that say nothing of what a text is about, folded; nil where
// the language has no list here.
func StopWords(language string) map[string]bool { return stopWords[language] }

// tellLanguage finds the language by stop words, where the page does not tell.
func (t *Text) tellLanguage() {
	if t.Language != "" {
		return
	}
	if best := LanguageOf(t.Paragraphs); best != "" {
		t.Language, t.LanguageFrom = best, "stop words"
	}
}

// LanguageOf finds the language of paragraphs by stop words: the one that has most of them there,
// when these are one word in ten at least, and a quarter more than of any other; "" when it cannot
// be told.
func LanguageOf(paragraphs []string) string {
	const enough = 3000 // words, and what the paragraph has in which they are reached
	counts := map[string]int{}
	words := 0
	for _, p := range paragraphs {
		if words > enough {
			break
		}
		for _, w := range Words(p) {
			words++
			for _, language := range languagesOf[Fold(w.Text)] {
				counts[language]++
			}
		}
	}
	best, second := "", 0
	for _, language := range languages { // in one order, whatever happens
		switch n := counts[language]; {
		case n > counts[best]:
			best, second = language, counts[best]
		case n > second:
			second = n
		}
	}
	if n := counts[best]; n*10 >= words && n*4 >= second*5 && n > 1 {
		return best
	}
	return ""
}

// languages are those that have a list of stop words.
var languages = []string{"en", "fr", "de", "nl", "es", "it", "pt", "da", "sv"}

var (
	stopWords   = map[string]map[string]bool{}
	languagesOf = map[string][]string{} // by stop word
)

func init() {
	for _, language := range languages {
		stopWords[language] = set(lists[language])
		for word := range stopWords[language] {
			languagesOf[word] = append(languagesOf[word], language)
		}
	}
}
