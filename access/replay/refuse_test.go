package replay

import (
	"net/http"
	"strings"
	"testing"

	"quire/access/pages/uistrings"
	"quire/holdings"
)

// TestRefusalsInLanguages: refusals are in the language of the browser; headers for machines stay.
func TestRefusalsInLanguages(t *testing.T) {
	t.Parallel()
	m := three()
	m.captures[1].verdict = holdings.Restricted
	d := newDesk(t, m)
	words := []*uistrings.Strings{uistrings.English()}
	for _, name := range []string{"fr", "de", "nl", "es"} {
		w, err := uistrings.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		words = append(words, w)
	}
	d.o.Words = uistrings.NewChoice(words...)
	for language, texts := range map[string][2]string{"": {"This was not archived", "Access restricted"},
		"fr-CH": {"Ceci n’a pas été archivé", "Accès restreint"},
		"de":    {"Dies wurde nicht archiviert", "Zugang beschränkt"},
		"nl":    {"Dit is niet gearchiveerd", "Toegang beperkt"}, "es": {"Esto no se archivó", "Acceso restringido"}} {
		for i, target := range []string{"/all/2015mp_/http://none.example/",
			"/all/20160101000000mp_/http://a.example/"} {
			r := d.ask(target, "Accept-Language: "+language)
			tag, _, _ := strings.Cut(language, "-")
			if tag == "" {
				tag = "en"
			}
			want(t, r, []int{http.StatusNotFound, http.StatusUnavailableForLegalReasons}[i], "Content-Language: "+tag)
			if !strings.Contains(r.Header.Get("Vary"), "accept-language") {
				t.Errorf("%s: Vary is %q", target, r.Header.Get("Vary"))
			}
			if body := text(t, r); !strings.Contains(body, "<h1>"+texts[i]+"</h1>") ||
				!strings.Contains(body, `<html lang="`+tag+`" dir="ltr">`) || strings.Contains(body, "refused.") {
				t.Errorf("%s in %q: %s", target, language, body)
			}
		}
	}
	r := d.ask("/all/2015im_/http://a.example/none.png", "Sec-Fetch-Dest: image", "Accept-Language: nl")
	want(t, r, http.StatusNotFound, "Content-Language: nl")
	if body := text(t, r); body != "Dit is niet gearchiveerd\n" {
		t.Errorf("%q", body)
	}
}

// TestRefusalInChosenLanguage: the language in the address, chosen on our own pages, is before that of the browser.
// Links of a page keep it; another tag counts for nothing.
func TestRefusalInChosenLanguage(t *testing.T) {
	t.Parallel()
	d := newDesk(t, three())
	german, err := uistrings.Load("de")
	if err != nil {
		t.Fatal(err)
	}
	d.o.Words = uistrings.NewChoice(uistrings.English(), german)
	for in, tag := range map[string]string{"all~~de": "de", "all~~en": "en", "all~~xx": "de", "all": "de"} {
		r := d.ask("/"+in+"/2015mp_/http://none.example/", "Accept-Language: de")
		want(t, r, http.StatusNotFound, "Content-Language: "+tag)
	}
	page := text(t, d.ask("/all~~de/20150101000000mp_/http://a.example/"))
	if !strings.Contains(page, "/all~~de/20150101000000") {
		t.Errorf("no link keeps the language: %s", page)
	}
}

// TestRefusedParts: a line in place of a script or a style sheet has its type, or browsers report a second error.
func TestRefusedParts(t *testing.T) {
	t.Parallel()
	d := newDesk(t, three())
	const script, style = "text/javascript; charset=utf-8", "text/css; charset=utf-8"
	const plain = "text/plain; charset=utf-8"
	for _, c := range []struct{ modifier, dest, kind, line string }{
		{"js_", "script", script, "// This was not archived\n"},
		{"js_", "", script, "// This was not archived\n"},
		{"mp_", "script", script, "// This was not archived\n"},
		{"cs_", "style", style, "/* This was not archived */\n"},
		{"mp_", "style", style, "/* This was not archived */\n"},
		{"im_", "image", plain, "This was not archived\n"},
	} {
		r := d.ask("/all/2015"+c.modifier+"/http://a.example/none", "Sec-Fetch-Dest: "+c.dest)
		want(t, r, http.StatusNotFound, "Content-Type: "+c.kind, "X-Content-Type-Options: nosniff")
		if body := text(t, r); body != c.line {
			t.Errorf("%s of %q: %q", c.modifier, c.dest, body)
		}
	}
}
