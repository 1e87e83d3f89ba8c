package browser

import (
	"cmp"
	"image/jpeg"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"quire/format/warc"
)

// TestThumbnail: a job shows a page in the real Chromium in the jail, with a style sheet, and a script of
// another host as captured. The thumbnail has their colour. No request leaves the jail.
func TestThumbnail(t *testing.T) {
	outside, address := listenLive(t)
	site := http.NewServeMux()
	for path, c := range map[string][2]string{
		"shown.example/{$}": {"text/html; charset=utf-8", `<title>Shown</title><link rel=stylesheet href="/red.css">` +
			`<meta property="og:image" content="/none.png"><body><script>alert("stop")</script>` +
			`<script src="https://parts.example/green.js"></script>` +
			`<img src="http://` + address + `/live.png"><iframe src="http://` + address + `/frame"></iframe>` +
			`<script>fetch("http://` + address + `/fetch").catch(() => 0); new WebSocket("ws://` + address + `/");` +
			`new RTCPeerConnection({iceServers: [{urls: "stun:` + address + `"}]}).createDataChannel("x")</script>`},
		"shown.example/red.css": {"text/css", `body { background: #f00 }`},
		"calm.example/{$}":      {"text/html", `<title>Calm</title><body style="background: #080"><h1>Calm</h1>`},
		"parts.example/green.js": {"text/javascript", `if (location.href === "http://shown.example/" && ` +
			`document.URL === location.href && getComputedStyle(document.body).backgroundColor === "rgb(255, 0, 0)")` +
			`document.body.style.background = "#00f"`},
	} {
		site.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", c[0])
			_, _ = io.WriteString(w, c[1])
		})
	}
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "shown.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := warc.NewWriter(f, warc.WriterOptions{Compression: warc.Gzip})
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{site: site, out: out, when: time.Date(2019, 3, 4, 5, 6, 7, 0, time.UTC)}
	for _, url := range []string{"http://shown.example/", "http://shown.example/red.css",
		"http://parts.example/green.js"} {
		r.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", url, nil))
	}
	for range 2 {
		r.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "http://calm.example/", nil))
		r.when = r.when.AddDate(1, 0, 0)
	}
	if r.err != nil {
		t.Fatal(r.err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	repo, config := repository(t, f.Name()), filepath.Join(dir, "serve.yaml")
	if err := os.WriteFile(config, []byte("unstated: open\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	quire(t, "submit", "--repo", repo, "thumbnail", "all", "--chromium", cmp.Or(os.Getenv("CHROMIUM"), "chromium"),
		"--config", config)
	if log := quire(t, "work", "--repo", repo, "--drain"); !strings.Contains(log, "ended with status 0") {
		t.Fatalf("the job: %s\n%s", log, quire(t, "jobs", "show", "1", "--repo", repo))
	}
	s := serve(t, repo)
	answer, err := http.Get(s.ui + "/-/thumbnail/all/20190304050608/http://shown.example/")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	m, err := jpeg.Decode(answer.Body)
	if err != nil {
		t.Fatalf("%s: %v", answer.Status, err)
	}
	if r, g, b, _ := m.At(310, 190).RGBA(); m.Bounds().Dx() != 320 || r>>8 > 20 || g>>8 > 20 || b>>8 < 200 {
		t.Errorf("the thumbnail of %v is not blue: %d %d %d", m.Bounds(), r>>8, g>>8, b>>8)
	}
	if all := outside.all(); len(all) > 0 {
		t.Errorf("Chromium reached the network: %q", all)
	}
	lookAtStrip(t, s)
}

// lookAtStrip opens the details of the banner: the strip shows the pictures of both captures.
func lookAtStrip(t *testing.T, s serving) {
	b := open(t, "MAP *.example ~NOTFOUND")
	b.visit(t, s.ui+"/all/2020/http://calm.example/")
	b.do(t, "the details", chromedp.Evaluate(`document.querySelector(".banner details").open = true`, nil))
	b.waitFor(t, "two pictures", `(all => all.length === 2 && all.every(i => i.complete && i.naturalWidth > 0))(`+
		`[...document.querySelectorAll(".banner details img")])`)
	shots(t, b, "strip")
}
