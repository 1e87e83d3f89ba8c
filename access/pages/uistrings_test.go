package pages

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// keyPattern matches the keys used in templates and code.
var keyPattern = regexp.MustCompile(`(?:\bt |\bt\(|words\.[TN]\(|s\.add\(d, )"([a-z][A-Za-z0-9.-]*)"`)

// TestEveryTextIsThere: every key used in a template or in the code has a string.
func TestEveryTextIsThere(t *testing.T) {
	w := English()
	var files []string
	for _, pattern := range []string{"templates/*.html", "*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	used := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range keyPattern.FindAllStringSubmatch(string(text), -1) {
			key := m[1]
			if strings.Contains(m[0], "s.add(d") {
				key = "site.fact." + key
			}
			used++
			if !w.has(key) && !w.has(key+".other") && !strings.HasSuffix(key, ".") {
				t.Errorf("%s asks for %q, which uistrings/en.yaml has not", name, key)
			}
		}
	}
	if used < 100 {
		t.Errorf("only %d texts were looked for: the pattern fits nothing", used)
	}
	for _, k := range append(slices.Clone(kinds), "unknown") {
		if !w.has("kind." + k) {
			t.Errorf("no word for kind %s", k)
		}
	}
}

func TestReadWords(t *testing.T) {
	w,
		err := ReadUIStrings(strings.NewReader("language: pl\ncollection.count.few: \"{n} strony\"\n" +
		"collection.count.many: \"{n} stron\"\nmonth.03: marca\n"))
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int64]string{3: "3 strony", 5: "5 stron", 22: "22 strony"} {
		if got := w.N("collection.count", n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	if got := w.When("20150314"); got != "14 marca 2015" {
		t.Error(got)
	}
	if got := w.T("nav.search"); got != "Search" {
		t.Errorf("the untranslated string is %q", got)
	}
	for doc, want := range map[string]string{
		"nobody.asks: x":                   "no page uses",
		"language: \"!\"":                  "is not a BCP 47 language tag",
		"collection.count.other: \"{1}\"":  "lacks the placeholder {1}",
		"nav.search: a\nnav.search: b\n":   "nav.search",
		"date.span: \"{1} bis {2} {3}\"\n": "{3}",
	} {
		if _, err := ReadUIStrings(strings.NewReader(doc)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", doc, err)
		}
	}
}

func TestNumbersAndSizes(t *testing.T) {
	w := English()
	for got, want := range map[string]string{
		w.Number(0): "0", w.Number(1234567): "1,234,567", w.Number(-1000): "−1,000",
		w.Short(999): "999", w.Short(1234): "1.2k", w.Short(100_000): "100k", w.Short(2_500_000): "2.5M",
		w.Size(-1): "", w.Size(1): "1 byte", w.Size(999): "999 bytes", w.Size(12_345_678): "12.3\u00a0MB",
		w.When("2015"): "2015", w.When("201503"): "March 2015", w.When("20150314"): "14 March 2015",
		w.When("20150314092653"): "14 March 2015, 09:26:53 UTC", w.When("nonsense"): "nonsense",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestLanguagesAreWhole: the built-in languages have every string, in every plural form of the
// language, and use the same placeholders as English.
func TestLanguagesAreWhole(t *testing.T) {
	place := regexp.MustCompile(`\{[0-9n]\}`)
	english := English()
	for _, name := range Languages() {
		w, err := LoadUIStrings(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if missing := w.Missing(); w.Language() != name || len(missing) > 0 {
			t.Errorf("%s calls itself %s, and has not %q", name, w.Language(), missing)
		}
		same := 0
		for key, text := range w.texts {
			if text == english.texts[key] {
				same++
			}
			was := english.texts[key]
			if stem, _, isForm := cutForm(key); isForm {
				was = english.texts[stem+".other"]
			}
			for _, p := range place.FindAllString(was, -1) {
				if !strings.Contains(text, p) && p != "{n}" {
					t.Errorf("%s: %s fills in no %s: %q", name, key, p, text)
				}
			}
		}
		if name != "en" && same > len(w.texts)/5 {
			t.Errorf("%s: %d of %d texts are English", name, same, len(w.texts))
		}
	}
	if len(Languages()) < 2 {
		t.Errorf("only %q come with the program", Languages())
	}
}

func TestMissing(t *testing.T) {
	w,
		err := ReadUIStrings(strings.NewReader("language: nl\nnav.search: Zoeken\ncollection.count.other: \"{n} " +
		"websites\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	missing := w.Missing()
	if slices.Contains(missing, "nav.search") || slices.Contains(missing, "collection.count.other") ||
		slices.Contains(missing, "collection.count.one") || !slices.Contains(missing, "nav.sites") {
		t.Errorf("%q", missing)
	}
	if _, err := ReadUIStrings(strings.NewReader("nav.search: Zoeken\n")); err == nil ||
		!strings.Contains(err.Error(), "the language is missing") {
		t.Errorf("words of no language: %v", err)
	}
	for tag, want := range map[string]string{"ar": "rtl", "he": "rtl", "fa-IR": "rtl", "az-Arab": "rtl", "az": "ltr",
		"nl": "ltr", "zh-Hant": "ltr", "yi": "rtl"} {
		w, err := ReadUIStrings(strings.NewReader("language: " + tag + "\n"))
		if err != nil || w.direction() != want {
			t.Errorf("%s is written %s, %v", tag, w.direction(), err)
		}
	}
}
