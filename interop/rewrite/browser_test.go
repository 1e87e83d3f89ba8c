//go:build interop

package rewrite

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

const pixel = "image/svg+xml\n<svg xmlns='http://www.w3.org/2000/svg' width='5' height='5'><rect width='5' " +
	"height='5'/></svg>"

// page fetches resources in every way that pages can, and reports the results by POST to its
// original site.
const page = `text/html; charset=utf-8
<!DOCTYPE html>
<html><head><title>Test</title>
<link rel=stylesheet href="/css/a.css">
<script>const began = performance.now();</script>
</head><body>
<img id=relative src="rel.svg"><img id=rooted src="/root.svg"><img id=absolute src="http://cdn.test/abs.svg">
<img id=set srcset="/set.svg 1x"><div id=background></div>
<script type=module>import { answer } from '/mod/a.js'; window.moduleAnswer = answer;</script>
<script src="http://cdn.test/classic.js"></script>
<script>
const results = {}, late = 60000;
const image = (src) => new Promise((r) => { const i = new Image(); i.onload = () => r(true); i.onerror = () =>` +
	` r(false); i.src = src; });
const text = async (promise) => { try { const a = await promise; return a.ok ? await a.text() : 'status ' + ` +
	`a.status; } catch (e) { return 'error ' + e.message; } };
const xhr = (url) => new Promise((r) => { const x = new XMLHttpRequest(); x.open('GET', url); x.onloadend = ` +
	`() => r(x.responseText); x.send(); });
const inserted = (html, selector) => new Promise((r) => { const d = document.createElement('div'); ` +
	`d.innerHTML = html; const e = d.querySelector(selector);
  let tries = 0; e.addEventListener('load', () => r(true)); e.addEventListener('error', () => { if (++tries > ` +
	`1) r(false); }); setTimeout(() => r(false), late); document.body.append(d); });
const script = (src) => new Promise((r) => { const s = document.createElement('script'); s.onload = () => ` +
	`r(true); s.onerror = () => r(false); s.src = src; document.head.append(s); });
const framed = (make) => new Promise((r) => { addEventListener('message', (e) => { if (e.data === 'framed ' + ` +
	`make.name) r(true); }); setTimeout(() => r(false), late); make(); });
const work = (url) => new Promise((r) => { try { const w = new Worker(url); w.onmessage = (e) => r(e.data); ` +
	`w.onerror = () => r('error'); } catch (e) { r(e.message); } setTimeout(() => r('late'), late); });
addEventListener('load', async () => {
  for (const i of document.images) if (i.id) results['img ' + i.id] = i.naturalWidth > 0;
  results.classic = window.classic === 1;
  results.module = window.moduleAnswer === 42;
  results.css = getComputedStyle(document.querySelector('#background')).backgroundImage !== 'none' && ` +
	`getComputedStyle(document.querySelector('#background')).width === '7px';
  results['fetch relative'] = await text(fetch('data.json')) === '{"a":1}';
  results['fetch rooted'] = await text(fetch('/data.json')) === '{"root":1}';
  results['fetch absolute'] = await text(fetch('http://api.test/data.json')) === '{"api":1}';
  results['fetch request'] = await text(fetch(new Request('http://api.test/data.json', { headers: { 'X-A': ` +
	`'b' } }))) === '{"api":1}';
  results.post = await text(fetch('/post', { method: 'POST', body: 'q=1' })) === 'posted';
  results['xhr absolute'] = await xhr('http://api.test/data.json') === '{"api":1}';
  results['image absolute'] = await image('http://cdn.test/dyn.svg');
  results['image rooted'] = await image('/root.svg');
  results['frame beyond the root'] = await framed(function beyond() { const f = ` +
	`document.createElement('iframe'); f.src = '../../../beyond'; document.body.append(f); });
  results['image inserted'] = await inserted('<img src="http://cdn.test/dyn2.svg">', 'img');
  results['script dynamic'] = await script('http://cdn.test/classic.js');
  results['frame by property'] = await framed(function property() { const f = ` +
	`document.createElement('iframe'); f.src = 'http://frame.test/property'; document.body.append(f); });
  results['frame by attribute'] = await framed(function attribute() { const f = ` +
	`document.createElement('iframe'); f.setAttribute('src', '/frame/attribute'); document.body.append(f); });
  results['frame inserted'] = await framed(function inner() { document.body.insertAdjacentHTML('beforeend', ` +
	`'<iframe src="http://frame.test/inner"></iframe>'); });
  results.worker = await work('/work.js') === 'worked {"api":1}';
  results['worker absolute'] = await work('http://a.test/work.js') === 'worked {"api":1}';
  try { document.cookie = 'a=b; path=/'; } catch {} results.cookie = document.cookie === 'a=b';
  try { history.pushState({}, '', '/pushed'); } catch {} results.pushed = ` +
	`/_\/http:\/\/a\.test\/pushed$/.test(location.href);
  results['after push'] = await image('/root.svg');
  try { results.controlled = Boolean(navigator.serviceWorker && navigator.serviceWorker.controller); } catch ` +
	`{ results.controlled = false; }
  await fetch('/report', { method: 'POST', body: JSON.stringify(results) });
});
</script></body></html>`

var workJS = "text/javascript\nfetch('http://api.test/data.json').then((a) => a.text()).then((t) => " +
	"postMessage('worked ' + t), (e) => postMessage('failed ' + e.message));"

func frame(name string) string {
	return "text/html\n<script>parent.postMessage('framed " + name + "', '*')</script>"
}

// escape tries everything to reach outside hosts.
const escape = `text/html; charset=utf-8
<!DOCTYPE html><html><head><title>Out</title></head><body><a id=ping href="#x" ping="http://out.test/ping-static">x</a>
<iframe id=blank></iframe>
<script>
const only = /*ONLY*/[];
const attempts = {
  image() { new Image().src = 'http://out.test/image'; },
  fetch() { fetch('http://out.test/fetch', { mode: 'no-cors' }); },
  fetchTLS() { fetch('https://out.test/fetch', { mode: 'no-cors' }); },
  beacon() { navigator.sendBeacon('http://out.test/beacon', 'x'); },
  pristineFetch() { document.querySelector('#blank').contentWindow.fetch('http://out.test/pristine', { mode: ` +
	`'no-cors' }); },
  pristineOpen() { const f = document.querySelector('#blank').contentWindow; f.location = ` +
	`'http://out.test/blank-location'; },
  socket() { new WebSocket('ws://out.test/socket'); },
  socketTLS() { new WebSocket('wss://out.test/socket'); },
  events() { new EventSource('http://out.test/events'); },
  ping() { const a = document.querySelector('#ping'); a.setAttribute('ping', 'http://out.test/ping'); a.click(); },
  prefetch() { link('prefetch'); }, preconnect() { link('preconnect'); }, icon() { link('icon'); }, ` +
	`manifest() { link('manifest'); }, prerender() { link('prerender'); },
  modulepreload() { link('modulepreload'); }, stylesheet() { link('stylesheet'); }, dns() { link('dns-prefetch'); },
  styles() { const s = document.createElement('style'); s.textContent = '@import "http://out.test/import.css";` +
	` @font-face{font-family:x;src:url(http://out.test/font)} body{font-family:x;` +
	`background:url(http://out.test/background)}'; document.head.append(s); },
  object() { element('object', 'data'); }, embed() { element('embed', 'src'); }, frame() { element('iframe', ` +
	`'src'); }, video() { element('video', 'src'); }, script() { element('script', 'src'); },
  objectMarkup() { document.body.insertAdjacentHTML('beforeend', '<object ` +
	`data="http://out.test/object-markup"></object><embed src="http://out.test/embed-markup"><iframe ` +
	`src="http://out.test/frame-markup"></iframe>'); },
  nested() { const f = document.createElement('iframe'); f.srcdoc = '<img src="http://out.test/srcdoc">` +
	`<script>fetch("http://out.test/srcdoc-fetch");location.href="http://out.test/srcdoc-location"<\/script>';` +
	` document.body.append(f); },
  blobFrame() { const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob(['<img ` +
	`src="http://out.test/blob"><script>fetch("http://out.test/blob-fetch")<\/script>'], { type: 'text/html' ` +
	`})); document.body.append(f); },
  dataFrame() { const f = document.createElement('iframe'); f.src = 'data:text/html,<img ` +
	`src="http://out.test/data"><script>fetch("http://out.test/data-fetch")<\/script>'; document.body.append(f); },
  form() { const f = document.createElement('form'); f.action = 'http://out.test/form'; f.target = ` +
	`'somewhere'; document.body.append(f); f.submit(); },
  formPost() { const f = document.createElement('form'); f.method = 'post'; f.action = ` +
	`'http://out.test/form-post'; f.target = 'elsewhere'; document.body.append(f); f.requestSubmit(); },
  open() { window.open('http://out.test/open'); },
  openBlank() { const w = window.open(); w.fetch('http://out.test/open-blank', { mode: 'no-cors' }); },
  writtenFrame() { const f = document.createElement('iframe'); document.body.append(f); ` +
	`f.contentDocument.write('<img src="http://out.test/written"><script src="http://out.test/written-script">` +
	`<\\/script>'); f.contentDocument.close(); },
  written() { document.body.insertAdjacentHTML('beforeend', '<iframe></iframe>'); const d = ` +
	`frames[frames.length - 1].document; d.body.innerHTML = '<img src="http://out.test/frames-array">'; },
  iconMarkup() { document.head.insertAdjacentHTML('beforeend', '<link rel=icon ` +
	`href="http://out.test/icon-markup"><link rel=preconnect href="http://out.test/connect-markup">'); },
  anchor() { const a = document.createElement('a'); a.href = 'http://out.test/anchor'; ` +
	`document.body.append(a); a.click(); },
  download() { const a = document.createElement('a'); a.href = 'http://out.test/download'; a.download = 'x'; ` +
	`document.body.append(a); a.click(); },
  rules() { const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = ` +
	`JSON.stringify({ prefetch: [{ source: 'list', urls: ['http://out.test/rules', 'https://out.test/rules'] ` +
	`}] }); document.head.append(s); },
  transport() { new WebTransport('https://out.test:4433/'); },
  peer() { const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:out.test:3478' }] }); ` +
	`p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o)); },
  worker() { new Worker(URL.createObjectURL(new Blob(['fetch("http://out.test/worker", {mode: "no-cors"}); ` +
	`new WebSocket("ws://out.test/worker-socket"); importScripts("http://out.test/import-scripts")'], { type: ` +
	`'text/javascript' }))); },
  unregister() { navigator.serviceWorker.getRegistrations().then((all) => all.forEach((r) => r.unregister())); },
  refresh() { const f = document.createElement('iframe'); f.srcdoc = '<meta http-equiv=refresh content="0;` +
	`url=http://out.test/refresh">'; document.body.append(f); },
};
function link(rel) { const l = document.createElement('link'); l.rel = rel; l.href = 'http://out.test/link-' ` +
	`+ rel; document.head.append(l); }
function element(name, attribute) { const e = document.createElement(name); e[attribute] = 'http://out.test/' ` +
	`+ name; document.body.append(e); }
addEventListener('load', async () => {
  const results = { controlled: false }; try { results.controlled = Boolean(navigator.serviceWorker && ` +
	`navigator.serviceWorker.controller); } catch {}
  for (const [name, attempt] of Object.entries(attempts)) { if (only.length && !only.includes(name)) continue;` +
	` if (name === 'anchor' || name === 'download') continue; try { attempt(); results[name] = 'tried'; } ` +
	`catch (e) { results[name] = e.message; } await new Promise((r) => setTimeout(r, 50)); }
  await new Promise((r) => setTimeout(r, 1500));
  await fetch('/report', { method: 'POST', body: JSON.stringify(results) });
  attempts.download(); // these two go away
  attempts.anchor();
});
</script></body></html>`

// arrived reports a visit, with or without the worker.
const arrived = `text/html; charset=utf-8
<!DOCTYPE html><title>Arrived</title><p>Here.<script>onload = () => setTimeout(() => ` +
	`fetch('http://a.test/report', { method: 'POST', body: JSON.stringify(
  { controlled: Boolean(navigator.serviceWorker && navigator.serviceWorker.controller), top: parent === ` +
	`window || window.name === 'quire-replay' }) }), 100)</script>`

var site = map[string]string{
	"http://a.test/dir/page.html":   page,
	"http://a.test/escape.html":     escape,
	"http://a.test/dir/rel.svg":     pixel,
	"http://a.test/root.svg":        pixel,
	"http://a.test/set.svg":         pixel,
	"http://cdn.test/abs.svg":       pixel,
	"http://cdn.test/dyn.svg":       pixel,
	"http://cdn.test/dyn2.svg":      pixel,
	"http://a.test/css/bg.svg":      pixel,
	"http://a.test/css/a.css":       "text/css\n@import url('b.css');",
	"http://a.test/css/b.css":       "text/css\n#background{width:7px;height:7px;background:url(bg.svg)}",
	"http://a.test/mod/a.js":        "text/javascript\nexport { answer } from './b.js';",
	"http://a.test/mod/b.js":        "text/javascript\nexport const answer = 42;",
	"http://cdn.test/classic.js":    "text/javascript\nwindow.classic = 1;",
	"http://a.test/dir/data.json":   "application/json\n{\"a\":1}",
	"http://a.test/data.json":       "application/json\n{\"root\":1}",
	"http://api.test/data.json":     "application/json\n{\"api\":1}",
	"http://a.test/post":            "text/plain\nposted",
	"http://a.test/report":          "text/plain\nthanks",
	"http://a.test/work.js":         workJS,
	"http://frame.test/property":    frame("property"),
	"http://a.test/frame/attribute": frame("attribute"),
	"http://a.test/beyond":          frame("beyond"),
	"http://frame.test/inner":       frame("inner"),
	"http://a.test/go/location.html": "text/html\n<title>go</title><script>onload = () => setTimeout(() => " +
		"location.href = 'http://b.test/arrived?by=location', 50)</script>",
	"http://a.test/go/rooted.html": "text/html\n<script>onload = () => setTimeout(() => " +
		"location.assign('/arrived?by=rooted'), 50)</script>",
	"http://a.test/go/link.html": "text/html\n<script>onload = () => setTimeout(() => { " +
		"document.body.innerHTML = '<a id=x href=http://b.test/arrived?by=link target=_top>x</a>'; " +
		"document.querySelector('#x').click(); }, 50)</script>",
	"http://a.test/go/form.html": "text/html\n<form id=f method=post><input name=q value=1></form><script>" +
		"onload = () => setTimeout(() => { f.action = 'http://b.test/arrived?by=form'; f.submit(); }, 50)</script>",
	"http://a.test/go/static.html": "text/html\n<a id=x href='/arrived?by=static' target=_top>x</a><script>" +
		"onload = () => setTimeout(() => x.click(), 50)</script>",
	"http://b.test/arrived?by=location": arrived,
	"http://a.test/arrived?by=rooted":   arrived,
	"http://b.test/arrived?by=link":     arrived,
	"http://b.test/arrived?by=form":     arrived,
	"http://a.test/arrived?by=static":   arrived,
	"http://b.test/report":              "text/plain\nthanks",
}

// address returns the URL of the page: alone, or in the frame of the banner.
func (a *archive) address(url string) string {
	at := a.server.URL + "/all~k.1/20150102030405mp_/" + url
	if !a.framed {
		return at
	}
	return strings.Replace(a.server.URL, "127.0.0.1", "localhost", 1) + "/banner?show=" + at
}

// browse shows a page in Chromium and returns its report. All hosts except our own lead to the
// listener.
func (a *archive) browse(t *testing.T, url string) map[string]any {
	t.Helper()
	a.mu.Lock()
	delete(a.posted, "http://a.test/report")
	a.mu.Unlock()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("no Chromium is installed: .ci/run installs it")
	}
	profile, err := os.MkdirTemp("", "quire-chromium-")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(profile) }()
	cmd := exec.Command(program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir="+profile,
		"--host-resolver-rules=MAP *.test "+a.live.Addr().String()+", MAP test "+a.live.Addr().String(),
		a.address(url))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // its children end with it
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	}()
	results := map[string]any{}
	deadline := time.After(3 * time.Minute) // on a busy machine Chromium needs many seconds to start
	for {
		select {
		case <-a.wake:
			time.Sleep(500 * time.Millisecond) // for late requests
			a.mu.Lock()
			report := a.posted["http://a.test/report"]
			a.mu.Unlock()
			if err := json.Unmarshal([]byte(report), &results); err != nil {
				t.Fatal(err)
			}
			if a.worker && results["controlled"] == false {
				continue // the page that installs the worker is fetched again
			}
			return results
		case <-deadline:
			t.Errorf("the page reported nothing")
			return results
		}
	}
}

// waitFor waits until the last message to the banner is the given one.
func (a *archive) waitFor(t *testing.T, what string) {
	var told []string
	for range 600 {
		a.mu.Lock()
		told = slices.Clone(a.told)
		a.mu.Unlock()
		if len(told) > 0 && strings.Contains(told[len(told)-1], what) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("the banner received %q", told)
}

func (a *archive) tell(t *testing.T) {
	a.mu.Lock()
	defer a.mu.Unlock()
	t.Logf("asked: %s", strings.Join(slices.Compact(a.asked), "\n\t"))
	t.Logf("%d connections to other hosts on which nothing was asked", len(a.connected))
	if len(a.leaked) > 0 {
		t.Errorf("these left the archive: %q", a.leaked)
	}
}

// needsWorker lists requests that our scripts in the page and in workers cannot redirect: modules
// that import by a path.
var needsWorker = map[string]bool{"module": true}

// modes are the configurations of a replay.
var modes = []struct {
	name            string
	worker, sandbox bool
}{{"with the worker", true, false}, {"without", false, false}, {"in a sandbox", false, true}}

func TestChromiumShowsAPage(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			a := newArchive(t, site, mode.worker)
			a.sandbox = mode.sandbox
			results := a.browse(t, "http://a.test/dir/page.html")
			shown := 0
			for what, ok := range results {
				if ok == true && what != "controlled" {
					shown++
				}
				if ok != true && what != "controlled" && (mode.worker || !needsWorker[what]) &&
					(!mode.sandbox || !needsOrigin[what]) {
					t.Errorf("%s failed", what)
				}
			}
			if results["controlled"] != mode.worker {
				t.Errorf("controlled: %v", results["controlled"])
			}
			t.Logf("%d of %d", shown, len(results)-1)
			a.tell(t)
		})
	}
}

// needsOrigin lists features that a sandboxed page lacks.
var needsOrigin = map[string]bool{"pushed": true, "after push": true, "worker": true, "worker absolute": true}

func TestNothingLeaves(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			pages := maps.Clone(site)
			if only := os.Getenv("QUIRE_ATTEMPTS"); only != "" { // to find the request that escaped
				pages["http://a.test/escape.html"] = strings.Replace(escape, "/*ONLY*/[]", "'"+only+"'.split(',')", 1)
			}
			a := newArchive(t, pages, mode.worker)
			a.sandbox = mode.sandbox
			results := a.browse(t, "http://a.test/escape.html")
			t.Log(results)
			a.tell(t)
		})
	}
}

// Every navigation by a script, a link or a form leads to the replay in its frame, and the banner
// is informed.
func TestGoing(t *testing.T) {
	for _, by := range []string{"location", "rooted", "link", "form", "static"} {
		for _, framed := range []bool{true, false} {
			t.Run(fmt.Sprint(by, " framed: ", framed), func(t *testing.T) {
				a := newArchive(t, site, true)
				a.framed = framed
				results := a.browse(t, "http://a.test/go/"+by+".html")
				if results["top"] != true {
					t.Errorf("%v", results)
				}
				a.mu.Lock()
				if by == "form" && a.posted["http://b.test/arrived?by=form"] != "q=1" {
					t.Errorf("sent: %q", a.posted)
				}
				a.mu.Unlock()
				if framed {
					a.waitFor(t, "/arrived?by="+by+" Arrived")
				}
				a.tell(t)
			})
		}
	}
}
