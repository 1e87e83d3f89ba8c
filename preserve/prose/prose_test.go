package prose

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

const page = `<!DOCTYPE html><html lang=en-GB><head><title> The  harbour
museum </title><style>p { color: red }</style><script>var p = "<p>no text at all, however long it may become ` +
	`over time</p>"</script></head>
<body><nav><ul><li><a href=/>Home</a><li><a href=/ships>All our ships, from the oldest one to the one that ` +
	`was built last</a></ul></nav>
<h1>The ships</h1>
<p>The museum keeps forty ships, and each of them can be visited in su&shy;mmer.
<p>Short.<p>A second paragraph tells of the steam tug that still leaves the quay on Sundays.</p>
<pre>this is a listing of something that nobody would read as a text</pre>
<p><a href=a>One link to</a> <a href=b>somewhere and another link to</a> somewhere else entirely, or so <a ` +
	`href=c>it seems to be</a></p>
<h2>Nothing follows</h2>
<footer>Copyright of the museum, which keeps all rights to the ships and to whatever is told of them.</footer>` +
	`</body></html>`

func TestFromHTML(t *testing.T) {
	got := FromHTML([]byte(page), "text/html")
	want := &Text{Title: "The harbour museum", Language: "en", LanguageFrom: "html lang", Paragraphs: []string{
		"The ships", "The museum keeps forty ships, and each of them can be visited in summer.", "Short.",
		"A second paragraph tells of the steam tug that still leaves the quay on Sundays.",
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestWhereTheTextIs(t *testing.T) {
	long := strings.Repeat("The text of the article is long enough to be what the page is for. ", 5)
	for _, c := range []struct{ name, page, want string }{
		{"in main",
			"<p>" + long +
				"</p><main><header>The head of it all, which is in the main part, and so is read</header><p>" + long +
				"</p></main>",
			"The head of it all, which is in the main part, and so is read|" + long},
		{"a main that is short", "<main><p>Hello</p></main><p>" + long, long},
		{"short blocks alone", "<p>Closed today.</p><a href=x>Home</a>", "Closed today."},
		{"links alone", "<a href=x>Home</a>", "Home"},
		{"a list of a navigation that does not end", "<nav><p>" + long, ""},
		{"self-closing", "<svg/><p>" + long, long},
		{"a listing alone", "<pre>" + long + "</pre>", long},
	} {
		if got := strings.Join(FromHTML([]byte(c.page), "").Paragraphs,
			"|"); strings.TrimSpace(got) != strings.TrimSpace(c.want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestCharsets(t *testing.T) {
	for _, c := range []struct{ contentType, text, want string }{
		{"text/plain; charset=koi8-r", "\xf0\xd2\xc9\xd7\xc5\xd4", "Привет"}, {"text/plain", "caf\xc3\xa9", "café"},
		{"text/plain", "caf\xe9", "café"},
		{"text/plain; charset=utf-8", "\xff\xfec\x00a\x00", "ca"},
		{"text/plain; charset=utf-8", "caf\xe9", "caf\uFFFD"},
	} {
		if got := FromPlain([]byte(c.text), c.contentType).Paragraphs; len(got) != 1 || got[0] != c.want {
			t.Errorf("%q as %s: %q", c.text, c.contentType, got)
		}
	}
	if got := FromHTML([]byte("<p>caf\xe9</p>"), "text/html").Paragraphs; got[0] != "café" {
		t.Errorf("%q", got)
	}
}

func TestFromPlain(t *testing.T) {
	got := FromPlain([]byte("One line\r\nand another.\r\n\r\n \t\r\nThe end"), "text/plain")
	if !reflect.DeepEqual(got.Paragraphs, []string{"One line and another.", "The end"}) || got.Cut {
		t.Errorf("%+v", got)
	}
	if got := FromPlain([]byte(strings.Repeat("é", MaxText)), ""); !got.Cut || !utf8.ValidString(got.Paragraphs[0]) ||
		strings.ContainsRune(got.Paragraphs[0], utf8.RuneError) {
		t.Errorf("%d bytes, cut %v", len(got.Paragraphs[0]), got.Cut)
	}
}

func TestLanguage(t *testing.T) {
	for want, text := range map[string]string{
		"en": "The ships of the museum are at the quay, and they can be visited by all who are in the city.",
		"fr": "Les bateaux du musée sont au quai, et ils peuvent être visités par tous ceux qui sont dans la ville.",
		"de": "Die Schiffe des Museums liegen am Kai, und sie können von allen besucht werden, die in der Stadt sind.",
		"nl": "De schepen van het museum liggen aan de kade, en ze kunnen door iedereen worden bezocht die in de " +
			"stad is.",
		"es": "Los barcos del museo están en el muelle, y pueden ser visitados por todos los que están en la ciudad.",
		"it": "Le navi del museo sono al molo, e possono essere visitate da tutti quelli che sono nella città.",
		"da": "Museets skibe ligger ved kajen, og de kan besøges af alle, der er i byen, når det ikke er vinter.",
		"":   "Lorem ipsum dolor sit amet consectetur adipiscing elit",
	} {
		if got := FromPlain([]byte(text), "").Language; got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string]string{
		"One. Two! Three? Four":                        "One.|Two!|Three?|Four",
		"Mr. Smith and J. Doe met Dr. Who. They left.": "Mr. Smith and J. Doe met Dr. Who.|They left.",
		"It cost 3.50 euros. 12 came.":                 "It cost 3.50 euros.|12 came.",
		"He said: “Go!” Then he went... and came.":     "He said: “Go!”|Then he went... and came.",
		"一。二！三":                                        "一。|二！|三",
		"Siehe S. 5, z. B. dort. Dann (so.) Ende.":     "Siehe S. 5, z. B. dort.|Dann (so.)|Ende.",
		"....... . . .":                                "....... . . .",
	} {
		if got := strings.Join(Sentences(text), "|"); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"l'été d’Anvers, web-archive 1999": "[{l'été false} {d’Anvers true} {web-archive false} {1999 true}]",
		"東京タワー":                            "[{東京 false} {京タ true} {タワ true} {ワー true}]",
		"- ' a-":                           "[{a false}]",
	} {
		if got := fmt.Sprint(Words(text)); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func FuzzFromHTML(f *testing.F) {
	f.Add(page, "text/html; charset=utf-8")
	f.Add("<main></a></main></nav><title><svg><title>x", "")
	f.Add("東京。 A. B. ....!!'\"", "text/html; charset=shift_jis")
	f.Fuzz(func(t *testing.T, page, contentType string) {
		for _, text := range []*Text{FromHTML([]byte(page), contentType), FromPlain([]byte(page), contentType)} {
			for _, p := range text.Paragraphs {
				var all strings.Builder
				for _, s := range Sentences(p) {
					all.WriteString(s)
					for _, w := range Words(s) {
						if w.Text == "" || !strings.Contains(s, w.Text) {
							t.Errorf("%q is no word of %q", w.Text, s)
						}
					}
				}
				if strings.ReplaceAll(all.String(), " ", "") != strings.ReplaceAll(p, " ", "") {
					t.Errorf("%q became %q", p, all.String())
				}
			}
		}
	})
}

func ExampleFromHTML() {
	t := FromHTML([]byte(page), "text/html")
	fmt.Println(t.Title, t.Language)
	fmt.Println(t.Paragraphs[1])
	// Output:
	// The harbour museum en
	// The museum keeps forty ships, and each of them can be visited in summer.
}

// TestPagesOneAfterTheOther: nothing of a page is left in the text of another.
func TestPagesOneAfterTheOther(t *testing.T) {
	const long = `<html lang="de"><title>First</title><meta name="description" content="About"><main><a href="/">` +
		`<pre>Listing<nav><p>The words of the first page, which end within open elements`
	const short = `<p>Some words`
	alone := FromHTML([]byte(short), "")
	for range 3 {
		first := FromHTML([]byte(long), "")
		after := FromHTML([]byte(short), "")
		if !reflect.DeepEqual(after, alone) || first.Title != "First" || first.Language != "de" {
			t.Fatalf("%+v after %+v, alone %+v", after, first, alone)
		}
	}
}
