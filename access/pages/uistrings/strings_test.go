package uistrings

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestReadWords(t *testing.T) {
	w,
		err := Read(strings.NewReader("language: pl\ncollection.count.few: \"{n} strony\"\n" +
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
		if _, err := Read(strings.NewReader(doc)); err == nil || !strings.Contains(err.Error(), want) {
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
		w, err := Load(name)
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
			want, got := place.FindAllString(was, -1), place.FindAllString(text, -1)
			slices.Sort(want)
			slices.Sort(got)
			if want, got = slices.Compact(want), slices.Compact(got); !slices.Equal(want, got) {
				t.Errorf("%s: %s fills in %q, and English %q: %q", name, key, got, want, text)
			}
		}
		for key := range english.texts { // also .one, which Missing leaves to the language
			if w.own != nil && !w.own[key] {
				t.Errorf("%s: %s is English", name, key)
			}
		}
		if name != "en" && same > len(w.texts)/5 {
			t.Errorf("%s: %d of %d texts are English", name, same, len(w.texts))
		}
	}
	if want := []string{"de", "en", "es", "fr", "nl"}; !slices.Equal(Languages(), want) {
		t.Errorf("%q come with the program, want %q", Languages(), want)
	}
}

func TestMissing(t *testing.T) {
	w,
		err := Read(strings.NewReader("language: nl\nnav.search: Zoeken\ncollection.count.other: \"{n} " +
		"websites\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	missing := w.Missing()
	if slices.Contains(missing, "nav.search") || slices.Contains(missing, "collection.count.other") ||
		slices.Contains(missing, "collection.count.one") || !slices.Contains(missing, "nav.sites") {
		t.Errorf("%q", missing)
	}
	if _, err := Read(strings.NewReader("nav.search: Zoeken\n")); err == nil ||
		!strings.Contains(err.Error(), "the language is missing") {
		t.Errorf("words of no language: %v", err)
	}
	for tag, want := range map[string]string{"ar": "rtl", "he": "rtl", "fa-IR": "rtl", "az-Arab": "rtl", "az": "ltr",
		"nl": "ltr", "zh-Hant": "ltr", "yi": "rtl"} {
		w, err := Read(strings.NewReader("language: " + tag + "\n"))
		if err != nil || w.Direction() != want {
			t.Errorf("%s is written %s, %v", tag, w.Direction(), err)
		}
	}
}

// TestAccept: the language of a header Accept-Language.
func TestAccept(t *testing.T) {
	var all []*Strings
	for _, name := range []string{"en", "de", "es", "fr", "nl"} {
		w, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
	c := NewChoice(all...)
	for header, want := range map[string]string{"": "en", "de-AT,en;q=0.5": "de", "ja": "en", "es-419": "es",
		"nl-BE, fr;q=0.9": "nl", "nl;q=0.1,fr;q=0.2": "fr", "!": "en", strings.Repeat("fr,", 1000): "en"} {
		if i, w := c.Accept(header); w.Language() != want || all[i] != w {
			t.Errorf("%.40q gets %s, want %s", header, w.Language(), want)
		}
	}
	for name, want := range map[int]string{1: "1.234.567", 2: "1.234.567", 3: "1\u202f234\u202f567", 4: "1.234.567"} {
		if got := all[name].Number(1_234_567); got != want {
			t.Errorf("%s: %q, want %q", all[name].Language(), got, want)
		}
	}
	if got := all[1].When("20150314"); got != "14. März 2015" {
		t.Error(got)
	}
	if got := all[2].When("20150314"); got != "14 de marzo de 2015" {
		t.Error(got)
	}
}
