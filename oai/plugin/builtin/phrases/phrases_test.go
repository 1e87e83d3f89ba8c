package phrases_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"quire/oai/plugin/builtin/phrases"
	"quire/preserve/prose"
)

const text = `Web archives keep the web. A web archive is a collection of captures: the captures of a page, ` +
	`and what the page needs. Web archives
are used by historians, and by those who want to know what a page said. Historians use web archives with care.`

// The candidates with "web" are: web archives keep, web, web archive, web archives (twice). So web
// has 3+1+2+2+2 words in 5 candidates, and archives 3+2+2 in 3.
func TestOf(t *testing.T) {
	got := phrases.Of(prose.FromPlain([]byte(text), ""), phrases.Options{Most: 4})
	want := []phrases.Phrase{{"Web archives", 8.67, 2}, {"Web archives keep", 7.33, 1}, {"web archive", 4, 1},
		{"page needs", 3.67, 1}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	for _, p := range phrases.Of(prose.FromPlain([]byte(text), ""), phrases.Options{Words: 1}) {
		if strings.Contains(p.Text, " ") {
			t.Errorf("%+v", p)
		}
	}
}

// For a language without stop words here, short words replace them.
func TestOfUnknownLanguage(t *testing.T) {
	t1 := &prose.Text{Language: "cy", Paragraphs: []string{"Mae'r amgueddfa yn cadw cychod hanesyddol ar y cei 1999"}}
	got := phrases.Of(t1, phrases.Options{})
	want := []phrases.Phrase{{"cadw cychod hanesyddol", 9, 1}, {"Mae'r amgueddfa", 4, 1}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestOfNothing(t *testing.T) {
	if got := phrases.Of(&prose.Text{}, phrases.Options{}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func FuzzOf(f *testing.F) {
	f.Add(text, 3, 2)
	f.Fuzz(func(t *testing.T, text string, most, words int) {
		most, words = 1+(most&15), 1+(words&3)
		got := phrases.Of(prose.FromPlain([]byte(text), ""), phrases.Options{Most: most, Words: words})
		if len(got) > most {
			t.Errorf("%d phrases", len(got))
		}
		for i, p := range got {
			if p.Count < 1 || p.Score < 1 || strings.Count(p.Text, " ") >= words || i > 0 && p.Score > got[i-1].Score {
				t.Errorf("%+v", got)
			}
		}
	})
}

func ExampleOf() {
	t := prose.FromPlain([]byte(text), "text/plain; charset=utf-8")
	for _, p := range phrases.Of(t, phrases.Options{Most: 2}) {
		fmt.Println(p.Text, p.Score)
	}
	// Output:
	// Web archives 8.67
	// Web archives keep 7.33
}
