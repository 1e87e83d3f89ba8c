package browser

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"quire/format/warc"
)

// TestImages: the search shows archived images as a grid of pictures that load, without scripts; Tab
// reaches each, Enter opens it. A page has the thumbnail of the picture that it declares.
func TestImages(t *testing.T) {
	var picture bytes.Buffer
	m := image.NewRGBA(image.Rect(0, 0, 800, 500))
	for i := range m.Pix {
		m.Pix[i] = uint8(i % 251)
	}
	m.Set(0, 0, color.Black)
	if err := png.Encode(&picture, m); err != nil {
		t.Fatal(err)
	}
	site := http.NewServeMux()
	for path, c := range map[string][2]string{
		"/{$}": {"text/html", `<title>The tug</title><meta property="og:image" content="/tug.png"><p>The steam tug ` +
			`<img src="/tug.png" alt="A tug at the quay" width=400>`},
		"/tug.png": {"image/png", picture.String()},
	} {
		site.HandleFunc("GET harbour.example"+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", c[0])
			_, _ = io.WriteString(w, c[1])
		})
	}
	file := filepath.Join(t.TempDir(), "harbour.warc.gz")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	out, err := warc.NewWriter(f, warc.WriterOptions{Compression: warc.Gzip})
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{site: site, out: out, when: time.Date(2019, 3, 4, 5, 6, 7, 0, time.UTC)}
	for _, path := range []string{"/", "/tug.png"} {
		r.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "http://harbour.example"+path, nil))
	}
	if r.err != nil {
		t.Fatal(r.err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	s := serve(t, repository(t, file))
	b := open(t, "MAP *.example ~NOTFOUND")
	const loaded = `[...document.querySelectorAll("main img")].filter(i => i.complete && i.naturalWidth === `
	for wait := time.Now().Add(30 * time.Second); ; { // the index is made in the background
		if b.visit(t, s.ui+"/search?type=image&q=steam&size=medium"); value[int](t, b, loaded+`240).length`) == 1 {
			break
		}
		if time.Now().After(wait) {
			t.Fatal("the image is not found")
		}
		time.Sleep(300 * time.Millisecond)
	}
	shots(t, b, "images")
	if alt := value[string](t, b, `document.querySelector("main .grid img").alt`); alt != "A tug at the quay" {
		t.Errorf("alt %q", alt)
	}
	b.do(t, "focus", chromedp.Evaluate(`document.querySelector("main .grid a").focus()`, nil))
	b.do(t, "Enter", chromedp.KeyEvent("\r"))
	b.waitFor(t, "the image", `/^\/all\/\d{14}\/http:\/\/harbour.example\/tug.png$/.test(location.pathname)`)
	b.visit(t, s.ui+"/search?q=tug")
	b.waitFor(t, "the thumbnail of the page", loaded+`320).length === 1`)
	shots(t, b, "hits-with-thumbnails")
}
