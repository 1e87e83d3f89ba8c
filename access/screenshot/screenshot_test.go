package screenshot

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/access/screenshot/chromium"
	"quire/access/thumbnail"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
	"quire/holdings/rights"
	"quire/internal/sandbox"
)

// gray is the gray of the pictures of the fake browser.
const gray = 120

// picture returns a window of one gray.
func picture(t testing.TB, shade uint8) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, chromium.Width, chromium.Height))
	draw.Draw(m, m.Bounds(), image.NewUniform(color.Gray{Y: shade}), image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// fake is a browser that asks for URLs.
type fake struct {
	picture []byte
	asks    []string
	got     map[string]*chromium.Response
	before  func() // called when all is asked for
	err     error
}

// Shot implements Browser.
func (f *fake) Shot(ctx context.Context, url string, answers chromium.Answers) ([]byte, error) {
	f.got = map[string]*chromium.Response{}
	for _, u := range append([]string{url}, f.asks...) {
		a, err := answers(ctx, chromium.Request{URL: u, Method: "GET"})
		if err != nil {
			return nil, err
		}
		f.got[u] = a
	}
	if f.before != nil {
		f.before()
	}
	return f.picture, f.err
}

// maker returns the maker of a repository, and its thumbnails.
func maker(t *testing.T, h *holdings.Holdings, b Browser) (*Maker, *thumbnail.Thumbnails) {
	t.Helper()
	m, err := New(h.Dir(), h, b)
	if err != nil {
		t.Fatal(err)
	}
	small, err := thumbnail.Open(h.Dir(), h, thumbnail.Options{Problem: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = small.Close() })
	return m, small
}

var classes = []holdings.Class{holdings.Public, holdings.OnSite, holdings.Staff}

// shown reports whether a reader gets the shot of a page.
func shown(t *testing.T, small *thumbnail.Thumbnails, class holdings.Class, c *captures.Capture) bool {
	t.Helper()
	content, err := small.Of(context.Background(), holdings.Reader{Class: class}, nil, c)
	if errors.Is(err, thumbnail.ErrNone) || errors.Is(err, thumbnail.ErrLater) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := jpeg.Decode(bytes.NewReader(content))
	if err != nil || m.Bounds().Size() != image.Pt(320, 200) {
		t.Fatal(m.Bounds(), err)
	}
	shade, _ := color.GrayModel.Convert(m.At(5, 5)).(color.Gray)
	return shade.Y > gray-5 && shade.Y < gray+5
}

// TestMatrix: for every reason of open or closed access, the browser gets only content that is open to the public,
// and a page that is closed to the public has no shot for any reader.
func TestMatrix(t *testing.T) {
	t.Parallel()
	r, o, cases := holdingstest.Matrix(t)
	h := r.Open(o)
	b := &fake{picture: picture(t, gray)}
	var urls []string
	for _, c := range cases {
		urls = append(urls, c.URL)
	}
	m, _ := maker(t, h, b)
	staff := holdings.Reader{Class: holdings.Staff}
	open, all := 0, map[string]bool{} // moments at which everything was asked for
	for _, c := range cases {
		for _, j := range r.Find(h, staff, c.URL) {
			if j.Timestamp != c.At || j.Package != c.Package {
				continue
			}
			if b.got, b.asks = nil, urls; all[c.At] {
				b.asks = nil
			}
			err := m.Make(context.Background(), j.Capture)
			var none *NoShotError
			switch {
			case err == nil && c.Public == holdingstest.Allowed && !c.Missing:
				open++
				all[c.At] = true
			case err == nil || !errors.As(err, &none):
				t.Errorf("%s: %v", c.Name, err)
			case c.Public != holdingstest.Allowed && b.got != nil:
				t.Errorf("%s: a browser is started for a closed page", c.Name)
			}
			for url, a := range b.got {
				for _, secret := range cases {
					if a != nil && secret.Public != holdingstest.Allowed && string(a.Body) == secret.Body {
						t.Errorf("%s at %s: the browser gets %s from %s", c.Name, c.At, secret.Name, url)
					}
				}
			}
			if c.Public == holdingstest.Allowed {
				continue
			}
			for _, class := range classes {
				content, err := m.shots.Of(holdings.Reader{Class: class}, j.Capture)
				if content != nil || !errors.Is(err, thumbnail.ErrNone) {
					t.Errorf("%s: class %s gets a shot: %v", c.Name, class, err)
				}
			}
		}
	}
	if open < 10 || len(all) < 2 {
		t.Errorf("%d open pages were shown, of %d moments", open, len(all))
	}
}

const date, at = "2015-01-02T03:04:05Z", "20150102030405"

// house is a repository of pages with parts.
func house(t *testing.T) (*holdingstest.Repository, *holdings.Holdings) {
	t.Helper()
	r := holdingstest.New(t)
	put := func(url, mime, body string) string { return holdingstest.Response(url, url, date, mime, body) }
	r.Ingest(holdingstest.Package{ID: "open", Rights: "access: open", Containers: map[string]string{
		"a.warc": put("http://open.example/", "text/html", "<title>Page</title>") +
			put("http://open.example/deep/er/page", "text/html", "<title>Deeper</title>") +
			put("http://open.example/other", "text/html", "<title>Other</title>") +
			put("http://open.example/part.png", "image/png", string(picture(t, 200))) +
			put("http://open.example/other.png", "image/png", string(picture(t, 201))) +
			holdingstest.Redirect("r", "http://www.open.example/moved", date, "http://open.example/other#end")}})
	r.Ingest(holdingstest.Package{ID: "closed", Rights: "access: restricted", Containers: map[string]string{
		"a.warc": put("http://closed.example/part.png", "image/png", string(picture(t, 1)))}})
	return r, r.Open(holdings.Options{})
}

func find(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, url string) *captures.Capture {
	t.Helper()
	return r.Find(h, holdings.Reader{Class: holdings.Staff}, url)[0].Capture
}

// withdraw closes a URL to the public.
func withdraw(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, id, url string) {
	t.Helper()
	r.Withdraw(rights.Withdrawal{ID: id, Named: url, URL: url, Access: rights.Blocked, Because: "a claim",
		Authority: "a court", At: r.Clock.Now()})
	if err := h.Ready(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// TestRightsOfParts: a shot is shown as long as the reader may see the page and all its parts; then it is removed.
func TestRightsOfParts(t *testing.T) {
	t.Parallel()
	r, h := house(t)
	none := []string{"http://closed.example/part.png", "http://never.example/", "data:text/plain,x"}
	b := &fake{picture: picture(t, gray), asks: append([]string{"http://open.example/part.png",
		"http://www.open.example/moved"}, none...)}
	m, small := maker(t, h, b)
	page, other := find(t, r, h, "http://open.example/"), find(t, r, h, "http://open.example/other")
	if m.Has(page) || shown(t, small, holdings.Public, page) {
		t.Error("there is a shot before one is made")
	}
	if err := m.Make(context.Background(), page); err != nil {
		t.Fatal(err)
	}
	b.asks = []string{"http://open.example/other.png"}
	moved := b.got["http://www.open.example/moved"]
	if moved == nil || moved.Status/100 != 3 || moved.Location != "http://open.example/other#end" {
		t.Errorf("a redirect is %+v", moved)
	}
	for _, url := range none {
		if b.got[url] != nil {
			t.Errorf("%s is answered", url)
		}
	}
	if err := m.Make(context.Background(), other); err != nil {
		t.Fatal(err)
	}
	for _, class := range classes {
		if !m.Has(page) || !shown(t, small, class, page) || !shown(t, small, class, other) {
			t.Errorf("class %s gets no shot", class)
		}
	}
	withdraw(t, r, h, "W1", "http://open.example/part.png")
	for _, class := range classes {
		if shown(t, small, class, page) || !shown(t, small, class, other) {
			t.Errorf("class %s, after a part was withdrawn: page %v, other %v", class, shown(t, small, class, page),
				shown(t, small, class, other))
		}
	}
	if err := thumbnail.ClearShots(context.Background(), h.Dir(), h); err != nil {
		t.Fatal(err)
	}
	if all := files(t, h); len(all) != 1 || m.Has(page) || !m.Has(other) {
		t.Errorf("after clearing: %v", all)
	}
}

// files lists the shots.
func files(t *testing.T, h *holdings.Holdings) (names []string) {
	t.Helper()
	all, err := os.ReadDir(filepath.Join(h.Dir(), thumbnail.ShotsName))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		names = append(names, f.Name())
	}
	return names
}

// TestWithdrawnMeanwhile: a shot with a part that was withdrawn after the browser got it stays nowhere.
func TestWithdrawnMeanwhile(t *testing.T) {
	t.Parallel()
	r, h := house(t)
	b := &fake{picture: picture(t, gray), asks: []string{"http://open.example/part.png"}, before: func() {
		r.Withdraw(rights.Withdrawal{ID: "W1", Named: "x", URL: "http://open.example/part.png", Access: rights.Blocked,
			Because: "a claim", Authority: "a court", At: r.Clock.Now()})
		if err := thumbnail.ClearShots(context.Background(), h.Dir(), h); err != nil {
			t.Error(err)
		}
	}}
	m, _ := maker(t, h, b)
	if err := m.Make(context.Background(), find(t, r, h, "http://open.example/")); !errors.Is(err, errClosed) {
		t.Errorf("%v", err)
	}
	if all := files(t, h); len(all) > 0 {
		t.Errorf("%v are kept", all)
	}
}

// TestFailures: that a page cannot be shown is kept. A failure of the browser is kept for a week, as it may be that of
// a busy machine; a fault of the machine is not kept.
func TestFailures(t *testing.T) {
	t.Parallel()
	r, h := house(t)
	b := &fake{err: &sandbox.Failure{Reason: "chromium: it was not done after 20s"}}
	m, small := maker(t, h, b)
	page, other := find(t, r, h, "http://open.example/"), find(t, r, h, "http://open.example/other")
	var none *NoShotError
	if err := m.Make(context.Background(), page); !errors.As(err, &none) || !strings.Contains(none.Reason, "20s") {
		t.Errorf("%v", err)
	}
	if !m.Has(page) || shown(t, small, holdings.Public, page) {
		t.Error("a failure is not kept, or is shown")
	}
	now := m.now()
	m.now = func() time.Time { return now.Add(retryAfter - time.Hour) }
	if !m.Has(page) {
		t.Error("a failure is tried again too soon")
	}
	m.now = func() time.Time { return now.Add(retryAfter + time.Hour) }
	if m.Has(page) {
		t.Error("a failure of the browser is kept for ever")
	}
	b.err = &chromium.NoPageError{Reason: "net::ERR_ABORTED"}
	if err := m.Make(context.Background(), page); !errors.As(err, &none) || !m.Has(page) {
		t.Errorf("no page: %v, kept: %v", err, m.Has(page))
	}
	m.now = func() time.Time { return now.Add(99 * retryAfter) }
	if !m.Has(page) {
		t.Error("a fault of the page is not kept")
	}
	b.err = errors.New("the disk is full")
	if err := m.Make(context.Background(), other); !errors.Is(err, b.err) || m.Has(other) {
		t.Errorf("a fault of the machine: %v, kept: %v", err, m.Has(other))
	}
	b.err, b.picture = nil, []byte("no picture")
	if err := m.Make(context.Background(), other); !errors.As(err, &none) || shown(t, small, holdings.Public, other) {
		t.Errorf("a damaged picture: %v", err)
	}
}

// TestPages: seeds come first, then the pages nearest to the root.
func TestPages(t *testing.T) {
	t.Parallel()
	_, h := house(t)
	for most, want := range map[int]string{
		0: "/ /deep/er/page /other", 1: "/", 2: "/ /other", 3: "/ /other /deep/er/page",
	} {
		var got []string
		if err := (Pages{Most: most}).Of(context.Background(), h, "open", func(c *captures.Capture) error {
			got = append(got, strings.TrimPrefix(c.URL, "http://open.example"))
			return nil
		}); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%d: %v, %v; want %s", most, got, err, want)
		}
	}
	seed, root := page{key: "b", seed: true, depth: 9}, page{key: "a"}
	if all := []page{root, seed}; slices.MinFunc(all, func(a, b page) int { return a.compare(&b) }) != seed {
		t.Error("a seed does not come first")
	}
}
