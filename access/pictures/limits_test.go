package pictures

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
)

// outage is holdings of which some content cannot be read.
type outage struct {
	Holdings
	ends string // of the addresses that cannot be read; "" for none

	reads func(url string) // called with each address; may be nil
}

var errOutage = errors.New("the disk is away")

func (o *outage) Read(ctx context.Context, who holdings.Reader, c *captures.Capture) (*holdings.Content, error) {
	if o.reads != nil {
		o.reads(c.URL)
	}
	if o.ends != "" && strings.HasSuffix(c.URL, o.ends) {
		return nil, errOutage
	}
	return o.Holdings.Read(ctx, who, c)
}

// index is an index of open packages, given by the bodies of their captures.
func index(t *testing.T, rule string, packages map[string][][2]string) (*outage, *Pictures) {
	t.Helper()
	r := holdingstest.New(t)
	for id, all := range packages {
		var b strings.Builder
		for i, c := range all {
			mime := "image/png"
			if !strings.HasSuffix(c[0], ".png") {
				mime = "text/html"
			}
			at := fmt.Sprintf("2015-01-02T03:04:%02dZ", i)
			b.WriteString(holdingstest.Response(fmt.Sprint(id, i), c[0], at, mime, c[1]))
		}
		r.Ingest(holdingstest.Package{ID: id, Rights: "access: open\n" + rule,
			Containers: map[string]string{"a.warc": b.String()}})
	}
	h := r.Open(holdings.Options{})
	o := &outage{Holdings: h}
	p, err := Open(context.Background(), filepath.Join(h.Dir(), DirName), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return o, p
}

// TestPagesWithoutPictures: the pages of a package without pictures are not read. They are, once a picture can be read.
func TestPagesWithoutPictures(t *testing.T) {
	t.Parallel()
	o, p := index(t, "", map[string][][2]string{
		"texts": {{"http://t.example/", `<img src=/elsewhere.png alt=nowhere>`}},
		"tugs":  {{"http://a.example/x.png", gray64(t, 1)}, {"http://a.example/", `<img src=x.png alt=Schlepper>`}}})
	var read []string
	o.reads = func(url string) { read = append(read, url) }
	for _, c := range []struct{ ends, want, found string }{
		{".png", "http://a.example/x.png", ""},
		{"", "http://a.example/x.png http://a.example/x.png http://a.example/", "x"},
	} {
		o.ends, read, p.tried = c.ends, nil, time.Time{}
		if err := p.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(read, " "); got != c.want {
			t.Errorf("read %q, want %q", got, c.want)
		}
		if got := found(t, p, holdings.Public, Query{Text: "schlepper"}); got != c.found {
			t.Errorf("found %q, want %q", got, c.found)
		}
	}
}

func gray64(t *testing.T, n int) string { return picture(t, color.Gray{uint8(n)}, 64) }

// TestBehindClosed: closed pictures hide no open ones behind them, and if time does not suffice, the result
// says that there may be more.
func TestBehindClosed(t *testing.T) {
	t.Parallel()
	all := [][2]string{{"http://a.example/a-tug.png", gray64(t, 0)}}
	for i := range 12 {
		all = append(all, [2]string{fmt.Sprintf("http://a.example/board/%d-tug.png", i), gray64(t, 1+i)})
	}
	_, p := index(t, "rules:\n  - urls: [http://a.example/board/]\n    access: restricted\n",
		map[string][][2]string{"p": all})
	if err := p.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.limits.ranked = 1 // the closed ones come first
	p.limits.judged = 3
	for _, c := range []struct {
		text   string
		budget time.Duration
		class  holdings.Class
		total  int
		more   bool
	}{{"", time.Hour, holdings.Public, 1, false}, {"tug", time.Hour, holdings.Public, 1, false},
		{"", -1, holdings.Public, 0, true}, {"tug", -1, holdings.Public, 0, true},
		{"", -1, holdings.Staff, 3, true}, {"", time.Hour, holdings.Staff, 13, false}} {
		p.limits.budget = c.budget
		r, err := p.Query(t.Context(), holdings.Reader{Class: c.class}, Query{Text: c.text})
		if err != nil || r.Total != c.total || r.More != c.more || len(r.Pictures) != c.total {
			t.Errorf("%+v: %+v, %v", c, r, err)
		}
	}
}

// TestManyBatches: a search reads on behind its first batch.
func TestManyBatches(t *testing.T) {
	t.Parallel()
	p, err := Open(t.Context(), t.TempDir(), open{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close() }()
	p.limits.budget = time.Hour
	if _, err := p.db.Exec(`INSERT INTO package VALUES (1, 'p', 'read');
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
		INSERT INTO picture SELECT i, 1, i, 'u' || (1 + i / 2), 20100101000000, 'u' || (1 + i / 2) || ' ', 9, 64, 64, 0
		FROM n;
		INSERT INTO mention SELECT id, id, '', 20100101000000, '', '' FROM picture`); err != nil {
		t.Fatal(err)
	}
	r, err := p.Query(t.Context(), holdings.Reader{Class: holdings.Public}, Query{Skip: 590})
	if err != nil || r.Total != 601 || r.More || len(r.Pictures) != 11 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestRanked: the best match comes first; of words with too many matches, the one that was read last.
func TestRanked(t *testing.T) {
	t.Parallel()
	_, p := index(t, "", map[string][][2]string{"p": {{"http://a.example/tug.png", gray64(t, 0)},
		{"http://a.example/tug_and_many_other_words_of_no_use.png", gray64(t, 1)},
		{"http://a.example/other.png", gray64(t, 2)}}})
	if err := p.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	for ranked, want := range map[int]string{1: "tug_and", 2: "tug.png"} {
		p.limits.ranked = ranked
		r, err := p.Query(t.Context(), holdings.Reader{Class: holdings.Public}, Query{Text: "tug"})
		if err != nil || r.Total != 2 || !strings.Contains(r.Pictures[0].Capture.URL, want) {
			t.Errorf("%d: %+v, %v", ranked, r, err)
		}
	}
}

// TestOutage: content that cannot be read once is read later, with the words of pages that show it.
func TestOutage(t *testing.T) {
	t.Parallel()
	for _, ends := range []string{"tug.png", "/page"} {
		o, p := index(t, "", map[string][][2]string{"p": {{"http://a.example/tug.png", gray64(t, 0)},
			{"http://a.example/kept.png", gray64(t, 1)}, {"http://a.example/page", `<img src=tug.png alt=Schlepper>`}}})
		var problems []error
		p.problem = func(err error) { problems = append(problems, err) }
		search := func(word, want string) {
			t.Helper()
			if err := p.Update(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := found(t, p, holdings.Public, Query{Text: word}); got != want {
				t.Errorf("%s, %s: %q, want %q", ends, word, got, want)
			}
		}
		o.ends = ends
		search("schlepper", "")
		search("kept", "kept")
		if len(problems) != 1 || !errors.Is(problems[0], errOutage) {
			t.Errorf("problems: %v", problems)
		}
		p.limits.retry = 0
		search("kept", "kept") // still away
		o.ends = ""
		search("schlepper", "tug")
		var n int
		if err := p.db.QueryRow(`SELECT count(*) FROM again`).Scan(&n); err != nil || n != 0 {
			t.Errorf("%d left, %v", n, err)
		}
	}
}

// TestTurns: between packages, another process can clear the index; that reads no package.
func TestTurns(t *testing.T) {
	t.Parallel()
	o, p := index(t, "", map[string][][2]string{"p": {{"http://a.example/tug.png", gray64(t, 0)}},
		"q": {{"http://b.example/tug.png", gray64(t, 1)}}})
	other, err := Open(t.Context(), p.dir, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	if err := other.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if have, err := p.states(t.Context()); err != nil || len(have) != 0 {
		t.Errorf("cleared: %v, %v", have, err)
	}
	p.limits.turn = 0
	pauses := 0
	p.pause = func(ctx context.Context) {
		pauses++
		if err := other.Compact(ctx); err != nil {
			t.Error(err)
		}
		if have, err := p.states(ctx); err != nil || len(have) != 1 {
			t.Errorf("between packages: %v, %v", have, err)
		}
	}
	if err := p.Update(t.Context()); err != nil || pauses != 1 {
		t.Errorf("%d pauses, %v", pauses, err)
	}
	if _, err := p.db.Exec(`UPDATE package SET state = 'old' WHERE name = 'p'`); err != nil {
		t.Fatal(err)
	}
	if err := other.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	var urls string
	if err := p.db.QueryRow(`SELECT group_concat(url) FROM picture`).Scan(&urls); err != nil ||
		urls != "http://b.example/tug.png" {
		t.Errorf("after a change: %s, %v", urls, err)
	}
}
