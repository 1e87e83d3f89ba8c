package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"quire/format/warc"
)

const bannerHost = "paper.example"

// needsHost is a page whose script works only at its original address. It asks by a computed name, which we do
// not mark.
const needsHost = `<!doctype html><title>Needs its host</title><p>Issue of the day.<script>
const where = window["loc" + "ation"]
if (where.hostname !== "` + bannerHost + `") throw new Error("a script that fails elsewhere")
where.href = "/there.html"
</script>`

// paper is a repository with a website, captured in several years.
func paper(t *testing.T) (repo string) {
	t.Helper()
	site := http.NewServeMux()
	for path, body := range map[string]string{
		"/{$}": "<!doctype html><html lang=en><title>The Paper</title>" +
			"<h1>The Paper</h1><p>News. <a href=/calm.html>Calm</a>",
		"/calm.html":  "<!doctype html><title>Calm</title><p>No script fails here.<script>var ok = 1</script>",
		"/host.html":  needsHost,
		"/mixed.html": "<!doctype html><title>Mixed</title><p>A picture of another time.<img src=/pic.svg alt=Picture>",
		"/there.html": "<!doctype html><title>There</title>" +
			"<p>Only an engine that shows the original address leads here.",
	} {
		site.HandleFunc("GET "+bannerHost+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, body)
		})
	}
	changes := 0
	site.HandleFunc("GET "+bannerHost+"/pic.svg", func(w http.ResponseWriter, _ *http.Request) {
		changes++
		w.Header().Set("Content-Type", "image/svg+xml")
		w.Header().Set("Last-Modified", "Wed, 04 Mar 2015 05:02:06 GMT") // between the page and the picture of 2015
		_, _ = fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">`+
			`<text y="15">%d</text></svg>`, changes)
	})
	file := filepath.Join(t.TempDir(), "paper.warc.gz")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	out, err := warc.NewWriter(f, warc.WriterOptions{Compression: warc.Gzip})
	if err != nil {
		t.Fatal(err)
	}
	for i, year := range []int{2014, 2014, 2015, 2018, 2019, 2019, 2019, 2021} {
		r := &recorder{site: site, out: out, when: time.Date(year, 3, 4, 5, i, 0, 0, time.UTC)}
		for _, path := range []string{"/", "/calm.html", "/host.html", "/there.html", "/mixed.html", "/pic.svg"} {
			r.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "http://"+bannerHost+path, nil))
		}
		if r.err != nil {
			t.Fatal(r.err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return repository(t, file)
}

// TestBanner: the banner is one line on a phone, leads to another address at the same date, follows
// the reader, and suggests the other engine when a script fails. That engine keeps address and
// date, and the banner follows the reader there, too.
func TestBanner(t *testing.T) {
	var settings []string
	assets := os.Getenv("QUIRE_ASSETS")
	if assets != "" {
		settings = append(settings, "assets: "+assets)
	}
	s := serve(t, paper(t), settings...)
	b := open(t, "MAP *.example ~NOTFOUND")
	const field = `document.getElementById("where").value`
	b.visit(t, s.ui+"/all/2014/http://"+bannerHost+"/")
	shots(t, b, "banner")
	b.do(t, "a phone", chromedp.EmulateViewport(390, 844))
	if high := value[int](t, b, `document.querySelector(".banner").offsetHeight`); high > 48 {
		t.Errorf("the banner of a phone has a height of %d pixels", high)
	}
	if wide := value[int](t, b, `document.documentElement.scrollWidth`); wide > 390 {
		t.Errorf("the page is %d pixels wide", wide)
	}
	b.do(t, "the panel", chromedp.Evaluate(`document.querySelector(".banner summary").click()`, nil))
	if bars := value[int](t, b, `document.querySelectorAll(".years rect").length`); bars != 5 {
		t.Errorf("%d years are drawn, not 5", bars)
	}
	b.do(t, "no phone", chromedp.EmulateViewport(1280, 800))
	b.do(t, "another address", chromedp.Evaluate(`(`+field+` = "`+bannerHost+`/calm.html", `+
		`document.querySelector(".banner form").requestSubmit())`, nil))
	b.waitFor(t, "the other page", `location.pathname.startsWith("/all/2014") && `+
		field+` === "http://`+bannerHost+`/calm.html"`)
	if assets == "" {
		t.Skip("QUIRE_ASSETS must name a folder with the files of quire assets install")
	}
	b.waitFor(t, "the suggestion, hidden", `document.getElementById("failed").hidden`)
	b.visit(t, s.ui+"/all/2018/http://"+bannerHost+"/host.html")
	b.waitFor(t, "the suggestion", `!document.getElementById("failed").hidden`)
	shots(t, b, "failed")
	b.do(t, "the other engine", chromedp.Evaluate(`document.querySelector("#failed a").click()`, nil))
	b.waitFor(t, "the page by wabac.js", field+` === "http://`+bannerHost+`/there.html" && `+
		`/^\/all\/2018\d{10}wb_\/http/.test(location.pathname) && document.title.includes("there.html")`)
	b.do(t, "the usual engine", chromedp.Evaluate(`document.getElementById("engine").click()`, nil))
	b.waitFor(t, "the page by the usual engine", `/^\/all\/2018\d{10}\/http/.test(location.pathname) && `+
		field+` === "http://`+bannerHost+`/there.html"`)
}

// TestMixed: the banner marks a page with a part that changed after it, and leads to the parts and to
// the provenance. A page that was not captured names the captures near to it.
func TestMixed(t *testing.T) {
	s := serve(t, paper(t))
	b := open(t, "MAP *.example ~NOTFOUND")
	b.visit(t, s.ui+"/all/2018/http://"+bannerHost+"/mixed.html")
	b.waitFor(t, "the banner", `document.getElementById("mixed")`)
	time.Sleep(3 * time.Second) // longer than the banner waits before it asks
	if !value[bool](t, b, `document.getElementById("mixed").hidden`) {
		t.Error("a page of one time is marked")
	}
	b.visit(t, s.ui+"/all/20150304050205/http://"+bannerHost+"/mixed.html")
	b.waitFor(t, "the mark", `!document.getElementById("mixed").hidden`)
	shots(t, b, "mixed")
	b.do(t, "the parts", chromedp.Evaluate(`document.getElementById("mixed").click()`, nil))
	b.waitFor(t, "the parts", `document.querySelector("td strong") && `+
		`document.querySelector("td strong").textContent.startsWith("No: it changed after")`)
	shots(t, b, "parts")
	b.do(t, "the provenance", chromedp.Evaluate(`document.querySelector(".steps a").click()`, nil))
	b.waitFor(t, "the provenance", `[...document.querySelectorAll("pre")].some(`+
		`p => p.textContent.includes("data-versiondate"))`)
	shots(t, b, "provenance")
	b.visit(t, s.ui+"/all/2015/http://"+bannerHost+"/calm.html?x=1")
	b.waitFor(t, "captures near", `[...document.querySelectorAll("main a")].some(`+
		`a => a.pathname.endsWith("/calm.html"))`)
	shots(t, b, "nothing")
	b.visit(t, s.replay+"/all/20150304050205mp_/http://"+bannerHost+"/calm.html?x=1")
	b.waitFor(t, "captures near", `[...document.querySelectorAll("main a")].some(a => a.href.endsWith("/calm.html"))`)
	shots(t, b, "nothing-replay")
}

// shots writes pictures of a page, wide and narrow, light and dark, into the folder QUIRE_SHOTS,
// and runs axe-core from the file QUIRE_AXE. Without these it does nothing.
func shots(t *testing.T, b *chromium, name string) {
	t.Helper()
	dir := os.Getenv("QUIRE_SHOTS")
	if dir == "" {
		return
	}
	for _, w := range []struct {
		name string
		wide int64
	}{{"desktop", 1280}, {"phone", 390}} {
		for _, scheme := range []string{"light", "dark"} {
			b.do(t, "size", chromedp.EmulateViewport(w.wide, 800), emulation.SetEmulatedMedia().WithFeatures(
				[]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
			for _, opened := range []string{"", "-open"} {
				if opened != "" && value[int](t, b, `document.querySelectorAll(".banner details").length`) == 0 {
					continue
				}
				b.do(t, "panel", chromedp.Evaluate(`document.querySelectorAll(".banner details").forEach(`+
					`d => { d.open = `+map[string]string{"": "false", "-open": "true"}[opened]+` })`, nil))
				time.Sleep(300 * time.Millisecond)
				var picture []byte
				b.do(t, "picture", chromedp.FullScreenshot(&picture, 90))
				if err := os.WriteFile(filepath.Join(dir, strings.Join([]string{name, w.name, scheme + opened}, "-")+
					".png"), picture, 0o644); err != nil {
					t.Fatal(err)
				}
				violations(t, b, name+" "+w.name+" "+scheme+opened)
			}
		}
	}
	b.do(t, "usual size", chromedp.EmulateViewport(1280, 800), emulation.SetEmulatedMedia())
}

// violations reports the violations that axe-core finds in our own part of a page.
func violations(t *testing.T, b *chromium, what string) {
	t.Helper()
	file := os.Getenv("QUIRE_AXE")
	if file == "" {
		return
	}
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b.do(t, "axe", chromedp.Evaluate(string(script)+";0", nil), chromedp.Evaluate(`(window.found = null, `+
		`axe.run(document, {iframes: false}).then(r => { window.found = r.violations.map(v => v.id + ": " + `+
		`v.nodes.map(n => n.html.slice(0, 120)).join(" | ")) }), 0)`, nil))
	b.waitFor(t, "axe", "window.found")
	for _, v := range value[[]string](t, b, "window.found") {
		t.Errorf("axe-core, %s: %s", what, v)
	}
}
