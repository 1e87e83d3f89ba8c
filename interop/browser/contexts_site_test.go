package browser

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
)

//go:embed testdata/probes.js
var probes string

// contexts is a website with one page that opens every context of a browser. Each context tries all
// ways to reach the live host, and reports that it ran: at the end the page requests /ran?NAMES.
type contexts struct {
	live, stun string // host:port of the forbidden live host, by TCP and by UDP
}

// sandboxes are the tokens of the sandbox attribute (HTML, 4.8.5). Each is combined with
// allow-scripts, because otherwise no script would run.
var sandboxes = []string{
	"", "allow-downloads", "allow-forms", "allow-modals", "allow-orientation-lock", "allow-pointer-lock",
	"allow-popups",
	"allow-popups allow-popups-to-escape-sandbox", "allow-presentation", "allow-same-origin",
	"allow-storage-access-by-user-activation",
	"allow-top-navigation", "allow-top-navigation-by-user-activation", "allow-top-navigation-to-custom-protocols",
}

// few are the ways that frames with a single sandbox token try: one for each directive of the
// policy, and those without a directive.
const few = `['fetch','img','script','stylesheet','fontFace','audio','iframe','object','worker','pristineWorker',` +
	`'location','form','open','beacon','preconnect','socket']`

// script returns the script of a context.
func (c contexts) script(name, only string) string {
	return fmt.Sprintf("%s\ndocumentProbe(%q, %q, %q, {only: %s, top: %t, windows: %t, targeted: %t, peers: %t}); %s",
		probes, name, c.live, c.stun, only, name == "top", opensWindows[name], opensWindows[name] && name != "top" &&
			name != "src", strings.HasPrefix(name, "peer"), c.workers(name))
}

// opensWindows are the contexts that also try to open windows. A browser has no room for the
// windows of all contexts.
var opensWindows = map[string]bool{"top": true, "src": true, "srcdoc": true, "srcdoc-0": true, "srcdoc-7": true,
	"data": true}

// workers returns the script that starts the workers of a context, with the depth of nested
// workers. Frames with a single sandbox token start one themselves.
func (c contexts) workers(name string) string {
	depth, ok := map[string]int{"top": 1, "src": 0, "srcdoc": 0, "srcdoc-0": 1, "srcdoc-made-sandboxed": 0, "data": 0,
		"blank": 0, "blob": 0, "svg-frame": 0}[name]
	if !ok {
		return ""
	}
	return fmt.Sprintf("begin(%q, %q, %q, location.origin, %d);", name, c.live, c.stun, depth)
}

func (c contexts) page(name, only string) string {
	return `<!DOCTYPE html><meta charset="utf-8"><title>` + name + `</title><body><script>` + c.script(name, only) +
		`</script>`
}

// document returns the answer to /probe/doc?NAME. The name determines the type.
func (c contexts) document(name string) (mime, body string) {
	kind, _, _ := strings.Cut(name, "-")
	script := "<![CDATA[" + c.script(name, "null") + "]]>"
	switch kind {
	case "svg":
		return "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="http://` +
			c.live + `/svg/static" width="9" height="9"/><script>` + script + `</script></svg>`
	case "xhtml":
		return "application/xhtml+xml",
			`<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><script>` + script +
				`</script></body></html>`
	case "xml":
		return "application/xml", `<?xml-stylesheet type="text/css" href="http://` + c.live +
			`/xml/sheet"?><!DOCTYPE any SYSTEM "http://` + c.live +
			`/xml/dtd"><any><s:script xmlns:s="http://www.w3.org/1999/xhtml">` + script + `</s:script></any>`
	case "xslt":
		return "application/xml", `<?xml-stylesheet type="text/xsl" href="/probe/sheet.xsl"?><any/>`
	}
	only := "null"
	if kind == "token" {
		only = few
	}
	return "text/html", c.page(name, only)
}

// sheet returns the XSLT style sheet. Its output runs a script, and the sheet itself requests
// documents.
func (c contexts) sheet() string {
	return `<x:stylesheet version="1.0" xmlns:x="http://www.w3.org/1999/XSL/Transform"><x:output method="html"/>` +
		`<x:template match="/"><html><body>` +
		`<x:copy-of select="document('http://` + c.live +
		`/xslt/document')"/><script><x:text disable-output-escaping="yes">` +
		html.EscapeString(c.script("xslt", "null")) + `</x:text></script></body></html></x:template></x:stylesheet>`
}

// frames are the documents by http, with their markup in the page.
var frames = map[string]string{
	"src": `<iframe src="%s"></iframe>`, "svg-frame": `<iframe src="%s"></iframe>`,
	"xhtml-frame": `<iframe src="%s"></iframe>`,
	"xml-frame":   `<iframe src="%s"></iframe>`, "object": `<object data="%s" type="text/html"></object>`,
	"svg-object": `<object data="%s" type="image/svg+xml"></object>`, "embed": `<embed src="%s" type="text/html">`,
	"svg-embed": `<embed src="%s" type="image/svg+xml">`,
}

// markup returns the HTML of the page.
func (c contexts) markup() string {
	var b strings.Builder
	u := "http://" + c.live + "/static/"
	for _, rel := range []string{"preconnect", "dns-prefetch", "prefetch", "prerender", "preload", "modulepreload",
		"stylesheet", "icon", "manifest", "next", "search", "pingback"} {
		fmt.Fprintf(&b, `<link rel="%s" href="%s">`, rel, u+rel)
	}
	fmt.Fprintf(&b,
		`<img src="%[1]simg" srcset="%[1]sset 1x"><body background="%[1]sbody"><style>@import "%[1]simport"; p { `+
			`background: url(%[1]scss) }</style><p>x</p>`+
			`<video src="%[1]svideo" poster="%[1]sposter"><track src="%[1]strack" default></video><svg><image `+
			`href="%[1]ssvg"/><use href="%[1]suse#x"/></svg><input type="image" src="%[1]sinput">`+
			`<script type="speculationrules">{"prefetch":[{"urls":["%[1]srules"]}]}</script><script type="importmap">`+
			`{"imports":{"static":"%[1]smap"}}</script>`+
			`<script type="module">import "static"</script><script type="module">import "%[1]smodule"</script><script `+
			`src="%[1]sscript"></script>`+
			`<meta http-equiv="Content-Security-Policy-Report-Only" content="img-src 'none'; report-uri %[1]sreport">`+
			`<iframe src="%[1]sframe"></iframe><object data="%[1]sobject"></object><embed src="%[1]sembed"><iframe `+
			`srcdoc="&lt;img src='%[1]ssrcdoc'>"></iframe>`+
			`<iframe sandbox srcdoc="&lt;img src='%[1]ssandboxed'>&lt;meta http-equiv=refresh content='0;`+
			`url=%[1]srefresh'>"></iframe>`, u)
	for name, tag := range frames {
		fmt.Fprintf(&b, tag, "/probe/doc?"+name)
	}
	fmt.Fprintf(&b, `<iframe srcdoc="%s"></iframe>`, html.EscapeString(c.page("srcdoc", "null")))
	fmt.Fprintf(&b, `<iframe src="data:text/html,%s"></iframe>`, url.PathEscape(c.page("data", "null")))
	fmt.Fprintf(&b, `<iframe sandbox="allow-scripts" src="data:text/html,%s"></iframe>`,
		url.PathEscape(c.page("data-sandboxed", "null")))
	for i, token := range sandboxes {
		only := few
		if i == 0 {
			only = "null"
		}
		fmt.Fprintf(&b, `<iframe sandbox="allow-scripts %s" srcdoc="%s"></iframe>`, token,
			html.EscapeString(c.page(fmt.Sprintf("srcdoc-%d", i), only)))
		fmt.Fprintf(&b, `<iframe sandbox="allow-scripts %s" src="/probe/doc?token-%d"></iframe>`, token, i)
	}
	return b.String()
}

// scripted returns the contexts that only a script can create.
func (c contexts) scripted() string {
	return fmt.Sprintf(`
const made = (set) => { const f = document.createElement('iframe'); set(f); document.body.append(f); return f; };
made((f) => { f.src = URL.createObjectURL(new Blob([%q], { type: 'text/html' })); });
made((f) => { f.srcdoc = %q; });
made((f) => { f.sandbox = 'allow-scripts'; f.srcdoc = %q; });
made((f) => { f.sandbox = 'allow-scripts'; f.src = URL.createObjectURL(new Blob([%q], { type: 'text/html' })); });
made((f) => { f.src = 'javascript:' + encodeURIComponent(JSON.stringify(%q)); });
{ const d = made(() => {}).contentDocument; d.open(); d.write(%q); d.close(); }
made((f) => { f.src = 'data:text/html,' + encodeURIComponent('<iframe src="data:text/html,' + `+
		`encodeURIComponent(%q) + '"></iframe><script>onmessage = (e) => parent.postMessage(e.data, "*")<\/script>'); });
`, c.page("blob", "null"), c.page("srcdoc-made", "null"), c.page("srcdoc-made-sandboxed", "null"),
		c.page("blob-sandboxed", "null"),
		c.page("javascript", "null"), c.page("blank", "null"), c.page("data-data", "null"))
}

// collect reports the contexts that ran, when no new one has reported for a while.
const collect = `
const ran = window.contextsRan = new Set(['top']), seen = navigator.serviceWorker && ` +
	`navigator.serviceWorker.controller ? 1 : 0;
let quiet = 0, many = 1;
addEventListener('message', (e) => { if (e.data && e.data.ran) ran.add(e.data.ran); });
setInterval(() => { quiet = ran.size > many ? 0 : quiet + 1; many = ran.size; if (quiet === 6) { const i = ` +
	`new Image(); i.src = '/ran?worker=' + seen + '&names=' + [...ran].sort().join(','); } }, 1000);
`

// waits returns the page with contexts that wait, and with contexts that try direct connections
// (WebRTC). The WebRTC contexts run in a document that page.js has processed. In other documents
// Chromium 156 hangs if Connection-Allowlist forbids WebRTC (docs/reference/550_rewriting.md).
func (c contexts) waits() string {
	return `<!DOCTYPE html><html><head><meta charset="utf-8"><title>Waits</title><script>` + collect +
		`</script></head><body><script>` + probes +
		fmt.Sprintf("waitingProbe(%q);", c.live) +
		`</script><iframe src="/probe/doc?peer-src"></iframe><iframe src="/probe/doc?xslt"></iframe></body></html>`
}

// front returns the page that opens all contexts that do not wait.
func (c contexts) front() string {
	return `<!DOCTYPE html><html><head><meta charset="utf-8"><title>Contexts</title><script>` + collect +
		`</script></head><body>` + c.markup() +
		`<script>` + strings.ReplaceAll(c.scripted(), "</script", `<\/script`) + c.script("top", "null") +
		`</script></body></html>`
}

// ServeHTTP implements http.Handler.
func (c contexts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	give := func(mime, body string) {
		h.Set("Content-Type", mime)
		_, _ = io.WriteString(w, body)
	}
	u := "http://" + c.live + "/head/"
	switch r.URL.Path {
	case "/contexts":
		h.Set("Link", `<`+u+`preload>; rel=preload; as=image, <`+u+`preconnect>; rel=preconnect, <`+u+
			`sheet>; rel=stylesheet`)
		h.Set("Reporting-Endpoints", `default="`+u+`endpoint"`)
		h.Set("Report-To", `{"group":"default","max_age":600,"endpoints":[{"url":"`+u+`report-to"}]}`)
		h.Set("Nel", `{"report_to":"default","max_age":600,"success_fraction":1}`)
		h.Set("Content-Security-Policy-Report-Only", "img-src 'none'; report-to default; report-uri "+u+"report")
		h.Set("Speculation-Rules", `"`+u+`rules"`)
		give("text/html; charset=utf-8", c.front())
	case "/waits":
		give("text/html; charset=utf-8", c.waits())
	case "/probe/doc":
		give(c.document(r.URL.RawQuery))
	case "/probe/sheet.xsl":
		give("text/xsl", c.sheet())
	case "/probe/worker.js":
		give("text/javascript", fmt.Sprintf("%s\nworkerProbe(%q, %q, %q, 1);", probes, r.URL.RawQuery, c.live, c.stun))
	default:
		http.NotFound(w, r)
	}
}

// paths returns all paths for a crawler to request.
func (c contexts) paths() (all []string) {
	all = []string{"/contexts", "/waits", "/probe/sheet.xsl", "/probe/doc?xslt", "/probe/doc?peer-src"}
	for name := range frames {
		all = append(all, "/probe/doc?"+name)
	}
	for i := range sandboxes {
		all = append(all, fmt.Sprintf("/probe/doc?token-%d", i))
	}
	for _, kind := range []string{"dedicated", "shared"} {
		for _, kindOf := range []string{"classic", "module"} {
			all = append(all, "/probe/worker.js?top-"+kind+"-http-"+kindOf)
		}
	}
	return all
}
