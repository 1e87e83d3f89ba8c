package words

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// tokens returns the tokens of a text, with marks for those of runs without spaces.
func tokens(s string) string {
	var all []string
	for sc := Scan(s); sc.Next(); {
		all = append(all, string(sc.Token())+[]string{Word: "", Pair: "~", Last: "<", Single: "!"}[sc.Kind()])
	}
	return strings.Join(all, " ")
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"Steam-Tug, l'Été 2015!", "steam tug l ete 2015"},
		{"Ærø Łódź Straße İstanbul ISPARTA ılık Þór œuvre Đà Nẵng",
			"aero lodz strasse istanbul isparta ilik thor oeuvre da nang"},
		{"E\u0301te\u0301", "ete"},
		{"Ｆｕｌｌ　ｗｉｄｔｈ １２", "full width 12"},
		{"ﬁn", "fin"},
		{"½ m² CO₂", "1 2 m2 co2"},
		{"Βιβλιοθήκη ΣΊΣΥΦΟΣ Σίσυφος ᾳ",
			"βιβλιοθηκη σισυφοσ σισυφοσ α"},
		{"чай ЙОГУРТ и\u0306 ёлка їжак го\u0301род ѓавол",
			"чай йогурт й елка їжак город ѓавол"},
		{"שָׁלוֹם צה\"ל צה״ל בֵּית־סֵפֶר ײדיש",
			"שלום צהל צהל בית ספר יידיש"},
		{"مُحَمَّد كتــاب أحمد إلى مدرسة ٢٠١٥",
			"محمد كتاب احمد الي مدرسه 2015"},
		{"می\u200cخواهم کتاب", "مي خواهم كتاب"},
		{"हिन्दी क्\u200dष", "हिन्दी क्ष"},
		{"东京 東京タワー ｶﾞｽ か\u3099",
			"东京~ 京< 東京~ 京タ~ タワ~ ワー~ ー< ガス~ ス< が!"},
		{"กินข้าว", "กิน~ นข้~ ข้า~ าว~ ว<"},
		{"น้ำ", "น\u0e49\u0e4d\u0e32!"},
		{"น้ํา", "น\u0e49\u0e4d\u0e32!"},
		{"ភាសាខ្មែរ", "ភាសា~ សាខ្មែ~ ខ្មែរ~ រ<"},
		{"한국어를 배우다", "한국~ 국어~ 어를~ 를< 배우~ 우다~ 다<"},
		{"\u1112\u1161\u11ab글", "한글~ 글<"},
		{"API를 2015年", "api 를! 2015 年!"},
		{"C++, C# und .NET; F#-Code ASP.NET C++11 Notepad++ i++; #5 C#x",
			"c++ c# und .net f# code asp net c++ 11 notepad notepad++ i++ 5 c x"},
		{"a+b a++b C+ g++. Ｃ＋＋", "a b a b c g++ c++"},
		{"example.net .NETwork ...net 'net'", "example net network net net"},
		{"Do\u00adnau\u200bdampf\u2060schiff \ufeffx", "donaudampfschiff x"},
		{"col·legi a·b", "collegi a b"},
		{"м’ята м'ята мʼята", "м ята м ята м ята"},
		{"ⅷ Ⅷ", "viii viii"},
		{"\xff\xfea\xff", "a"},
		{"👍🏽 🇩🇪", ""},
		{"Ქართული ՀԱՅԵՐԵՆ և", "ქართული հայերեն եւ"},
	} {
		if got := tokens(c.text); got != c.want {
			t.Errorf("%q: %q, not %q", c.text, got, c.want)
		}
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	text := "Ein Cafe\u0301 in 東京, C++."
	var all []string
	for s := Scan(text); s.Next(); {
		from, mid, to := s.Place()
		all = append(all, text[from:mid]+"|"+text[mid:to])
	}
	if got := strings.Join(all, " "); got != "Ein| Cafe\u0301| in| 東|京 京| C++|" {
		t.Error(got)
	}
}

func TestStems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, a, b string }{
		{"en", "houses", "House"},
		{"de", "Häuser", "Haus"},
		{"de", "Hauser", "Haus"},
		{"fr", "musées", "MUSEES"},
		{"fr", "universités", "université"},
		{"ru", "книгами", "книга"},
		{"ru", "ёлкой", "елка"},
		{"ar", "المدرسة", "مَدْرَسَة"},
		{"tr", "kitaplar", "kitap"},
		{"it", "biblioteche", "biblioteca"},
		{"nb", "bøkene", "BØKENE"},
	} {
		one, other := stems(c.language, c.a), stems(c.language, c.b)
		common := false
		for s := range one {
			common = common || other[s]
		}
		if !common {
			t.Errorf("%s: %s has %v, %s has %v", c.language, c.a, one, c.b, other)
		}
	}
	if s := stems("en", "C++ 42 x 東京"); len(s) != 0 {
		t.Errorf("%v", s)
	}
	if s := stems("ja", "houses"); len(s) != 0 {
		t.Errorf("%v", s)
	}
}

func stems(language, text string) map[string]bool {
	var c Cache
	all := map[string]bool{}
	for s := Scan(text); s.Next(); {
		for _, stem := range c.Stems(s, language) {
			all[stem] = true
		}
	}
	return all
}

// hostile are texts that cost much if something is quadratic.
func hostile(n int) []string {
	return []string{
		strings.Repeat("\u0301", n),
		"a" + strings.Repeat("\u0301", n),
		"ก" + strings.Repeat("\u0e49", n),
		strings.Repeat("a", n),
		strings.Repeat("é", n),
		strings.Repeat("東", n),
		strings.Repeat("\u17d2ក", n),
		strings.Repeat("\u200d", n),
		"東" + strings.Repeat("\u200b", n),
		strings.Repeat(".net", n),
		strings.Repeat("+", n),
		strings.Repeat("\ufdfa", n),
		strings.Repeat("½", n),
		strings.Repeat("\u1100", n),
		strings.Repeat("א\"", n),
		strings.Repeat("a+", n),
		strings.Repeat("l·", n),
		strings.Repeat(".a", n),
		"." + strings.Repeat("ｎ", n),
	}
}

// TestHostile: a text of megabytes costs time in proportion to its size. A quadratic cost would not end.
func TestHostile(t *testing.T) {
	t.Parallel()
	for i, text := range hostile(1 << 20) {
		begin := time.Now()
		n := 0
		for s := Scan(text); s.Next(); n++ {
			if len(s.Token()) > 2*maxToken {
				t.Fatalf("%d: a token of %d bytes", i, len(s.Token()))
			}
		}
		t.Logf("%d: %d tokens in %v", i, n, time.Since(begin))
	}
}

// FuzzScan: tokens are valid, have only letters, digits, marks and the signs of names, and lie in order in the
// text. Folding a token again gives the same token.
func FuzzScan(f *testing.F) {
	for _, s := range hostile(5) {
		f.Add(s)
	}
	f.Add("Ein Café in 東京タワー, C++ .NET F# กินข้าว 한국어를 " +
		"שָׁלוֹם צה\"ל مُحَمَّد col·legi ½ ﷺ \xff")
	f.Fuzz(func(t *testing.T, text string) {
		before := 0
		for s := Scan(text); s.Next(); {
			token := string(s.Token())
			from, mid, to := s.Place()
			if from < before || mid < from || to < mid || to > len(text) || from == to {
				t.Fatalf("%q: %q at %d, %d, %d", text, token, from, mid, to)
			}
			before = from
			if token == "" || !utf8.ValidString(token) || len(token) > 2*maxToken {
				t.Fatalf("%q: token %q", text, token)
			}
			for _, r := range token {
				if !unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.Co) && !strings.ContainsRune("+#.", r) {
					t.Errorf("%q: %q in token %q", text, r, token)
				}
			}
			if s.Kind() == Word && !strings.ContainsAny(token, "+#.") {
				if again := tokens(token); again != token {
					t.Errorf("%q: token %q becomes %q", text, token, again)
				}
			}
			for _, language := range Stemmed {
				Stems(language, s.Written(), token)
			}
		}
	})
}

// BenchmarkScan reads a text of Latin letters with accents.
func BenchmarkScan(b *testing.B) {
	text := strings.Repeat("Les universités de l'été, the houses of 2015, die Häuser. ", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for s := Scan(text); s.Next(); {
			_ = s.Token()
		}
	}
}

// BenchmarkStems adds their stems.
func BenchmarkStems(b *testing.B) {
	text := strings.Repeat("Les universités de l'été, the houses of 2015, die Häuser. ", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var c Cache
		for s := Scan(text); s.Next(); {
			c.Stems(s, "fr")
		}
	}
}

func Example() {
	for s := Scan("L'ÉTÉ à 東京"); s.Next(); {
		fmt.Println(string(s.Token()))
	}
	// Output:
	// l
	// ete
	// a
	// 東京
	// 京
}
