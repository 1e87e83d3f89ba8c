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

// hostile are pages that attack the page around them, one for each kind of document with scripts.
var hostile = map[string]document{
	"/hostile.html": {"text/html",
		"<!DOCTYPE html><title>Hostile</title><script>" + fmt.Sprintf(attack, "html") + "</script>"},
	"/hostile.svg": {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script><![CDATA[` +
		fmt.Sprintf(attack, "svg") + `]]></script></svg>`},
	"/hostile.xhtml": {"application/xhtml+xml",
		`<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Hostile</title></head><body><script><![CDATA[` +
			fmt.Sprintf(attack, "xhtml") + `]]></script></body></html>`},
	"/hostile.xml": {"application/xml",
		`<any><x:script xmlns:x="http://www.w3.org/1999/xhtml"><![CDATA[` + fmt.Sprintf(attack, "xml") +
			`]]></x:script></any>`},
}
