package rewrite

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"unicode/utf16"
	"unicode/utf8"
)

// Markup is inserted into archived pages: our script page.js, with its parameters.
type Markup struct {
	// path before the collection: "/", or that below which a proxy serves us; the worker controls
	// everything below
	Prefix     string
	Static     string // path of Assets
	Collection string // in URL form, with its capability
	Timestamp  string // of the shown capture
	URL        string // of the shown capture
	UI         string // origin of our pages that frame this one and receive its address; "" for none
	Target     string // see Rewriter
	Framed     bool   // see Rewriter
	Cookies    []Cookie
	Referrer   string // of a page on the host of another site; "" if unknown
	NoWorker   bool   // only one host (Sandbox), without workers
}

// HTML returns the markup, valid in HTML and XHTML.
func (m Markup) HTML() []byte {
	settings, err := ascii(map[string]any{
		"prefix": m.Prefix, "own": m.Static, "collection": m.Collection, "timestamp": m.Timestamp, "url": m.URL,
		"ui":     m.UI,
		"target": m.Target, "framed": m.Framed, "worker": !m.NoWorker, "begin": m.beginning(),
		"mark": m.Static + "mark", "cookies": m.Cookies, "referrer": m.Referrer,
	})
	if err != nil {
		return nil // encoding strings and booleans cannot fail
	}
	return []byte(`<script src="` + html.EscapeString(m.Static+"page.js?"+version) + `" data-quire="` +
		html.EscapeString(string(settings)) + `"></script>`)
}

// beginning returns the URL of the start script of workers.
func (m Markup) beginning() string { return m.Static + "begin.js?" + version }

// Worker returns the script that replaces a worker's own. It redirects the worker's requests into
// the replay, and then runs the worker's script, unchanged, from its URL. In a module, it uses
// import.
func (m Markup) Worker(module bool, script string) []byte {
	settings, err := ascii(map[string]any{
		"prefix": m.Prefix, "begin": m.beginning(), "mark": m.Static + "mark",
		"collection": m.Collection, "timestamp": m.Timestamp, "url": m.URL,
	})
	first, err2 := ascii(m.beginning())
	second, err3 := ascii(script)
	if err != nil || err2 != nil || err3 != nil {
		return nil // encoding strings cannot fail
	}
	told := "self.quireBegins=" + string(settings) + ";"
	if module {
		return []byte(`import "data:text/javascript,` + url.PathEscape(told) + `";import ` + string(first) +
			";import " + string(second) + ";\n")
	}
	return []byte(told + "importScripts(" + string(first) + "," + string(second) + ");\n")
}

// ascii returns JSON without other characters: it is part of pages in any charset.
func ascii(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	out := make([]byte, 0, len(text))
	for _, c := range string(text) {
		switch {
		case c < utf8.RuneSelf:
			out = append(out, byte(c))
		case c < 0x10000:
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			first, second := utf16.EncodeRune(c)
			out = fmt.Appendf(out, `\u%04x\u%04x`, first, second)
		}
	}
	return out, err
}
