package pictures

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
	"quire/holdings/rights"
)

const date, later = "2015-01-02T03:04:05Z", "2019-01-02T03:04:05Z"

func picture(t testing.TB, c color.Color, width int) string {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, width, width/2))
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var red, blue, gray = color.RGBA{200, 20, 20, 255}, color.RGBA{20, 20, 200, 255}, color.Gray{90}

// gallery is a repository with pictures in open and closed packages.
func gallery(t *testing.T) (*holdingstest.Repository, *Pictures) {
	t.Helper()
	r := holdingstest.New(t)
	put := func(url, at, mime, body string) string { return holdingstest.Response(url+at, url, at, mime, body) }
	const open, closed = "http://open.example/", "http://closed.example/"
	r.Ingest(holdingstest.Package{ID: "open", Rights: "access: open\nrules:\n  - urls: [http://open.example/board/]\n" +
		"    access: restricted\n", Containers: map[string]string{"a.warc": put(open, date, "text/html",
		`<figure><img src=img/steam_tug.png alt="Ein Schlepper"><figcaption>Im Hafen von Çanakkale</figcaption>`+
			`</figure><img src=large.png alt="Βιβλιοθήκη, чай, йогурт, 東京都, C++">`+
			`<img src=icon.png alt=icon>`) +
		put(open+"img/steam_tug.png", date, "image/png", picture(t, red, 200)) +
		put(open+"img/steam_tug.png", later, "image/png", picture(t, red, 200)) +
		put(open+"large.png", date, "image/png", picture(t, blue, 1200)) +
		put(open+"icon.png", date, "image/png", picture(t, blue, 20)) +
		put(open+"broken.png", date, "image/png", "no picture") +
		put(open+"new.png", later, "image/png", picture(t, gray, 400)) +
		put(open+"board/", date, "text/html", `<p>Secretwords <img src=/large.png alt=Secretalt>`+
			`<img src=/plain.png alt=Secretplain>`) +
		put(open+"plain.png", date, "image/png", picture(t, color.RGBA{30, 160, 60, 255}, 250)) +
		put(open+"board/plan.png", date, "image/png", picture(t, gray, 500)) +
		put(open+"hidden.png", date, "image/png", picture(t, red, 600)) +
		put(open+"shows", date, "text/html", `<img src=hidden.png alt=Hiddenalt>`)}})
	r.Ingest(holdingstest.Package{ID: "closed", Rights: "access: onsite", Containers: map[string]string{"a.warc": put(
		closed, date, "text/html", `<img src=own.png alt="Reading room">`) + put(closed+"own.png", date, "image/png",
		picture(t, blue, 700))}})
	r.Ingest(holdingstest.Package{ID: "infected", Rights: "access: open", Scan: true, Containers: map[string]string{
		"a.warc": put("http://infected.example/virus.png", date, "image/png",
			picture(t, red, 800)+holdingstest.EICAR())}})
	h := r.Open(holdings.Options{Rules: r.Rules(`
rules:
  - urls: [http://open.example/hidden.png]
    access: blocked
    hidden: true
    comment: a court
    by: Ada
    on: 2026-11-01
`)})
	p, err := Open(context.Background(), filepath.Join(h.Dir(), DirName), h,
		func(err error) { t.Errorf("problem: %v", err) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	if err := p.Update(context.Background()); err != nil {
		t.Fatal(err)
	}
	return r, p
}

// found returns the pictures of a query, by the end of their addresses.
func found(t *testing.T, p *Pictures, class holdings.Class, q Query) string {
	t.Helper()
	r, err := p.Query(context.Background(), holdings.Reader{Class: class}, q)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, x := range r.Pictures {
		all = append(all, strings.TrimSuffix(x.Capture.URL[strings.LastIndexByte(x.Capture.URL, '/')+1:], ".png"))
	}
	if r.Total != len(all) || r.More {
		t.Errorf("%+v: total %d of %d, %v", q, r.Total, len(all), r.More)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func TestPictures(t *testing.T) {
	t.Parallel()
	r, p := gallery(t)
	t.Run("words", func(t *testing.T) { testWords(t, p) })
	t.Run("rights", func(t *testing.T) { testRights(t, p) })
	t.Run("texts", func(t *testing.T) { testTexts(t, p) })
	t.Run("withdrawn", func(t *testing.T) { testWithdrawn(t, r, p) })
	t.Run("again", func(t *testing.T) { testAgain(t, p) })
}

// testWords: the words of the address and around a picture find it, in any language; filters narrow.
func testWords(t *testing.T, p *Pictures) {
	for query, want := range map[string]string{
		"tug": "steam_tug", "STEAM": "steam_tug", "schlepper": "steam_tug", "canakkale": "steam_tug",
		`"hafen von"`: "steam_tug", `"von hafen"`: "", "hafen -schlepper": "", "βιβλιοθηκη": "large",
		"ЧАЙ":    "large",
		"ЙОГУРТ": "large", "東京": "large", "京都": "large", "東京都": "large",
		"都": "large", "京": "large", "東都": "",
		"c++": "large", "hafen vón": "steam_tug",
		"icon": "", "img": "steam_tug", "large": "large", "schlepper nothing": "", "?!": "", `a" OR words MATCH "x`: "",
		"": "large new plain steam_tug",
	} {
		if got := found(t, p, holdings.Public, Query{Text: query}); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	for _, c := range []struct {
		q    Query
		want string
	}{
		{Query{Size: Small}, "plain steam_tug"}, {Query{Size: Medium}, "new"}, {Query{Size: Large}, "large"},
		{Query{Colour: "red"}, "steam_tug"}, {Query{Colour: "blue"}, "large"}, {Query{Colour: "grey"}, "new"},
		{Query{From: "2016"}, "new"}, {Query{To: "2015"}, "large plain steam_tug"},
		{Query{From: "2015", To: "201501"}, "large plain steam_tug"},
		{Query{Text: "tug", Colour: "blue"}, ""}, {Query{From: "x'; DROP"}, "large new plain steam_tug"},
	} {
		if got := found(t, p, holdings.Public, c.q); got != c.want {
			t.Errorf("%+v: %s, want %s", c.q, got, c.want)
		}
	}
	r, err := p.Query(context.Background(), holdings.Reader{Class: holdings.Public}, Query{Skip: 1, Limit: 1})
	if err != nil || r.Total != 4 || len(r.Pictures) != 1 {
		t.Errorf("a page of one: %+v, %v", r, err)
	}
}

// testRights: words of a page find a picture only for readers who may see both; closed, hidden and
// infected pictures are in no count.
func testRights(t *testing.T, p *Pictures) {
	for query, want := range map[string][3]string{ // public, onsite, staff
		"secretwords": {"", "", "large plain"}, "secretalt": {"", "", "large"}, "plan": {"", "", "plan"},
		"reading room": {"", "own", "own"}, "own": {"", "own", "own"}, "hiddenalt": {"", "", ""},
		"hidden": {"", "", ""},
		"virus":  {"", "", ""},
		"":       {"large new plain steam_tug", "large new own plain steam_tug", "large new own plain plan steam_tug"},
	} {
		for i, class := range []holdings.Class{holdings.Public, holdings.OnSite, holdings.Staff} {
			if got := found(t, p, class, Query{Text: query}); got != want[i] {
				t.Errorf("%s, %s: %s, want %s", class, query, got, want[i])
			}
		}
	}
}

// testTexts: a hit has the words of a page that the reader may see, with its address, and of no other.
func testTexts(t *testing.T, p *Pictures) {
	for _, q := range []string{"tug", "hafen"} {
		r, err := p.Query(context.Background(), holdings.Reader{Class: holdings.Public}, Query{Text: q})
		if err != nil || len(r.Pictures) != 1 {
			t.Fatal(r, err)
		}
		if x := r.Pictures[0]; x.Alt != "Ein Schlepper" || x.Near != "Im Hafen von Çanakkale" || x.Width != 200 ||
			x.Height != 100 || x.Page != "http://open.example/" || x.PageTime != "20150102030405" ||
			x.Capture.Timestamp != "20150102030405" || x.Colour != "red" {
			t.Errorf("%s: %+v", q, x)
		}
	}
	for _, q := range []string{"large", "plain"} {
		r, err := p.Query(context.Background(), holdings.Reader{Class: holdings.Public}, Query{Text: q})
		if err != nil || len(r.Pictures) != 1 || strings.Contains(fmt.Sprint(r.Pictures[0]), "ecret") {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// testWithdrawn: a picture that is withdrawn is found no more.
func testWithdrawn(t *testing.T, r *holdingstest.Repository, p *Pictures) {
	withdraw := func(id, url string) rights.Withdrawal {
		return rights.Withdrawal{ID: id, Named: url, URL: url, Access: rights.Blocked, Because: "a claim",
			Authority: "a court", At: r.Clock.Now()}
	}
	r.Withdraw(withdraw("W1", "http://open.example/img/steam_tug.png"))
	if got := found(t, p, holdings.Public, Query{}); got != "large new plain" {
		t.Errorf("after a withdrawal: %s", got)
	}
}

// testAgain: an update without changes changes nothing, and a cleared package leaves nothing.
func testAgain(t *testing.T, p *Pictures) {
	ctx := context.Background()
	if err := p.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	if got := found(t, p, holdings.Staff, Query{Text: "own"}); got != "own" {
		t.Errorf("after compacting: %s", got)
	}
	if err := p.forget(ctx, "closed", false); err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]int{"package": 2, `words('"own"')`: 0} {
		var n int
		if err := p.db.QueryRow(`SELECT count(*) FROM ` + table).Scan(&n); err != nil || n != want {
			t.Errorf("%s: %d rows, %v", table, n, err)
		}
	}
	if err := p.Update(ctx); err != nil {
		t.Fatal(err)
	}
	if got := found(t, p, holdings.Staff, Query{Text: "own"}); got != "own" {
		t.Errorf("read again: %s", got)
	}
}

func TestColourOf(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]color.Color{"red": red, "blue": blue, "grey": gray,
		"green": color.RGBA{30, 160, 60, 255}, "yellow": color.RGBA{230, 220, 40, 255},
		"orange": color.RGBA{240, 140, 20, 255}, "purple": color.RGBA{150, 40, 190, 255}, "": color.Transparent} {
		m := image.NewRGBA(image.Rect(5, 5, 60, 9))
		draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
		if got := Colours[colourOf(m)]; got != want {
			t.Errorf("%v is %s, want %s", c, got, want)
		}
	}
}

// faulty is a repository with content whose reading panics.
type faulty struct {
	Holdings
	url string
}

// Read implements Holdings.
func (f *faulty) Read(ctx context.Context, who holdings.Reader, c *captures.Capture) (*holdings.Content, error) {
	content, err := f.Holdings.Read(ctx, who, c)
	if err == nil && c.URL == f.url {
		content.Body = io.NopCloser(panicking{})
	}
	return content, err
}

type panicking struct{}

// Read implements io.Reader.
func (panicking) Read([]byte) (int, error) { panic("index out of range") }

// TestFaults: a picture whose reading panics is left out and reported; the others are found.
func TestFaults(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	const at = "http://faults.example/"
	r.Ingest(holdingstest.Package{ID: "faults", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", at+"first.png", date, "image/png", picture(t, red, 100)) +
			holdingstest.Response("2", at+"hostile.png", date, "image/png", picture(t, gray, 100)) +
			holdingstest.Response("3", at+"last.png", date, "image/png", picture(t, blue, 100))}})
	h := r.Open(holdings.Options{})
	var problems []error
	p, err := Open(t.Context(), filepath.Join(h.Dir(), DirName), &faulty{h, at + "hostile.png"},
		func(err error) { problems = append(problems, err) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	if err := p.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := found(t, p, holdings.Public, Query{}); got != "first last" {
		t.Errorf("found %s", got)
	}
	if len(problems) != 1 || !strings.Contains(problems[0].Error(), at+"hostile.png") {
		t.Errorf("reported: %v", problems)
	}
}
