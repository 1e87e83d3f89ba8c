package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// openRepository makes a repository like repository does, and a configuration that opens packages
// without a rights statement. It also returns the packages' identifiers.
func openRepository(t *testing.T, sources ...string) (repo, config string, ids []string) {
	t.Helper()
	repo = repository(t, sources...)
	config = filepath.Join(t.TempDir(), "serve.yaml")
	if err := os.WriteFile(config, []byte("unstated: open\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(quire(t, "list", "--repo", repo)) {
		ids = append(ids, strings.Fields(line)[0])
	}
	return repo, config, ids
}

// viewer returns the folder of ReplayWeb.page, which interop/run installs. It is AGPL, and not part
// of Quire.
func viewer(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("REPLAYWEBPAGE")
	if dir == "" {
		dir = "../../build/interop/replaywebpage"
	}
	if _, err := os.Stat(filepath.Join(dir, "ui.js")); err != nil {
		t.Fatalf("%v: interop/run browser brings it", err)
	}
	return dir
}

// embed is a page with a WACZ in the viewer.
const embed = `<!DOCTYPE html><meta charset="utf-8"><title>WACZ</title><script src="/ui.js"></script>
<replay-web-page source="/export.wacz" url="%s" ts="20260304050600" replaybase="/replay/" embed="replayonly" ` +
	`newWindowBase="/" style="height: 600px"></replay-web-page>`

// inside finds the archived page in nested frames and in shadow trees.
const inside = `(() => {
	const look = (w, depth) => {
		try { if (w.checks && w.escaped) return w; } catch (e) { return null; }
		if (depth > 6) return null;
		const search = root => {
			for (const e of root.querySelectorAll("*")) {
				if (e.tagName === "IFRAME" && e.contentWindow) { const found = look(e.contentWindow, depth + ` +
	`1); if (found) return found; }
				if (e.shadowRoot) { const found = search(e.shadowRoot); if (found) return found; }
			}
			return null;
		};
		try { return search(w.document); } catch (e) { return null; }
	};
	return look(window, 0);
})()`

// viewerLacks are checks that fail in version 2.5.3 of the viewer, also for a WACZ by py-wacz.
var viewerLacks = map[string]bool{"import()": true, "range": true}

// TestWACZInReplayWebPage exports the website as WACZ and shows it in the most common viewer. All
// checks pass, and no request reaches the live web.
func TestWACZInReplayWebPage(t *testing.T) {
	dir := viewer(t)
	repo, config, ids := openRepository(t, crawl(t))
	file := filepath.Join(t.TempDir(), "export.wacz")
	quire(t, "export", ids[0], "--repo", repo, "--config", config, "--as", "wacz", "--out", file)
	mux := http.NewServeMux()
	serveFile := func(path, file string) {
		// with Range
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, file) })
	}
	serveFile("/ui.js", filepath.Join(dir, "ui.js"))
	serveFile("/replay/sw.js", filepath.Join(dir, "sw.js"))
	serveFile("/export.wacz", file)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, embed, "http://"+siteHost+"/")
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	l, address := listenLive(t)
	b := open(t, "MAP * "+address+", EXCLUDE localhost, EXCLUDE 127.0.0.1")
	// Some cold loads of the viewer hang, for a WACZ of any tool; a second load works.
	for range 5 {
		b.visit(t, server.URL+"/")
		if b.comes(inside, 20*time.Second) {
			break
		}
	}
	b.waitFor(t, "the archived page in the viewer", inside)
	b.waitFor(t, "the last check", inside+`.checks["redirect"]`)
	checks := value[map[string]any](t, b, inside+".checks")
	for _, name := range checkNames {
		if checks[name] != true && !viewerLacks[name] {
			t.Errorf("%s: %v", name, checks[name])
		}
	}
	nobodyCame(t, l)
}

// TestMirrorFromDisk exports the website as a mirror and opens it from the disk. Everything that
// needs no server works, for every way of naming a picture in a page, and no request reaches the
// live web.
func TestMirrorFromDisk(t *testing.T) {
	repo, config, ids := openRepository(t, crawl(t))
	dir := filepath.Join(t.TempDir(), "mirror")
	quire(t, "export", ids[0], "--repo", repo, "--config", config, "--as", "mirror", "--out", dir)
	l, address := listenLive(t)
	b := open(t, "MAP * "+address)
	b.visit(t, "file://"+dir+"/index.html")
	b.waitFor(t, "the start page", `document.querySelector("tbody a")`)
	front := value[string](t, b,
		fmt.Sprintf(`[...document.querySelectorAll("tbody tr")].find(r => r.querySelector("small").textContent === `+
			`%q).querySelector("a").href`, "http://"+siteHost+"/"))
	b.visit(t, front)
	b.waitFor(t, front, `document.readyState === "complete"`)
	broken := value[[]string](t, b,
		`[...document.images].filter(i => i.getAttribute("src") && !i.src.startsWith("http") && i.complete && `+
			`i.naturalWidth === 0).map(i => i.outerHTML)`)
	shown := value[int](t, b, `[...document.images].filter(i => i.naturalWidth > 0).length`)
	t.Logf("%d pictures are shown", shown)
	if len(broken) > 0 || shown < 5 {
		t.Errorf("%d pictures are shown, %d are not: %q", shown, len(broken), broken)
	}
	b.do(t, "a link", clickFirst(`a[href$="page.html"]`))
	b.waitFor(t, "the page behind the link", `document.title === "Deep"`)
	nobodyCame(t, l)
}

// clickFirst clicks the first element that matches a selector, if any.
func clickFirst(selector string) chromedp.Action {
	return chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%q).click()`, selector), nil)
}
