package browser

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"quire/format/warc"
)

//go:embed testdata/storage.js
var storageJS string

// The two websites: one stores data, the other tries to read it.
const (
	keeperHost = "keeper.example"
	spyHost    = "spy.example"
	theSecret  = "hunter2"
)

// intruders are documents of the spy, one for each form in which browsers run scripts.
var intruders = map[string]document{
	"/in.html": {"text/html", `<!DOCTYPE html><title>in</title><body><script src="/storage.js"></script><script>` +
		intrudes("html") + `</script>`},
	"/in-marked.html": {"text/html", `<!DOCTYPE html><title>in</title><body><script>` + intrudesMarked + `</script>`},
	"/in.svg": {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"><script><![CDATA[` + readsPlainly("svg") +
		`]]></script></svg>`},
	"/in.xhtml": {"application/xhtml+xml",
		`<html xmlns="http://www.w3.org/1999/xhtml"><head><title>in</title></head><body><script><![CDATA[` +
			readsPlainly("xhtml") + `]]></script></body></html>`},
}

func intrudes(kind string) string {
	return `spy("shared.js").then(got => window["to" + "p"].postMessage({intruder: "` + kind + `", got}, "*"))`
}

// intrudesMarked reads by the names that are marked in scripts, and by the functions around them.
const intrudesMarked = `var got = {}
for (const [name, read] of Object.entries({
  top: () => top.localStorage.getItem("kept"), parent: () => window.parent.localStorage.getItem("kept"),
  own: () => window.localStorage.getItem("kept"), eval: () => eval("top.localStorage.getItem('kept')"),
  standIn: () => quire$of(window["par" + "ent"]).localStorage.getItem("kept"),
  above: () => quire$of(window["to" + "p"]).document.documentElement.outerHTML,
})) try { got[name] = String(read()) } catch (e) { got[name] = "no: " + e.name }
window["to" + "p"].postMessage({intruder: "marked", got}, "*")`

// readsPlainly reports whether a kind of document needs no other script.
func readsPlainly(kind string) string {
	return `var got; try { got = localStorage.getItem("kept") } catch (e) { got = "no: " + e.name }
top.postMessage({intruder: "` + kind + `", got: got}, "*")`
}

// newNeighbours returns both websites.
func newNeighbours() (site http.Handler, urls []string) {
	mux := http.NewServeMux()
	text := func(host, path, mime, body string) {
		mux.HandleFunc("GET "+host+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", mime)
			_, _ = io.WriteString(w, body)
		})
		urls = append(urls, "http://"+host+path)
	}
	page := func(title string) string {
		return `<!DOCTYPE html><title>` + title + `</title><body><p>` + title +
			`</p><script src="/storage.js"></script>`
	}
	const shared = `const kept = []; onconnect = (e) => { const p = e.ports[0]; p.onmessage = (m) => { if ` +
		`(m.data.keep) kept.push(m.data.keep); p.postMessage(kept) } }`
	for _, host := range []string{keeperHost, spyHost} {
		text(host, "/storage.js", "text/javascript", storageJS)
		text(host, "/shared.js", "text/javascript", shared)
		text(host, "/sw.js", "text/javascript", `addEventListener("fetch", () => {})`)
	}
	text(keeperHost, "/keep.html", "text/html",
		page("keeper")+`<p>`+theSecret+`</p><script>var mine = "`+theSecret+`"</script>`)
	text(keeperHost, "/same.html", "text/html", page("same"))
	text(spyHost, "/spy.html", "text/html", page("spy"))
	text(spyHost, "/opened.html", "text/html",
		page("opened")+`<script>opener.postMessage({opened: {...held(opener), at: location.href}}, "*")</script>`)
	for path, d := range intruders {
		text(spyHost, path, d.mime, d.body)
	}
	return mux, urls
}

// neighbours makes a repository with a package of each website: open and closed captures.
func neighbours(t *testing.T) (repo string) {
	t.Helper()
	site, urls := newNeighbours()
	var files []string
	for _, host := range []string{keeperHost, spyHost} {
		file := filepath.Join(t.TempDir(), strings.TrimSuffix(host, ".example")+".warc.gz")
		f, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		out, err := warc.NewWriter(f, warc.WriterOptions{Compression: warc.Gzip})
		if err != nil {
			t.Fatal(err)
		}
		r := &recorder{site: site, out: out, when: time.Date(2026, 3, 4, 5, 6, len(files), 0, time.UTC)}
		for _, url := range urls {
			if strings.HasPrefix(url, "http://"+host+"/") {
				r.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", url, nil))
			}
		}
		if r.err != nil {
			t.Fatal(r.err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return repository(t, files...)
}

// house is one configuration of a server: settings, and whether each website has a separate origin.
type house struct {
	name     string
	settings func(port string) []string
	replay   func(port string) string // URL of a capture for a reader without other information
	own      bool
}

// reads is the script by which another page of the keeper reads its data. Where it can, it may take
// longer on a busy machine.
func (h *house) reads(shared string) string {
	if h.own {
		return `spy(` + shared + `, 30)`
	}
	return `spy(` + shared + `)`
}

const closedKeeper = "rules:\n  - urls: [\"http://(example,keeper,)/\"]\n    access: restricted\n"

func houses() []house {
	none := func(string) []string { return nil }
	return []house{
		{"as it comes", none, func(port string) string { return "http://127.0.0.1:" + port }, true},
		{"wildcard", func(port string) []string {
			return []string{"ui: http://ui.example:" + port, `replay: "http://*.replay.example:` + port + `"`}
		}, func(port string) string { return "http://any.replay.example:" + port }, true},
		{"two names", func(port string) []string {
			return []string{"ui: http://localhost:" + port, "replay: http://127.0.0.1:" + port}
		}, func(port string) string { return "http://127.0.0.1:" + port }, false},
	}
}

// TestStorage checks that neither of two archived websites reads data that the other stores in the
// browser, or runs in its origin. Unless the whole is asked for, only the first configuration also has
// closed captures.
func TestStorage(t *testing.T) {
	repo := neighbours(t)
	for i, h := range houses() {
		for _, restricted := range []bool{false, true} {
			if restricted && i > 0 && !whole() {
				continue
			}
			t.Run(fmt.Sprintf("%s, restricted %t", h.name, restricted), func(t *testing.T) {
				h.try(t, repo, restricted)
			})
		}
	}
}

const at = "/all/20260304050700"

func (h house) try(t *testing.T, repo string, restricted bool) {
	settings := []string{}
	if restricted {
		rules := filepath.Join(t.TempDir(), "rules.yaml")
		if err := os.WriteFile(rules, []byte(closedKeeper), 0o600); err != nil {
			t.Fatal(err)
		}
		tokens := filepath.Join(t.TempDir(), "tokens")
		if err := os.WriteFile(tokens, fmt.Appendf(nil, "%x\n", sha256.Sum256([]byte(staffToken))), 0o600); err != nil {
			t.Fatal(err)
		}
		settings = append(settings, "rules: '"+rules+"'", "readers: {staff: [{token-file: '"+tokens+"'}]}")
	}
	s, port := serveAs(t, repo, func(port string) []string { return append(h.settings(port), settings...) })
	replay := h.replay(port)
	b := open(t, "MAP *.replay.example 127.0.0.1, MAP ui.example 127.0.0.1, MAP *.example ~NOTFOUND")

	// The keeper stores all it can, and stays open.
	keeper := func(path string) string {
		if !restricted {
			return replay + at + "mp_/http://" + keeperHost + path
		}
		return frameOf(t, port, s.ui, "/all/20260304050604/http://"+keeperHost+path)
	}
	keepAt := keeper("/keep.html")
	b.visit(t, keepAt)
	b.calm(t)
	origin := value[string](t, b, "location.origin")
	prefix := value[string](t, b, `location.pathname.split("/")[1]`)
	t.Logf("keeper at %s", keepAt)
	shared := `"/` + prefix + `/20260304050700js_/http://` + keeperHost + `/shared.js"`
	kept := b.await(t, `keep(`+shared+`)`)
	t.Logf("kept at %s: %v", origin, kept)

	// Another page of the keeper reads it; no page does if a website has no separate origin.
	same := b.tab(t)
	same.visit(t, strings.Replace(keepAt, "/keep.html", "/same.html", 1))
	same.calm(t)
	got := same.await(t, h.reads(shared))
	for name, is := range got {
		if found := strings.Contains(is, theSecret); found != h.own && name != "sessionStorage" &&
			!(name == "cookieStore" || insecure(origin, name)) {
			t.Errorf("another page of the website: %s: %q", name, is)
		}
	}

	// The spy reads nothing at its own address, ...
	spy := b.tab(t)
	spyAt := replay + at + "mp_/http://" + spyHost + "/spy.html"
	spy.visit(t, spyAt)
	spy.calm(t)
	spyOrigin := value[string](t, spy, "location.origin")
	t.Logf("the spy is at %s", spyOrigin)
	nothing(t, "by itself", spy.await(t, `spy(`+shared+`)`))
	// ... nor through any window of the keeper, at any address, nor with pages of the spy at
	// addresses of the keeper.
	framed, intruding := addresses(prefix, origin, spyOrigin, replay)
	nothing(t, "by a handle", spy.await(t, `handles(`+quoted(framed)+`)`))
	intruded := spy.await(t, `intrude(`+quoted(intruding)+`)`)
	nothing(t, "at the keeper's address", intruded)
	if len(intruded) < len(intruding)/2 {
		t.Errorf("of %d intruders %d sent a result: %v", len(intruding), len(intruded), intruded)
	}
	// It cannot read its opener either, or data of the window's previous page.
	opened := b.await(t, `opens("http://`+spyHost+`/opened.html")`)
	if nothing(t, "of its opener", opened); len(opened) != 5 || h.own && strings.Contains(opened["at"], "~") {
		t.Errorf("an opened page read this: %v", opened)
	}
	b.visit(t, spyAt)
	b.calm(t)
	nothing(t, "in the same window", b.await(t, `spy(`+shared+`)`))
	// An archived script cannot become a service worker.
	worker := spy.await(t, `installs("/all/20260304050700js_/http://`+spyHost+`/sw.js")`)
	if !strings.HasPrefix(worker["service worker"], "no: ") {
		t.Errorf("an archived service worker: %v", worker)
	}
}

// addresses returns two lists: the addresses where the spy might read the keeper's page, and the
// addresses where the spy's pages might run next to the keeper's page.
func addresses(prefix, origin, spyOrigin, replay string) (framed, intruding []string) {
	for _, host := range []string{origin, spyOrigin, replay} {
		for _, mod := range []string{"mp_", "if_", "im_", "js_", "cs_", "id_", "ir_", ""} {
			framed = append(framed, host+"/"+prefix+"/20260304050700"+mod+"/http://"+keeperHost+"/keep.html")
		}
	}
	for path := range intruders {
		for _, mod := range []string{"mp_", "if_", "im_", "js_"} {
			for _, host := range []string{origin, replay} {
				intruding = append(intruding, host+at+mod+"/http://"+spyHost+path,
					host+"/"+prefix+"/20260304050700"+mod+"/http://"+spyHost+path)
			}
		}
	}
	slices.Sort(framed)
	slices.Sort(intruding)
	return slices.Compact(framed), slices.Compact(intruding)
}

const staffToken = "open sesame"

var frameSource = regexp.MustCompile(`<iframe id="replay"[^>]* src="([^"]+)"`)

// frameOf returns the URL of the frame in a page of our own host, for curators.
func frameOf(t *testing.T, port, ui, path string) string {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+port+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Host = strings.TrimPrefix(ui, "http://")
	q.Header.Set("Authorization", "Bearer "+staffToken)
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	found := frameSource.FindSubmatch(body)
	if found == nil {
		t.Fatalf("no frame for curators: %s %.2000s", answer.Status, body)
	}
	return html.UnescapeString(string(found[1]))
}

// insecure reports whether a name is an API that browsers offer only to trusted hosts.
func insecure(origin, name string) bool {
	return strings.Contains(origin, ".example") &&
		slices.Contains([]string{"caches", "files", "locks", "cookieStore"}, name)
}

func nothing(t *testing.T, how string, got map[string]string) {
	t.Helper()
	for name, is := range got {
		if strings.Contains(is, theSecret) {
			t.Errorf("%s the spy read %s: %.80q", how, name, is)
		}
	}
}

func quoted(all []string) string {
	return `["` + strings.Join(all, `","`) + `"]`
}

// tab returns another window of the same browser.
func (b *chromium) tab(t *testing.T) *chromium {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	t.Cleanup(cancel)
	if err := chromedp.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return &chromium{ctx}
}

// calm waits until the page has reloaded after the installation of the worker.
func (b *chromium) calm(t *testing.T) {
	t.Helper()
	b.comes(`!window.isSecureContext || !navigator.serviceWorker || navigator.serviceWorker.controller`, 5*time.Second)
	b.waitFor(t, "the script of the page", `document.readyState === "complete" && typeof keep === "function"`)
}

// await returns the result of a promise. It starts again if the page was reloaded meanwhile.
func (b *chromium) await(t *testing.T, promise string) map[string]string {
	t.Helper()
	for range 5 {
		value[any](t, b, `(window.came = undefined, window.begun = true, `+promise+
			`.then((v) => { window.came = v }, (e) => { window.came = {failed: "no: " + e} }), null)`)
		if b.comes("window.came || !window.begun", patience) && value[bool](t, b, "Boolean(window.came)") {
			return value[map[string]string](t, b, "window.came")
		}
	}
	t.Fatalf("%s never came", promise)
	return nil
}

// serveAs is serve with settings that contain the port.
func serveAs(t *testing.T, repo string, settings func(port string) []string) (s serving, port string) {
	t.Helper()
	s = serveWith(t, repo, func(at string) []string {
		_, port, _ = net.SplitHostPort(at)
		return settings(port)
	})
	if lines := settings(port); len(lines) > 0 && strings.HasPrefix(lines[0], "ui: ") {
		s.ui = strings.TrimPrefix(lines[0], "ui: ")
	}
	return s, port
}
