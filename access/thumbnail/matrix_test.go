package thumbnail

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/access/address"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/holdings/rights"
)

const (
	date   = "2015-01-02T03:04:05Z"
	second = "20150102030405"
)

// tone is a picture of one gray: its thumbnail shows which picture it is of.
func tone(t testing.TB, gray uint8) string {
	m := image.NewGray(image.Rect(0, 0, 400, 250))
	for i := range m.Pix {
		m.Pix[i] = gray
	}
	return string(encoded(t, m, "png"))
}

// house is a repository of pages and pictures with different access.
func house(t *testing.T) (*holdingstest.Repository, *holdings.Holdings, *Thumbnails) {
	t.Helper()
	r := holdingstest.New(t)
	page := func(of ...string) string {
		text := "<title>A page</title>"
		for _, u := range of {
			text += `<meta property="og:image" content="` + u + `">`
		}
		return text
	}
	put := func(url, mime, body string) string { return holdingstest.Response(url, url, date, mime, body) }
	for _, zone := range []string{"open", "onsite", "restricted"} {
		at := "http://" + zone + ".example/"
		records := put(at, "text/html", page("picture.png")) + put(at+"picture.png", "image/png", tone(t, 100)) +
			put(at+"tug.svg", "image/svg+xml", drawing)
		if zone == "open" {
			records += put(at+"of-closed", "text/html", page("http://restricted.example/own.png")) +
				put(at+"of-both", "text/html", page("http://restricted.example/own.png", "second.png")) +
				put(at+"second.png", "image/png", tone(t, 180)) +
				put(at+"hidden.png", "image/png", tone(t, 40)) +
				put(at+"of-hidden", "text/html", page("hidden.png")) +
				put(at+"taken-down.png", "image/png", tone(t, 30)) +
				put(at+"none", "text/html", "<p>No picture, <img src=lost.png width=900 height=900>") +
				holdingstest.Redirect("r", "http://www.open.example/moved", date, at+"moved") +
				put(at+"moved", "text/html", page("second.png")) +
				put(at+"large", "text/html", "<img src=button.gif width=88 height=31><img src=second.png>") +
				put(at+"withdrawn.png", "image/png", tone(t, 20))
		}
		if zone == "restricted" {
			records += put(at+"own.png", "image/png", tone(t, 10)) + put(at+"of-open", "text/html",
				page("http://open.example/picture.png"))
		}
		r.Ingest(holdingstest.Package{ID: zone, Rights: "access: " + zone,
			Containers: map[string]string{"a.warc": records}})
	}
	r.Ingest(holdingstest.Package{ID: "infected", Rights: "access: open", Scan: true, Containers: map[string]string{
		"a.warc": put("http://infected.example/virus.png", "image/png", tone(t, 50)+holdingstest.EICAR()) +
			put("http://infected.example/", "text/html", page("virus.png"))}})
	rules := r.Rules(`
rules:
  - urls: [http://open.example/hidden.png]
    access: blocked
    hidden: true
    comment: a court
    by: Ada
    on: 2026-11-01
  - urls: [http://open.example/taken-down.png]
    access: blocked
    message: Taken down.
`)
	h := r.Open(holdings.Options{Rules: rules})
	small, err := Open(h.Dir(), h, Options{Wait: time.Minute,
		Problem: func(err error) { t.Errorf("problem: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = small.Close() })
	return r, h, small
}

// shown requests a thumbnail, and returns a word for the answer: the gray of a picture, "empty" or the status.
func shown(t *testing.T, s *Thumbnails, class holdings.Class, url string) string {
	t.Helper()
	at, ok := address.ParseThumbnail(address.UI("").Thumbnail(address.All, second, url))
	if !ok {
		t.Fatalf("%s is no address", url)
	}
	w := httptest.NewRecorder()
	s.Serve(w, httptest.NewRequest(http.MethodGet, "/", nil), holdings.Reader{Class: class}, at)
	if w.Code != http.StatusOK {
		if cache := w.Header().Get("Cache-Control"); cache != "no-store" {
			t.Errorf("%s: a refusal may be kept: %s", url, cache)
		}
		return fmt.Sprint(w.Code)
	}
	if strings.Contains(w.Body.String(), "Tug") {
		return "drawn"
	}
	if w.Header().Get("Content-Type") == "image/svg+xml" {
		return "empty"
	}
	m, err := jpeg.Decode(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	gray, _ := color.GrayModel.Convert(m.At(5, 5)).(color.Gray)
	return fmt.Sprint((int(gray.Y) + 2) / 5 * 5)
}

func TestThumbnails(t *testing.T) {
	t.Parallel()
	r, h, s := house(t)
	t.Run("closed is not made", func(t *testing.T) { testClosedIsNotMade(t, s) })
	t.Run("later", func(t *testing.T) { testLater(t, s) })
	t.Run("matrix", func(t *testing.T) { testMatrix(t, s) })
	t.Run("not modified", func(t *testing.T) { testNotModified(t, s) })
	t.Run("faults", func(t *testing.T) { testFaults(t, r, h, s) })
	t.Run("withdrawn", func(t *testing.T) { testWithdrawn(t, r, h, s) })
	t.Run("withdrawn while it is made", func(t *testing.T) { testWithdrawnMeanwhile(t, r, h, s) })
}

// testMatrix: every verdict, for every class of readers: a thumbnail shows only pictures that the
// reader may see, on pages that the reader may see; others are missing.
func testMatrix(t *testing.T, s *Thumbnails) {
	for range 2 { // made, and from the cache, whoever asked first
		for url, want := range map[string][3]string{ // public, onsite, staff
			"http://open.example/":                  {"100", "100", "100"},
			"http://open.example/picture.png":       {"100", "100", "100"},
			"http://onsite.example/":                {"404", "100", "100"},
			"http://onsite.example/picture.png":     {"404", "100", "100"},
			"http://restricted.example/":            {"404", "404", "100"},
			"http://restricted.example/picture.png": {"404", "404", "100"},
			"http://open.example/tug.svg":           {"drawn", "drawn", "drawn"},
			"http://onsite.example/tug.svg":         {"404", "drawn", "drawn"},
			"http://restricted.example/tug.svg":     {"404", "404", "drawn"},
			"http://restricted.example/of-open":     {"404", "404", "100"},
			"http://open.example/of-closed":         {"empty", "empty", "10"},
			"http://open.example/of-both":           {"180", "180", "10"},
			"http://open.example/hidden.png":        {"404", "404", "404"},
			"http://open.example/of-hidden":         {"empty", "empty", "empty"},
			"http://open.example/taken-down.png":    {"404", "404", "404"},
			"http://open.example/none":              {"empty", "empty", "empty"},
			"http://open.example/large":             {"180", "180", "180"},
			"http://open.example/moved":             {"180", "180", "180"},
			"http://www.open.example/moved":         {"180", "180", "180"},
			"http://infected.example/":              {"empty", "empty", "empty"},
			"http://infected.example/virus.png":     {"404", "404", "404"},
			"http://never.example/":                 {"404", "404", "404"},
		} {
			for i, class := range []holdings.Class{holdings.Public, holdings.OnSite, holdings.Staff} {
				if got := shown(t, s, class, url); got != want[i] {
					t.Errorf("%s of %s: %s, want %s", class, url, got, want[i])
				}
			}
		}
	}
}

// testClosedIsNotMade: content that a reader may not see leaves nothing in the cache.
func testClosedIsNotMade(t *testing.T, s *Thumbnails) {
	for _, url := range []string{"http://restricted.example/", "http://open.example/hidden.png",
		"http://infected.example/virus.png", "http://open.example/taken-down.png",
		"http://onsite.example/picture.png"} {
		shown(t, s, holdings.Public, url)
	}
	all, err := os.ReadDir(s.cache.dir)
	if err != nil || len(all) > 0 {
		t.Errorf("%d files, %v", len(all), err)
	}
}

// testNotModified: a browser that has a thumbnail is asked again for each use, and gets no bytes.
func testNotModified(t *testing.T, s *Thumbnails) {
	at, _ := address.ParseThumbnail(address.UI("").Thumbnail(address.All, second, "http://onsite.example/picture.png"))
	tag := ""
	for i, want := range []int{http.StatusOK, http.StatusNotModified} {
		w, q := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
		q.Header.Set("If-None-Match", tag)
		s.Serve(w, q, holdings.Reader{Class: holdings.OnSite}, at)
		if w.Code != want || i == 1 && w.Body.Len() > 0 || w.Header().Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%d, %d bytes, %v", w.Code, w.Body.Len(), w.Header())
		}
		tag = w.Header().Get("ETag")
	}
	w, q := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
	q.Header.Set("If-None-Match", tag)
	if s.Serve(w, q, holdings.Reader{Class: holdings.Public}, at); w.Code != http.StatusNotFound {
		t.Errorf("a reader without rights, with the tag of another: %d", w.Code)
	}
}

// testWithdrawn: after a withdrawal no thumbnail is served, though one was kept, and a cleared cache
// gets none back.
func testWithdrawn(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, s *Thumbnails) {
	const url = "http://open.example/withdrawn.png"
	if got := shown(t, s, holdings.Public, url); got != "20" {
		t.Fatalf("before: %s", got)
	}
	r.Withdraw(rights.Withdrawal{ID: "W1", Named: url, URL: url, Access: rights.Blocked, Because: "a claim",
		Authority: "a court", At: r.Clock.Now()})
	if err := h.Ready(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := shown(t, s, holdings.Public, url); got != "404" {
		t.Errorf("after: %s", got)
	}
	if err := Clear(h.Dir()); err != nil {
		t.Fatal(err)
	}
	shown(t, s, holdings.Staff, url)
	if all, err := os.ReadDir(s.cache.dir); err != nil || len(all) > 0 {
		t.Errorf("%d files, %v", len(all), err)
	}
}

// testWithdrawnMeanwhile: what is withdrawn after it was read, and cleared before it is written, stays nowhere.
func testWithdrawnMeanwhile(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, s *Thumbnails) {
	const url = "http://open.example/second.png"
	public := holdings.Reader{Class: holdings.Public}
	c := r.Find(h, public, url)[0].Capture
	if err := s.make(public, c, "made", func([]byte, string) ([]byte, error) {
		r.Withdraw(rights.Withdrawal{ID: "W2", Named: url, URL: url, Access: rights.Blocked, Because: "a claim",
			Authority: "a court", At: r.Clock.Now()})
		return []byte("of the picture"), Clear(h.Dir())
	}); err != nil {
		t.Fatal(err)
	}
	if _, known, err := s.cache.get("made"); known || err != nil {
		t.Errorf("it is kept: %v, %v", known, err)
	}
}

// TestCacheIsBounded: beyond the limit the oldest files go, and files of interrupted runs go at the start.
func TestCacheIsBounded(t *testing.T) {
	dir := t.TempDir()
	c, err := openCache(dir, roomForThumbnails)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		name := fmt.Sprint("file", i)
		if err := c.put(name, make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
		past := time.Now().Add(time.Duration(i-30) * time.Hour)
		if err := os.Chtimes(filepath.Join(dir, name), past, past); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-100 * time.Hour)
	for _, name := range []string{"old", ".quire-1"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if name == "old" {
			if err := os.Truncate(filepath.Join(dir, name), roomForThumbnails.bytes); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(filepath.Join(dir, name), past, past); err != nil {
			t.Fatal(err)
		}
	}
	if c, err = openCache(dir, roomForThumbnails); err != nil {
		t.Fatal(err)
	}
	if err := c.put("new", []byte("x")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"old": false, ".quire-1": false, "file0": true, "file19": true,
		"new": true} {
		if _, known, _ := c.get(name); known != want {
			t.Errorf("%s is there: %v", name, known)
		}
	}
}

// testLater: a reader waits for a short time only, and gets the picture at the next request.
func testLater(t *testing.T, s *Thumbnails) {
	wait := s.options.Wait
	defer func() { s.options.Wait = wait }()
	s.options.Wait = time.Nanosecond
	s.turn <- struct{}{} // another one is being made
	const url = "http://open.example/picture.png"
	if got := shown(t, s, holdings.Public, url); got != "empty" {
		t.Errorf("while it is made: %s", got)
	}
	<-s.turn
	s.all.Wait()
	if got := shown(t, s, holdings.Public, url); got != "100" {
		t.Errorf("when it is made: %s", got)
	}
}
