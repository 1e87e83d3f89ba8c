package browser

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// The hosts of the website.
const (
	siteHost = "site.example"
	cdnHost  = "cdn.example"  // another host, with resources of the website
	liveHost = "live.example" // never crawled: a request to it has left the archive
)

// newSite returns a website with a front page that loads something in every known way, and reports
// each result in window.checks.
func newSite() http.Handler {
	mux := http.NewServeMux()
	text := func(path, mime, body string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", mime)
			w.Header().Set("Access-Control-Allow-Origin", "*")
			_, _ = io.WriteString(w, body)
		})
	}
	mux.HandleFunc("GET /pic/{name}", picture)
	text("/{$}", "text/html; charset=utf-8", frontPage)
	text("/deep/page.html", "text/html",
		`<!DOCTYPE html><title>Deep</title><base href="/pic/"><h1>Deep</h1><img id="based" src="31.png"><a id="home" `+
			`href="/">home</a>`)
	text("/frame.html", "text/html",
		`<!DOCTYPE html><title>Frame</title><p id="framed">framed</p><img src="pic/32.png">`)
	text("/refresh.html", "text/html",
		`<!DOCTYPE html><title>Refresh</title><meta http-equiv="refresh" content="0; url=/deep/page.html">`)
	text("/leave.html", "text/html",
		`<!DOCTYPE html><title>Leave</title><script>location.href = "http://`+liveHost+`/left"</script>`)
	text("/css/main.css", "text/css", `@import "more/imported.css"; #inline-sheet { color: green }`)
	text("/css/more/imported.css", "text/css",
		`#imported { background: url( '../../pic/21.png' ) ; width: 30px; height: 30px }`)
	text("/js/module.js", "text/javascript",
		`import { word } from "/js/word.js"; window.moduleWord = word; export const here = import.meta.url`)
	text("/js/word.js", "text/javascript", `export const word = "carried"`)
	text("/js/later.js", "text/javascript", `export const later = 7`)
	text("/js/added.js", "text/javascript", `window.added = 41 + 1`)
	text("/js/worker.js", "text/javascript",
		`fetch("/data/root.json").then(r => r.json()).then(d => postMessage(d.is), e => postMessage("failed: " + e))`)
	for _, name := range []string{"relative", "root", "absolute", "other", "xhr-relative", "xhr-absolute", "request",
		"frame"} {
		text("/data/"+name+".json", "application/json", `{"is": "`+name+`"}`)
	}
	mux.HandleFunc("POST /api/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"sent": %q}`, body)
	})
	mux.HandleFunc("GET /long.bin", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = io.WriteString(w, strings.Repeat("0123456789", 1000))
	})
	mux.HandleFunc("GET /moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/deep/page.html", http.StatusFound)
	})
	for path, p := range hostile {
		text(path, p.mime, p.body)
	}
	return mux
}

// picture draws /pic/N.png, which is N pixels wide, so that the test recognizes each one.
func picture(w http.ResponseWriter, r *http.Request) {
	width, err := strconv.Atoi(strings.TrimSuffix(r.PathValue("name"), ".png"))
	if err != nil || width < 1 || width > 99 {
		http.NotFound(w, r)
		return
	}
	m := image.NewRGBA(image.Rect(0, 0, width, 5))
	m.Set(0, 0, color.RGBA{200, 20, 20, 255})
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Access-Control-Allow-Origin", "*")
	_ = png.Encode(w, m)
}

// checkNames are the checks of the front page. All must be true, live and replayed.
var checkNames = []string{
	"image relative", "image root", "image absolute", "image other host", "srcset", "picture", "css import",
	"css inline", "stylesheet",
	"module", "dynamic import", "fetch relative", "fetch root", "fetch absolute", "fetch other host", "fetch Request",
	"POST", "XHR relative", "XHR absolute",
	"dynamic image", "dynamic script", "dynamic stylesheet", "iframe", "dynamic iframe", "range", "worker",
	"innerHTML image", "redirect",
}

// needsWorker are the checks that need the service worker, because rewriting HTML and CSS is not
// enough.
var needsWorker = map[string]bool{
	"fetch absolute": true, "fetch other host": true, "fetch Request": true, "XHR absolute": true,
	"dynamic image": true, "innerHTML image": true, "dynamic script": true,
	"module": true, "fetch root": true, "dynamic iframe": true, "worker": true, "POST": true, "fetch relative": true,
	"XHR relative": true, "dynamic import": true, "range": true,
	"dynamic stylesheet": true, "redirect": true,
}

const frontPage = `<!DOCTYPE html>
<html lang="en"><head>
<meta charset="utf-8">
<title>A hard website</title>
<link rel="stylesheet" href="css/main.css" id="sheet">
<link rel="preload" as="image" href="/pic/19.png">
<script type="module" src="js/module.js"></script>
</head><body>
<h1>A hard website</h1>
<img id="i-relative" src="pic/11.png"><img id="i-root" src="/pic/12.png"><img id="i-absolute" ` +
	`src="http://site.example/pic/13.png">
<img id="i-other" src="//cdn.example/pic/14.png">
<img id="i-srcset" srcset="pic/15.png 1x, http://site.example/pic/16.png 2x">
<picture><source srcset="/pic/17.png"><img id="i-picture" src="pic/18.png"></picture>
<p id="imported">imported</p><p id="inline" style="background: url(&quot;pic/22.png&quot;)">inline</p><p ` +
	`id="inline-sheet">sheet</p>
<iframe id="frame" src="frame.html"></iframe>
<a id="to-deep" href="deep/page.html">deep</a> <a id="to-moved" href="/moved">moved</a>
<div id="inner"></div>
<script>
const checks = {}
const within = (promise) => Promise.race([promise, new Promise((_, no) => setTimeout(() => no("too late"), 60000))])
const check = async (name, test) => { try { checks[name] = await within(test()) } catch (e) { checks[name] = ` +
	`"failed: " + e } }
const loaded = (img, width) => new Promise((yes, no) => {
  const done = () => yes(img.naturalWidth === width || "it is " + img.naturalWidth + " wide")
  if (img.complete && img.naturalWidth) return done()
  img.addEventListener("load", done); img.addEventListener("error", () => no("an error"))
})
const byId = (id) => document.getElementById(id)
const background = (id, width) => {
  const url = getComputedStyle(byId(id)).backgroundImage.replace(/^url\("?|"?\)$/g, "")
  const img = new Image(); const p = loaded(img, width); img.src = url; return p
}
const is = async (answer, word) => (await (await answer).json()).is === word
const xhr = (url) => new Promise((yes, no) => {
  const x = new XMLHttpRequest(); x.open("GET", url); x.onload = () => yes(JSON.parse(x.responseText).is); ` +
	`x.onerror = () => no("an error"); x.send()
})
async function run() {
  await Promise.all([
    check("image relative", () => loaded(byId("i-relative"), 11)), check("image root", () => loaded(byId("i-root"), 12)),
    check("image absolute", () => loaded(byId("i-absolute"), 13)), check("image other host", () => ` +
	`loaded(byId("i-other"), 14)),
    check("srcset", () => loaded(byId("i-srcset"), 15)), check("picture", () => loaded(byId("i-picture"), 17)),
    check("css import", () => background("imported", 21)), check("css inline", () => background("inline", 22)),
    check("stylesheet", async () => getComputedStyle(byId("inline-sheet")).color === "rgb(0, 128, 0)"),
    check("module", async () => { for (let i = 0; i < 500 && !window.moduleWord; i++) await new Promise(r => ` +
	`setTimeout(r, 100)); return window.moduleWord === "carried" }),
    check("dynamic import", async () => (await import("./js/later.js")).later === 7),
    check("fetch relative", () => is(fetch("data/relative.json"), "relative")),
    check("fetch root", () => is(fetch("/data/root.json"), "root")),
    check("fetch absolute", () => is(fetch("http://site.example/data/absolute.json"), "absolute")),
    check("fetch other host", () => is(fetch("http://cdn.example/data/other.json"), "other")),
    check("fetch Request", () => is(fetch(new Request("http://site.example/data/request.json")), "request")),
    check("POST", async () => (await (await fetch("/api/echo", {method: "POST", body: JSON.stringify({a: 1}), ` +
	`headers: {"Content-Type": "application/json"}})).json()).sent === '{"a":1}'),
    check("XHR relative", async () => await xhr("data/xhr-relative.json") === "xhr-relative"),
    check("XHR absolute", async () => await xhr("http://site.example/data/xhr-absolute.json") === "xhr-absolute"),
    check("dynamic image", () => { const i = new Image(); const p = loaded(i, 23); i.src = ` +
	`"http://site.example/pic/23.png"; return p }),
    check("innerHTML image", () => { byId("inner").innerHTML = '<img src="http://cdn.example/pic/24.png">'; ` +
	`return loaded(byId("inner").firstChild, 24) }),
    check("dynamic script", () => new Promise((yes, no) => {
      const s = document.createElement("script"); s.src = "http://site.example/js/added.js"; s.onload = () => ` +
	`yes(window.added === 42); s.onerror = () => no("an error"); document.head.append(s)
    })),
    check("dynamic stylesheet", () => new Promise((yes, no) => {
      const s = document.createElement("link"); s.rel = "stylesheet"; s.href = ` +
	`"http://site.example/css/main.css"; s.onload = () => yes(true); s.onerror = () => no("an error"); ` +
	`document.head.append(s)
    })),
    check("iframe", () => new Promise((yes) => {
      const seen = () => byId("frame").contentDocument && byId("frame").contentDocument.getElementById("framed")
      const wait = () => seen() ? yes(true) : setTimeout(wait, 100); wait()
    })),
    check("dynamic iframe", () => new Promise((yes) => {
      const f = document.createElement("iframe"); f.src = "/deep/page.html"; document.body.append(f)
      const wait = () => f.contentDocument && f.contentDocument.getElementById("based") ? yes(true) : ` +
	`setTimeout(wait, 100); wait()
    })),
    check("range", async () => { const r = await fetch("long.bin", {headers: {Range: "bytes=15-19"}}); return ` +
	`r.status === 206 ? await r.text() === "56789" : (await r.text()).length === 10000 && "no part: " + r.status }),
    check("worker", () => new Promise((yes, no) => { const w = new Worker("js/worker.js"); w.onmessage = e => ` +
	`yes(e.data === "root" || e.data); w.onerror = e => no("an error") })),
    check("redirect", async () => (await (await fetch("/moved")).text()).includes("Deep")),
  ])
  window.checks = checks
}
run()
// What must not get out of an archive. On the day of the crawl nobody answered.
const escape = (name, go) => { try { go() } catch (e) { console.log(name, e) } }
setTimeout(() => {
  const live = "http://live.example/escaped?by="
  escape("fetch", () => fetch(live + "fetch").catch(() => {}))
  escape("https", () => fetch("https://live.example/escaped").catch(() => {}))
  escape("image", () => { new Image().src = live + "image" })
  escape("beacon", () => navigator.sendBeacon(live + "beacon", "x"))
  escape("socket", () => { new WebSocket("ws://live.example/escaped") })
  escape("events", () => { new EventSource(live + "events") })
  escape("script", () => { const s = document.createElement("script"); s.src = live + "script"; ` +
	`document.head.append(s) })
  escape("prefetch", () => { const s = document.createElement("link"); s.rel = "prefetch"; s.href = live + ` +
	`"prefetch"; document.head.append(s) })
  escape("preconnect", () => { const s = document.createElement("link"); s.rel = "preconnect"; s.href = ` +
	`"http://live.example"; document.head.append(s) })
  escape("frame", () => { const s = document.createElement("iframe"); s.src = live + "frame"; document.body.append(s) })
  escape("form", () => { const f = document.createElement("form"); f.action = live + "form"; f.method = ` +
	`"post"; f.target = "elsewhere"
    const s = document.createElement("iframe"); s.name = "elsewhere"; document.body.append(s, f); f.submit() })
  escape("object", () => { const s = document.createElement("object"); s.data = live + "object"; ` +
	`document.body.append(s) })
  escape("font", () => { new FontFace("x", "url(" + live + "font)").load().catch(() => {}) })
  escape("video", () => { const s = document.createElement("video"); s.src = live + "video"; document.body.append(s) })
  escape("worker", () => { const b = new Blob(["fetch('" + live + "blob-worker').catch(() => {})"]); new ` +
	`Worker(URL.createObjectURL(b)) })
  escape("css", () => { document.body.style.backgroundImage = "url(" + live + "css)" })
  setTimeout(() => { window.escaped = true }, 1500)
}, 300)
</script>
</body></html>`
