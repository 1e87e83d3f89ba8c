package search

import (
	_ "embed"
	"fmt"
	"html"
	"strings"
	"testing"
)

// spoken is a page in a language. Each question finds it; the counter-question beside it does not.
type spoken struct {
	language, title, text string
	questions             [][2]string // a question, and its counter-question
}

// languages has pages written for this test: language, title and text; below each the questions and
// counter-questions. The questions are inflected, without accents, in capitals, without vowel marks, inside of
// runs without spaces, or beside particles, as readers of the language type them.
//
//go:embed testdata/languages.tsv
var languages string

func spokenPages() (all []spoken) {
	for line := range strings.Lines(languages) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if f[0] != "" {
			all = append(all, spoken{language: f[0], title: f[1], text: f[2]})
			continue
		}
		p := &all[len(all)-1]
		p.questions = append(p.questions, [2]string{f[1], f[2]})
	}
	return all
}

// spokenHouse has the pages in one package.
func spokenHouse() *house {
	h := newHouse()
	for _, p := range spokenPages() {
		h.add(item{pkg: "p", at: "20150101000000", url: "http://" + p.language + ".example/x",
			mime: "text/html; charset=utf-8", body: fmt.Sprintf("<!DOCTYPE html><html lang=%q><head><title>%s</title>"+
				"</head><body><p>%s</p></body></html>", p.language, html.EscapeString(p.title),
				html.EscapeString(p.text))})
	}
	return h
}

// TestLanguages: 30 languages, five questions each; each finds its page, and its counter-question does not.
func TestLanguages(t *testing.T) {
	s := openEngine(t, spokenHouse())
	pages, asked, missed, wrong := spokenPages(), 0, 0, 0
	for _, p := range pages {
		find := func(question string) bool {
			for _, h := range ask(t, s, public, Query{Text: question, Limit: MaxLimit}).Hits {
				if h.Host == p.language+".example" {
					return true
				}
			}
			return false
		}
		for _, q := range p.questions {
			asked++
			if !find(q[0]) {
				missed++
				t.Errorf("%s: %s is not found", p.language, q[0])
			}
			if find(q[1]) {
				wrong++
				t.Errorf("%s: %s is found, but is not in the page", p.language, q[1])
			}
		}
	}
	if len(pages) != 30 || asked != 150 {
		t.Errorf("%d languages, %d questions", len(pages), asked)
	}
	t.Logf("%d questions of %d missed, %d counter-questions found", missed, asked, wrong)
}
