// The checks. Each is true on the live web; a replay should make the same of it.
const app = "http://app.example", other = "http://other.example", cdn = "http://cdn.example";
const page = app + "/app/index.html?x=1&y=two";
const byId = (id) => document.getElementById(id);
const wait = (ms) => new Promise((yes) => setTimeout(yes, ms));
const limit = (promise, ms = 6000) => Promise.race([promise, wait(ms).then(() => { throw "too late"; })]);
const until = async (test) => { for (let i = 0; i < 100; i++) { const got = test(); if (got) return got; await wait(50); } throw "never"; };
const same = (got, want) => { const a = JSON.stringify(got), b = JSON.stringify(want); return a === b || a + ", not " + b; };
const loaded = (img, width) => new Promise((yes, no) => {
  const done = () => yes(img.naturalWidth === width || "it is " + img.naturalWidth + " wide");
  if (img.complete && img.naturalWidth) return done();
  img.addEventListener("load", done); img.addEventListener("error", () => no("an error"));
});
const urlOf = (css) => css.replace(/^.*url\("?|"?\).*$/g, "");
const shown = (src, width) => { const i = new Image(), p = loaded(i, width); i.src = src; return p; };
const frame = (src, more) => { const f = document.createElement("iframe"); Object.assign(f, more); if (src) f.src = src; document.body.append(f); return f; };
const message = (test, from) => new Promise((yes) => {
  const on = (e) => { if (test(e.data || {}) && (!from || e.source === from())) { removeEventListener("message", on); yes(e); } };
  addEventListener("message", on);
});
const within = async (f) => { // a document in a frame of this origin
  const d = await until(() => f.contentDocument && f.contentDocument.readyState === "complete" && f.contentDocument.body && f.contentDocument.body.textContent.trim() && f.contentDocument);
  return d;
};
const ofWorker = (w) => new Promise((yes, no) => { w.onmessage = (e) => yes(e.data); w.onerror = (e) => no("an error: " + e.message); });
const first = []; // in order, before all others: they see the page as it was opened
const rest = []; // side by side
const last = []; // in order: they change the address
const check = (name, test, list = rest) => list.push([name, test]);

// The address.
check("location.href", () => same(location.href, page), first);
check("location.origin", () => same(location.origin, app), first);
check("location parts", () => same([location.protocol, location.host, location.hostname, location.port], ["http:", "app.example", "app.example", ""]), first);
check("location.pathname", () => same(location.pathname + location.search, "/app/index.html?x=1&y=two"), first);
check("location as text", () => same([String(location), "" + location, `${location}`, location.toString()], [page, page, page, page]), first);
check("window.location", () => same([window.location.host, self.location.host, globalThis.location.host, this.location.host], Array(4).fill("app.example")), first);
check("document.location", () => same(document.location.href, page), first);
check("location by name", () => same([window["location"].pathname, document['location'].host], ["/app/index.html", "app.example"]), first);
check("location taken apart", () => { const { location: l, origin } = window, { hostname, search } = location; return same([hostname, search, origin], ["app.example", "?x=1&y=two", app]) && l.host === "app.example" || "window.location is " + l.host; }, first);
check("location shorthand", () => { const { location } = window; return same({ location: location.host }, { location: "app.example" }); }, first);
check("location is itself", () => location === window.location && location === document.location && Object.prototype.toString.call(location) === "[object Location]" && location instanceof Location, first);
check("names of the page's own", () => same(seen.names, [{ location: "a", top: 2 }, { location: 1, top: 2, eval: 3 }, 1, 2, 3, 4, [4, { top: 4 }], 4]), first);
check("document.URL", () => same([document.URL, document.documentURI], [page, page]), first);
check("document.baseURI", () => same([document.baseURI, document.body.baseURI], [page, page]), first);
check("document.domain", () => same(document.domain, "app.example"), first);
check("document.referrer", () => same(document.referrer, app + "/start.html"), first);
check("window.origin", () => same([window.origin, self.origin, origin], [app, app, app]), first);
check("top and parent", () => top === window && parent === window && window.top === self && window.parent === window && window.frameElement === null && location.ancestorOrigins.length === 0, first);
check("URL of location", () => same([new URL("sub/x?y", location).href, new URL("/z", location.href).href, new URL("q", document.baseURI).href], [app + "/app/sub/x?y", app + "/z", app + "/app/q"]), first);
check("URLSearchParams", () => same([...new URLSearchParams(location.search)], [["x", "1"], ["y", "two"]]), first);
check("inline script", () => same(seen.inline, "/app/index.html?x=1&y=two"), first);
check("script in a file", () => same(seen.classic, "app.example|/app/index.html|http:|app.example"), first);
check("template literal", () => same(seen.template, "app.example/in app.example"), first);
check("strict mode stays", () => seen.strict, first);
check("globals stay", () => globalVar === 1 && globalLet === 2 && globalConst === "app.example" && GlobalClass.at() === "app.example" && globalFunction() === "app.example" && window.globalVar === 1 && typeof window.globalFunction === "function", first);
check("library of another host", () => same(window.library, { host: "app.example", ratio: 2, quote: "[\"'\\/location]", top: 5 }), first);
check("document.currentScript", () => same(seen.current, app + "/js/classic.js"), first);
check("document.write", () => same(seen.written, "app.example/app/index.html"), first);
check("eval", () => { const own = 5; return same([eval("location.host + own"), (0, eval)("location.host"), window.eval("location.pathname")], ["app.example5", "app.example", "/app/index.html"]); }, first);
check("new Function", () => same([new Function("a", "return a + location.host")("at "), Function("return top === window")()], ["at app.example", true]), first);
check("setTimeout of text", async () => { setTimeout("seen.timed = location.host", 0); return same(await until(() => seen.timed), "app.example"); });
check("event handler", async () => { byId("handler").click(); return same(handled[0], "app.example" + page.length); }, first);
check("javascript: URL", async () => { byId("script-link").click(); return same(await until(() => seen.javascript), "app.example"); });
check("script by text", () => { const s = document.createElement("script"); s.textContent = "seen.text = location.host"; document.head.append(s); return same(seen.text, "app.example"); });
check("script by node", () => { const s = document.createElement("script"); s.appendChild(document.createTextNode("seen.node = location.host")); document.head.append(s); return same(seen.node, "app.example"); });
check("handler by innerHTML", async () => { byId("inner").innerHTML = '<img src="data:," onerror="seen.handler = location.host">'; return same(await until(() => seen.handler), "app.example"); });
check("handler by setAttribute", () => { const b = document.createElement("b"); b.setAttribute("onclick", "seen.attribute = document.location.host"); b.click(); return same(seen.attribute, "app.example"); });
check("dynamic script", () => new Promise((yes, no) => { const s = document.createElement("script"); s.src = cdn + "/js/library.js?again"; s.onload = () => yes(same(s.src, cdn + "/js/library.js?again")); s.onerror = () => no("an error"); document.head.append(s); }));

// Elements.
check("a.href", () => same([byId("link").href, String(byId("root-link"))], [app + "/app/sub/page.html?q=1#frag", app + "/other/page.html"]), first);
check("parts of a link", () => { const a = byId("link"); return same([a.host, a.hostname, a.pathname, a.search, a.hash, a.origin, a.protocol], ["app.example", "app.example", "/app/sub/page.html", "?q=1", "#frag", app, "http:"]); }, first);
check("link made by a script", () => { const a = document.createElement("a"); a.href = "../x/y?z"; return same([a.pathname, a.host, a.href, a.getAttribute("href")], ["/x/y", "app.example", app + "/x/y?z", "../x/y?z"]); });
check("getAttribute", () => new URL(byId("root-link").getAttribute("href"), page).href === app + "/other/page.html" || byId("root-link").getAttribute("href"));
check("img.src", () => same([byId("i-relative").src, byId("i-relative").currentSrc], [app + "/pic/11.png", app + "/pic/11.png"]));
check("form.action", () => same(byId("form").action, app + "/form"), first);

// Modules.
check("module", async () => { await until(() => seen.module); return same([seen.module.word, seen.module.here], ["carried", "/app/index.html"]); });
check("module with names of its own", async () => same(await until(() => seen.own), { mine: true, size: 3 }));
check("import.meta.url", async () => { await until(() => seen.module); return same([seen.module.meta, seen.module.at], [app + "/js/module.js", app + "/js/word.js"]); });
check("module of another host", async () => { await until(() => seen.module); return same([seen.module.far, seen.module.farAt], ["deep of cdn.example", cdn + "/js/asset.txt"]); });
check("import map", async () => { await until(() => seen.module); return same(seen.module.bare, "bare"); });
check("import.meta inline", async () => same(await until(() => seen.inlineMeta), page));
check("import()", async () => { const m = await import("/js/later.js"); return same([m.later, m.from], [7, app + "/js/later.js"]); });
check("import() of a URL", async () => same((await import(new URL("./js/later.js?2", cdn + "/"))).from, cdn + "/js/later.js?2"));

// Workers.
const workerSays = (at) => ({ href: at, self: "/js/worker.js", origin: app, imported: "imported at /js/worker.js", far: "far", root: "root", base: app + "/js/x.js" });
check("worker", async () => same(await ofWorker(new Worker("/js/worker.js?w=1")), workerSays(app + "/js/worker.js?w=1")));
check("shared worker", async () => { const w = new SharedWorker("../js/worker.js?w=2"); return same(await ofWorker(w.port), workerSays(app + "/js/worker.js?w=2")); });
check("module worker", async () => same(await ofWorker(new Worker(new URL("/js/worker-module.js", location), { type: "module" })), { word: "carried", later: 7, meta: app + "/js/worker-module.js", href: app + "/js/worker-module.js" }));
check("worker of a worker", async () => same(await ofWorker(new Worker("/js/worker-nested.js")), app + "/js/worker.js"));
check("worker of a blob", async () => { const u = URL.createObjectURL(new Blob([`fetch("${app}/data/root.json").then(r => r.json()).then(d => postMessage(d.is + location.protocol + self.origin))`])); return same(await ofWorker(new Worker(u)), "rootblob:" + app); });
check("worker says it by self", async () => { const u = URL.createObjectURL(new Blob(["self.postMessage(self.location.protocol)"])); return same(await ofWorker(new Worker(u)), "blob:"); });
const serialized = () => { self.postMessage([typeof self.location.href, typeof top, eval("1 + 1")]); };
check("worker of a function in a blob", async () => same(await ofWorker(new Worker(URL.createObjectURL(new Blob(["(" + serialized + ")()"])))), ["string", "undefined", 2]));
check("worker of a function in a data: URL", async () => same(await ofWorker(new Worker("data:text/javascript," + encodeURIComponent("(" + serialized + ")()"))), ["string", "undefined", 2]));
check("worker of a function in base64", async () => same(await ofWorker(new Worker("data:text/javascript;base64," + btoa("(" + serialized + ")()"))), ["string", "undefined", 2]));
check("service worker", async () => {
  if (!navigator.serviceWorker) return "none";
  const r = await navigator.serviceWorker.register("/sw.js"), ready = await navigator.serviceWorker.ready;
  const got = [r.scope, typeof r.update, ready.scope, (await navigator.serviceWorker.getRegistration()).scope];
  await r.unregister();
  return same(got, [app + "/", "function", app + "/", app + "/"]);
}, last);

// Requests.
const json = async (answer) => (await (await answer).json());
check("fetch relative", async () => same((await json(fetch("../data/relative.json"))).is, "relative"));
check("fetch absolute", async () => same((await json(fetch(app + "/data/absolute.json"))).is, "absolute"));
check("fetch another host", async () => same((await json(fetch("//cdn.example/data/far.json"))).is, "far"));
check("Response.url", async () => { const r = await fetch("/data/root.json?u"); return same([r.url, r.redirected, r.status, r.type], [app + "/data/root.json?u", false, 200, "basic"]); });
check("Request.url", async () => { const q = new Request("/data/root.json?q"); return same([q.url, (await json(fetch(q))).is], [app + "/data/root.json?q", "root"]); });
check("redirect", async () => { const r = await fetch("/moved"); return same([r.url, r.redirected], [app + "/frame.html?moved", true]); });
check("status 404", async () => (await fetch("/data/gone.json")).status === 404);
check("XMLHttpRequest", () => new Promise((yes, no) => { const x = new XMLHttpRequest(); x.open("GET", "/data/xhr.json"); x.onload = () => yes(same([JSON.parse(x.responseText).is, x.responseURL], ["xhr", app + "/data/xhr.json"])); x.onerror = () => no("an error"); x.send(); }));
check("POST of JSON", async () => same(await json(fetch("/echo", { method: "POST", body: '{"a":1}', headers: { "Content-Type": "application/json" } })), { method: "POST", sent: '{"a":1}' }));
check("POST of a form by XMLHttpRequest", () => new Promise((yes, no) => { const x = new XMLHttpRequest(); x.open("POST", "/echo"); x.setRequestHeader("Content-Type", "application/x-www-form-urlencoded"); x.onload = () => yes(same(JSON.parse(x.responseText).sent, "b=2&c=d+e")); x.onerror = () => no("an error"); x.send("b=2&c=d+e"); }));
check("POST of several parts", async () => { const d = new FormData(); d.append("field", "value"); d.append("file", new Blob(["text of a file"], { type: "text/plain" }), "a.txt"); return same(await json(fetch("/parts", { method: "POST", body: d })), { field: "value", file: "text of a file" }); });
check("two POSTs to one address", async () => same([(await json(fetch("/echo", { method: "POST", body: new URLSearchParams({ n: "1" }) }))).sent, (await json(fetch("/echo", { method: "POST", body: new URLSearchParams({ n: "2" }) }))).sent], ["n=1", "n=2"]));
check("cache buster", async () => same((await json(fetch("/data/busted.json?_=" + Date.now()))).is, "busted"));
check("sendBeacon", () => navigator.sendBeacon("/beacon", "left"));
check("Range", async () => { const r = await fetch("/long.bin", { headers: { Range: "bytes=15-19" } }); return same([r.status, await r.text()], [206, "56789"]); });
check("EventSource", () => new Promise((yes, no) => { const e = new EventSource("/events"); e.onmessage = (m) => { e.close(); yes(same([m.data, m.origin, e.url], ["hello", app, app + "/events"])); }; e.onerror = () => no("an error"); }));
check("WebSocket fails cleanly", () => new Promise((yes) => { const w = new WebSocket("ws://app.example/socket"), got = [w.url, w.readyState]; w.onerror = () => got.push("error"); w.onclose = (e) => { got.push(e.code, e.wasClean, w.readyState); yes(same(got, ["ws://app.example/socket", 0, "error", 1006, false, 3])); }; }));
check("WebAssembly", async () => { const { instance } = await WebAssembly.instantiateStreaming(fetch("/wasm/seven.wasm")); return instance.exports.seven() === 7; });

// Forms, in a frame of their own.
const submits = async (name, attributes, fields) => {
  const f = frame("", { name }), form = document.createElement("form");
  Object.assign(form, { target: name, ...attributes });
  for (const field of fields) { const i = document.createElement("input"); Object.assign(i, field); form.append(i); }
  document.body.append(form); form.submit();
  return JSON.parse((await within(f)).body.textContent);
};
check("form by GET", async () => same(await submits("f1", { action: "/form" }, [{ name: "q", value: "a b" }]), { method: "GET", query: "q=a+b", sent: "" }));
check("form by POST", async () => same(await submits("f2", { action: "/form", method: "post" }, [{ name: "q", value: "a&b" }, { name: "r", value: "é" }]), { method: "POST", query: "", sent: "q=a%26b&r=%C3%A9" }));
check("form of several parts", async () => same(await submits("f3", { action: app + "/parts?html", method: "post", enctype: "multipart/form-data" }, [{ name: "field", value: "x" }, { name: "file", value: "y" }]), { field: "x", file: "y" }));
check("form of another host", async () => { const answer = message((d) => d.form); frame("", { name: "f4" }); const form = document.createElement("form"); Object.assign(form, { action: other + "/told", method: "post", target: "f4" }); form.innerHTML = '<input name="n" value="far">'; document.body.append(form); form.requestSubmit(); const e = await answer; return same([e.data.form, e.origin], ["n=far", other]); });

// Messages.
check("postMessage to itself", async () => { const got = message((d) => d.own); postMessage({ own: 1 }, location.origin); const e = await got; return same([e.origin, e.source === window, e.data], [app, true, { own: 1 }]); });
check("postMessage by window", async () => { const got = message((d) => d.own2); window.postMessage({ own2: 1 }, { targetOrigin: "/" }); return same((await got).origin, app); });
const asks = async (src, origin, name) => {
  const f = frame(src), got = message((d) => d.answer === name, () => f.contentWindow);
  await message((d) => d.loaded, () => f.contentWindow);
  f.contentWindow.postMessage({ ask: name }, origin);
  const e = await got;
  return [e.data, e.origin, e.source === f.contentWindow];
};
check("postMessage to a frame", async () => { const [d, origin, source] = await asks("/frame.html?a", app, "a"); return same([d.origin, d.at, d.framed, d.same, origin, source], [app, app + "/frame.html?a", true, true, app, true]); });
check("postMessage to another host", async () => { const [d, origin, source] = await asks(other + "/frame.html?b", other, "b"); return same([d.origin, d.host, d.framed, d.same, origin, source], [app, "other.example", true, true, other, true]); });
check("referrer in a frame", async () => { const [d] = await asks("/frame.html?c", "*", "c"); return same([d.referrer, d.domain, d.ancestor], [page, "app.example", app]); });
check("referrer on another host", async () => { const [d] = await asks(other + "/frame.html?d", "*", "d"); return same([d.referrer, d.domain, d.ancestor], [app + "/", "other.example", app]); });
check("referrer after a step of a frame to another host", async () => { const got = message((d) => d.answer === "hop"), f = frame(other + "/hop.html"); await message((d) => d.loaded && d.search === "?hop"); f.contentWindow.postMessage({ ask: "hop" }, "*"); return same((await got).data.referrer, other + "/"); });
check("postMessage to a wrong origin", async () => { const f = frame(other + "/frame.html?e"); await message((d) => d.loaded, () => f.contentWindow); let came = false; message((d) => d.answer === "e").then(() => { came = true; }); f.contentWindow.postMessage({ ask: "e" }, "http://wrong.example"); await wait(700); return !came || "it came"; });
check("MessageChannel", async () => { const c = new MessageChannel(), got = new Promise((yes) => { c.port2.onmessage = yes; }); c.port1.postMessage("x"); return same((await got).data, "x"); });
check("BroadcastChannel", async () => { const a = new BroadcastChannel("c"), b = new BroadcastChannel("c"), got = new Promise((yes) => { b.onmessage = yes; }); a.postMessage("x"); const e = await got; return same([e.data, e.origin], ["x", app]); });

// Frames.
check("frame.contentWindow.location", async () => { const f = frame("/frame.html?g"); await message((d) => d.loaded && d.search === "?g"); return same([f.contentWindow.location.href, f.contentDocument.URL, f.src, f.contentWindow.parent === window], [app + "/frame.html?g", app + "/frame.html?g", app + "/frame.html?g", true]); });
check("empty frame", async () => { const f = frame(""), d = f.contentDocument; d.open(); d.write("<script>parent.seen.blank = parent.location.host + '|' + document.URL.slice(0, 30)</" + "script>"); d.close(); return same(await until(() => seen.blank), "app.example|" + page.slice(0, 30)); });
const workers = (to) => "<script>try { addEventListener('message', (e) => { if (e.data && e.data.relay) parent.seen." + to + " = e.data.relay; }); const w = new Worker('data:text/javascript,postMessage(7)'); w.onmessage = (e) => window.postMessage({ relay: e.data }, '*'); w.onerror = (e) => parent.seen." + to + " = e.message || 'an error'; } catch (e) { parent.seen." + to + " = String(e); }</" + "script>";
check("worker in an empty frame", async () => { const d = frame("").contentDocument; d.open(); d.write(workers("emptyWorker")); d.close(); return same(await until(() => seen.emptyWorker), 7); });
check("worker in a frame of a blob", async () => { frame(URL.createObjectURL(new Blob([workers("blobWorker")], { type: "text/html" }))); return same(await until(() => seen.blobWorker), 7); });
check("messages from a frame of a blob", async () => { const heard = message((d) => d.fromBlob); frame(URL.createObjectURL(new Blob(["<script>addEventListener('message', (e) => { if (e.data.ran) window.parent.postMessage({ fromBlob: e.data.ran }, 'http://app.example'); }); const w = new Worker(URL.createObjectURL(new Blob(['postMessage(3)']))); w.onmessage = (e) => { const a = document.createElement('a'); a.href = location.href.replace(/#.*/, '') + '#x'; document.documentElement.append(a); a.click(); setTimeout(() => window.postMessage({ ran: e.data }, '*'), 500); };</" + "script>"], { type: "text/html" }))); const e = await heard; return same([e.data.fromBlob, e.origin], [3, app]); });
check("srcdoc", async () => { frame("", { srcdoc: "<script>parent.seen.srcdoc = [location.href, parent.location.host, document.baseURI]</" + "script><p>x" }); return same(await until(() => seen.srcdoc), ["about:srcdoc", "app.example", page]); });
check("srcdoc in the page", async () => same(await until(() => seen.captured), ["about:srcdoc", "app.example", page, "CSS1Compat", true]));
check("its handler and script", async () => { await until(() => seen.capturedFile); return same([await until(() => seen.capturedLoad), seen.capturedFile], ["app.example", ["app.example", "about:srcdoc"]]); });
check("its image", async () => { const i = await until(() => byId("captured").contentDocument.getElementById("i")); return loaded(i, 32).then((ok) => ok === true && same(i.src, app + "/pic/32.png")); });
check("requests of a srcdoc in the page", async () => { const w = byId("captured").contentWindow; await until(() => seen.capturedLoad); const r = await w.fetch(app + "/data/root.json?inner"); return same([r.url, (await r.json()).is], [app + "/data/root.json?inner", "root"]); });
check("link in a srcdoc in the page", async () => { const f = frame(""), got = message((d) => d.search === "?from-srcdoc"); f.srcdoc = '<a id="a" href="/frame.html?from-srcdoc">a</a>'; (await until(() => f.contentDocument && f.contentDocument.getElementById("a"))).click(); const e = await got; return same(e.origin, app); });
check("cookies of a srcdoc in the page", async () => { await until(() => seen.capturedLoad); const d = byId("captured").contentDocument; document.cookie = "outer=1; path=/"; d.cookie = "inner=2; path=/"; const got = [d, document].map((of) => of.cookie.split("; ").filter((c) => /^(outer|inner)/.test(c)).sort()); for (const name of ["outer", "inner"]) document.cookie = name + "=; path=/; max-age=0"; return same(got, [["inner=2", "outer=1"], ["inner=2", "outer=1"]]); });
check("srcdoc in a srcdoc in the page", async () => same(await until(() => seen.capturedIn), "app.example"));
check("srcdoc by innerHTML", async () => { const d = document.createElement("div"); document.body.append(d); d.innerHTML = '<iframe srcdoc="<script>parent.seen.markup = parent.location.host</' + 'script>"></iframe>'; return same(await until(() => seen.markup), "app.example"); });
check("srcdoc by document.write", async () => { const f = frame(""), d = f.contentDocument; d.open(); d.write('<iframe srcdoc="<script>parent.parent.seen.wroteDoc = parent.parent.location.host</' + 'script>"></iframe>'); d.close(); return same(await until(() => seen.wroteDoc), "app.example"); });
check("script in SVG", () => same([seen.svgInline, seen.svgData], ["app.example", ["app.example", "&lt;"]]));
check("script of SVG in a file", async () => { await until(() => seen.svgFiles && seen.svgFiles.length > 1); return same(seen.svgFiles, ["app.example?href", "app.example?xlink"]); });
const svgScript = () => document.createElementNS("http://www.w3.org/2000/svg", "script");
const inSVG = (s) => { const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"); svg.append(s); document.body.append(svg); };
check("script of SVG by a script", async () => { const s = svgScript(); s.textContent = "seen.svgMade = location.host"; inSVG(s); return same(await until(() => seen.svgMade), "app.example"); });
check("address of a script of SVG by a script", async () => { const a = svgScript(), b = svgScript(), c = svgScript(); a.setAttribute("href", cdn + "/js/svg.js?a"); b.setAttributeNS("http://www.w3.org/1999/xlink", "xlink:href", cdn + "/js/svg.js?b"); c.href.baseVal = cdn + "/js/svg.js?c"; for (const s of [a, b, c]) inSVG(s); await until(() => ["a", "b", "c"].every((x) => seen.svgFiles && seen.svgFiles.includes("app.example?" + x))); return true; });
check("document of SVG", async () => { const got = message((d) => d.svg); frame("/pic/live.svg"); const e = await got; return same([e.data.svg, e.origin], [["app.example", app + "/pic/live.svg", app, "app.example?document"], app]); });
check("frame of a blob", async () => { frame(URL.createObjectURL(new Blob(["<script>parent.seen.blob = [location.protocol, parent.location.host, origin]</" + "script>"], { type: "text/html" }))); return same(await until(() => seen.blob), ["blob:", "app.example", app]); });
check("revoked URL of a frame", async () => { const u = URL.createObjectURL(new Blob(["<script>parent.seen.revoked = parent.location.host</" + "script>"], { type: "text/html" })), f = frame(u), opens = (at) => fetch(at).then((r) => r.ok, () => false); await until(() => seen.revoked); const at = f.getAttribute("src"), before = await opens(at); URL.revokeObjectURL(u); return same([before, await opens(at)], [true, false]); });
check("window.open in a frame", async () => { const got = message((d) => d.search === "?open"), w = window.open("/frame.html?open", "named"); await got; return w.location.search === "?open" && w === byId("named").contentWindow; });
check("location of a frame set", async () => { const f = frame("/frame.html?h"); await message((d) => d.search === "?h"); const got = message((d) => d.search === "?i"); f.contentWindow.location = "/frame.html?i"; await got; const again = message((d) => d.search === "?j"); f.contentWindow.location.replace(app + "/frame.html?j"); await again; return same(f.contentWindow.location.href, app + "/frame.html?j"); });
check("meta refresh", async () => { const got = message((d) => d.search === "?refreshed"); frame("/refresh.html"); return same((await got).origin, app); });
check("base", async () => { const f = frame("/based.html"); await until(() => f.contentDocument && f.contentDocument.getElementById("based") && f.contentWindow.at); return same([f.contentWindow.at, f.contentWindow.plain, await loaded(f.contentDocument.getElementById("based"), 31)], [app + "/pic/", app + "/based.html", true]); });
check("XHTML", async () => { const got = message((d) => d.xhtml); frame("/strict.xhtml"); return same((await got).data.xhtml, ["app.example", true, "/strict.xhtml", app]); });
check("handler in XHTML", async () => { const f = frame("/strict.xhtml?handler"); const d = await until(() => f.contentDocument && f.contentDocument.getElementById("press")); d.click(); return same(await until(() => f.contentWindow.pressed), "app.example&"); });
check("script in UTF-16", () => same(seen.wide, ["app.example", "é"]));
check("archived policies", async () => { const got = message((d) => d.strict); frame("/strict.html"); return same((await got).data.strict, "app.example"); });

// Storage.
check("localStorage", () => { localStorage.setItem("a", location.host); const got = localStorage.getItem("a"); localStorage.removeItem("a"); return same(got, "app.example"); });
check("sessionStorage", () => { sessionStorage.b = "2"; const got = [sessionStorage.getItem("b"), "b" in sessionStorage]; sessionStorage.removeItem("b"); return same(got, ["2", true]); });
check("IndexedDB", () => new Promise((yes, no) => { const q = indexedDB.open("d", 1); q.onupgradeneeded = () => q.result.createObjectStore("s"); q.onerror = () => no("an error"); q.onsuccess = () => { const t = q.result.transaction("s", "readwrite").objectStore("s"); t.put("v", "k"); t.get("k").onsuccess = (e) => { q.result.close(); yes(e.target.result === "v"); }; }; }));
check("cookie", () => { document.cookie = "one=1; path=/"; document.cookie = "two=2; max-age=60"; document.cookie = "one=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT"; return same(document.cookie.split("; ").filter((c) => /^(one|two)/.test(c)), ["two=2"]); });
check("cookies of the answer", () => same(document.cookie.split("; ").sort(), ["captured=1", "inApp=2"]), first);
check("cookie of another path", () => { document.cookie = "far=1; path=/elsewhere"; document.cookie = "near=1; path=/app"; const got = document.cookie.split("; ").filter((c) => /far|near/.test(c)); document.cookie = "near=; path=/app; max-age=0"; return same(got, ["near=1"]); });
check("integrity by a script", () => new Promise((yes, no) => { const known = [...document.scripts].find((s) => s.src.endsWith("/library.js")); const all = []; for (const set of [(s, v) => { s.integrity = v; }, (s, v) => s.setAttribute("integrity", v)]) { const s = document.createElement("script"); set(s, known.integrity); s.crossOrigin = "anonymous"; s.src = cdn + "/js/library.js"; s.onload = () => { s.done = true; if (all.every((x) => x.done)) yes(same(s.integrity.slice(0, 7), "sha256-")); }; s.onerror = () => no("an error"); all.push(s); } document.head.append(...all); }));
check("Cache", async () => { const c = await caches.open("c"); await c.put("/cached", new Response("kept")); const got = await (await c.match("/cached")).text(); await caches.delete("c"); return got === "kept"; });

// Media, pictures, styles.
check("image", () => loaded(byId("i-relative"), 11));
check("image by a script", () => shown(cdn + "/pic/14.png", 14));
check("srcset", () => loaded(byId("i-srcset"), 15));
check("picture", () => loaded(byId("i-picture"), 17));
check("innerHTML", () => { const d = document.createElement("div"); d.innerHTML = '<img src="//cdn.example/pic/24.png"><a href="/p?q">p</a>'; document.body.append(d); return loaded(d.firstChild, 24).then((ok) => ok === true && same(d.lastChild.href, app + "/p?q")); });
check("@import and url()", () => shown(urlOf(getComputedStyle(byId("imported")).backgroundImage), 21));
check("image-set()", () => shown(urlOf(getComputedStyle(byId("set")).backgroundImage), 25));
check("SVG use", () => until(() => byId("use").getBBox().width === 12));
check("SVG image", () => until(() => byId("svg-image").getBBox().width === 26));
check("template", () => { const i = document.importNode(byId("template").content, true).firstElementChild; document.body.append(i); return loaded(i, 27); });
check("shadow tree", () => { const d = document.createElement("div"); document.body.append(d); d.attachShadow({ mode: "open" }).innerHTML = '<style>@import "http://cdn.example/css/none.css"</style><img src="/pic/28.png">'; return loaded(d.shadowRoot.querySelector("img"), 28); });
check("custom element", () => { customElements.define("x-thing", class extends HTMLElement { connectedCallback() { this.innerHTML = `<img src="${location.origin}/pic/29.png">`; } }); return loaded(byId("thing").firstChild, 29); });
check("object", async () => { const o = document.createElement("object"); o.data = "/frame.html?object"; o.type = "text/html"; const got = message((d) => d.search === "?object"); document.body.append(o); await got; return true; });
check("sound", () => new Promise((yes, no) => { const a = document.createElement("audio"); a.onloadedmetadata = () => { a.onseeked = () => yes(true); a.currentTime = 1.5; }; a.onerror = () => no("an error"); a.src = "/media/tone.wav"; a.load(); }));
const segments = async (manifest, pattern) => { const text = await (await fetch(manifest)).text(), at = []; for (const [, href] of text.matchAll(pattern)) at.push(new URL(href, app + manifest).href); return Promise.all(at.map(async (href) => (await fetch(href)).ok)); };
check("HLS", async () => { const variants = await segments("/media/master.m3u8", /^([^#\s]\S*)$/gm), parts = await segments("/media/low.m3u8", /^([^#\s]\S*)$/gm); return variants.includes(true) && same(parts, [true, true]); });
check("DASH", async () => same(await segments("/media/manifest.mpd", /media="([^"]+)"/g), [true]));
// A player takes the best variant; the crawl took the smallest.
const parts = async (list, at) => Promise.all([...(await (await fetch(at)).text()).matchAll(list)].map(async ([, href]) => (await fetch(new URL(href, new URL(at, app)).href)).ok));
check("HLS of which one variant was captured", async () => { const uri = /^([^#\s]\S*)$/gm, at = "/media/film/master.m3u8"; await parts(uri, "/media/film/small.m3u8"); const all = [...(await (await fetch(at)).text()).matchAll(/BANDWIDTH=(\d+)\n(\S+)/g)].sort((a, b) => b[1] - a[1]); return same(await parts(uri, new URL(all[0][2], app + at).href), [true, true]); });
check("DASH of which one variant was captured", async () => { await fetch("/media/film/small.mp4"); const at = app + "/media/film/manifest.mpd", doc = new DOMParser().parseFromString(await (await fetch(at)).text(), "text/xml"); const all = [...doc.querySelectorAll("Representation")].sort((a, b) => b.getAttribute("bandwidth") - a.getAttribute("bandwidth")); return (await fetch(new URL(all[0].textContent, at).href)).ok; });

// Others.
check("crypto", async () => (await crypto.subtle.digest("SHA-256", new Uint8Array(3))).byteLength === 32 && crypto.getRandomValues(new Uint8Array(4)).length === 4);
check("time passes", async () => { const at = Date.now(); await wait(60); const passed = Date.now() - at; return passed > 40 && passed < 3000 || passed; });
check("Date and performance", () => { const off = performance.timeOrigin + performance.now() - Date.now(); return Math.abs(off) < 5000 || off; });
check("kinds of Date", () => { class Later extends Date { is() { return 1; } } return same([typeof Date(), new Date() instanceof Date, new Date().constructor === Date, new Later(5).getTime(), new Later().is(), Date.length, Date.UTC(1970, 0, 2)], ["string", true, true, 5, 1, 7, 86400000]); });
check("random numbers", () => { const all = Array.from({ length: 50 }, () => Math.random()); return new Set(all).size > 40 && all.every((n) => n >= 0 && n < 1) && crypto.getRandomValues(new BigUint64Array(2)).length === 2; });
check("script of a blob", async () => { const s = document.createElement("script"); s.src = URL.createObjectURL(new Blob(["seen.blobbed = location.host"])); document.body.append(s); return same(await until(() => seen.blobbed), "app.example"); });
check("style of a blob", () => { const l = document.createElement("link"), u = cdn + "/pic/12.png"; l.rel = "stylesheet"; l.href = URL.createObjectURL(new Blob(["#blobbed { background: url(" + u + ") }"], { type: "text/css" })); const d = document.createElement("div"); d.id = "blobbed"; document.body.append(l, d); return until(() => /12.png/.test(getComputedStyle(d).backgroundImage) && performance.getEntriesByType("resource").some((e) => /12.png/.test(e.name) && e.initiatorType === "css")); });
check("a trusted URL", async () => { if (!self.trustedTypes) return true; const s = document.createElement("script"); seen.trusted = 0; s.src = trustedTypes.createPolicy("checks", { createScriptURL: (u) => u }).createScriptURL(cdn + "/js/later.js?3"); s.onload = () => { seen.trusted = 1; }; s.onerror = () => { seen.trusted = 2; }; document.body.append(s); return same(await until(() => seen.trusted), 1); });
check("an empty frame's window", async () => { const f = frame(""), w = f.contentWindow; w.location.host; f.contentDocument.body.innerHTML = "<a href='/x/y'>x</a>"; return same([f.contentDocument.baseURI.slice(0, 19), f.contentDocument.querySelector("a").href], [app, app + "/x/y"].map((x, i) => i ? x : page.slice(0, 19))); });
check("Date", () => new Date(2026, 2, 4).getFullYear() === 2026 && Math.abs(Date.now() - new Date()) < 1000);
check("custom event", () => { let got; addEventListener("own", (e) => { got = e.detail.location; }); dispatchEvent(new CustomEvent("own", { detail: { location: "x" } })); return got === "x"; });

// History. These change the address.
check("hash", async () => { const got = new Promise((yes) => addEventListener("hashchange", yes, { once: true })); location.hash = "part"; const e = await got; return same([location.href, location.hash, e.newURL, document.URL], [page + "#part", "#part", page + "#part", page + "#part"]); }, last);
check("pushState", () => { history.pushState({ n: 1 }, "", "/app/route/one?z=3"); return same([location.pathname, location.search, location.href, document.URL, history.state.n], ["/app/route/one", "?z=3", app + "/app/route/one?z=3", app + "/app/route/one?z=3", 1]); }, last);
check("replaceState", () => { history.replaceState({ n: 2 }, "", "two"); return same([location.pathname, history.state.n], ["/app/route/two", 2]); }, last);
check("pushState of another host", () => { try { history.pushState(null, "", "http://elsewhere.example/"); return "no error"; } catch (e) { return e.name === "SecurityError"; } }, last);
check("fetch after pushState", async () => same((await json(fetch("../../data/relative.json?after"))).is, "relative"), last);
check("popstate", async () => { history.pushState({ n: 3 }, "", "/app/route/three"); const got = new Promise((yes) => addEventListener("popstate", yes, { once: true })); history.back(); const e = await got; return same([location.pathname, e.state.n], ["/app/route/two", 2]); }, last);
check("router by links", () => { let went; document.addEventListener("click", (e) => { const a = e.target.closest("a"); if (a && a.host === location.host) { e.preventDefault(); history.pushState(null, "", a.pathname); went = location.pathname; } }, { once: true }); byId("route").click(); return same(went, "/app/route/one"); }, last);

(async () => {
  const run = async ([name, test]) => { try { results[name] = await limit(Promise.resolve().then(test)); } catch (e) { results[name] = "failed: " + (e && e.message || e); } };
  await until(() => document.readyState === "complete");
  for (const one of first) await run(one);
  await Promise.all(rest.map(run));
  for (const one of last) await run(one);
  window.finished = results;
})();
