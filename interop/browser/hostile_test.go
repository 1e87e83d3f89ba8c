package browser

import "fmt"

// document is one document of the website.
type document struct{ mime, body string }

// attack tries to read data of the pages around a replay, and sends the result to the parent
// window.
const attack = `
var got = {}, above = "to" + "p" // a name that is not marked in the script
function attempt(name, read) { try { got[name] = String(read()) } catch (e) { got[name] = "no: " + e.name } }
attempt("cookie", function () { return document.cookie })
attempt("storage", function () { return window.localStorage.getItem("secret") })
attempt("title", function () { return window[above] === window ? "no: top" : window[above].document.title })
attempt("parent", function () { return window.parent === window ? "no: top" : ` +
	`window.parent.document.body.innerHTML.length })
attempt("opener", function () { return window.opener ? window.opener.document.title : "no: none" })
document.documentElement.setAttribute("data-got", JSON.stringify(got))
try { window[above].postMessage({attacked: %q, got: got}, "*") } catch (e) {}
`

// attackMarked is the same by the names that are marked in scripts (access/rewrite), and by the functions
// around them. Live they name the page's own window. Only the report uses names that are not marked.
const attackMarked = `
var got = {}, above = "to" + "p", up = "par" + "ent"
function attempt(name, read) { try { got[name] = String(read()) } catch (e) { got[name] = "no: " + e.name } }
function secrets(w) { return w.document === document ? "no: own" :
  w.document.title + w.document.cookie + w.location.href }
attempt("top", function () { return secrets(top) })
attempt("window.top", function () { return secrets(window.top) })
attempt("parent", function () { return secrets(window.parent) })
attempt("top by eval", function () { return secrets(eval("top")) })
attempt("parent by eval", function () { return secrets((0, eval)("window.parent")) })
attempt("stand-in of a parent", function () {
  return quire$of(quire$of(window)[up]).document.title === document.title ? "no: own" : "read" })
attempt("stand-in of the real top", function () { return window[above] === window ? "no: own" : ` +
	`secrets(quire$of(window[above])) })
attempt("storage of the real top", function () { return quire$of(window[above]).localStorage.getItem("secret") })
attempt("opener", function () { return window.opener ? secrets(quire$of(window.opener)) : "no: none" })
attempt("script of the real top", function () { if (window[above] === window) return "no: own"; ` +
	`quire$of(window[above]).location = "javascript:window.attacks=[{got:{script:1}}]"; return "no: error" })
try { window[above].postMessage({attacked: "marked", got: got}, "*") } catch (e) {}
`

// hostile are pages that attack the page around them, one for each kind of document with scripts.
var hostile = map[string]document{
	"/hostile.html": {"text/html",
		"<!DOCTYPE html><title>Hostile</title><script>" + fmt.Sprintf(attack, "html") + "</script>"},
	"/hostile-marked.html": {"text/html",
		"<!DOCTYPE html><title>Hostile</title><script>" + attackMarked + "</script>"},
	"/hostile.svg": {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script><![CDATA[` +
		fmt.Sprintf(attack, "svg") + `]]></script></svg>`},
	"/hostile.xhtml": {"application/xhtml+xml",
		`<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Hostile</title></head><body><script><![CDATA[` +
			fmt.Sprintf(attack, "xhtml") + `]]></script></body></html>`},
	"/hostile.xml": {"application/xml",
		`<any><x:script xmlns:x="http://www.w3.org/1999/xhtml"><![CDATA[` + fmt.Sprintf(attack, "xml") +
			`]]></x:script></any>`},
}
