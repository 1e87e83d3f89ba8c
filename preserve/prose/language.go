package prose

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

// LanguageOf detects the language of paragraphs by stop words. It is the language with the most
// stop words, if these are at least one word in ten, and a quarter more than of any other;
// otherwise "".
func LanguageOf(paragraphs []string) string {
	const enough = 3000 // words; the paragraph that reaches it is counted completely
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
	for _, language := range languages { // in a fixed order, for reproducible results
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

// languages are the languages with a list of stop words.
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
