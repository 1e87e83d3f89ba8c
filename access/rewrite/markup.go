package rewrite

import (
	"encoding/json"
	"html"
	"net/url"
)

// Markup is what is put into archived pages: one script of ours, page.js, with what it has to know.
type Markup struct {
	// path before the collection: "/", or that below which a proxy serves us; the worker is in
	// charge of all below
	Prefix     string
	Static     string // path below which Assets answers
	Collection string // as it stands in the URL, with its capability
	Timestamp  string // of the capture that is shown
	URL        string // of the capture that is shown
	UI         string // origin of our own pages, which the page in their frame tells where it is; "" for nobody
	Target     string // see Rewriter
	Framed     bool   // see Rewriter
	NoWorker   bool   // there is one host only (Sandbox), on which no worker may run
}

// HTML gives the markup, for HTML and XHTML alike.
func (m Markup) HTML() []byte {
	settings, err := json.Marshal(map[string]any{
		"prefix": m.Prefix, "own": m.Static, "collection": m.Collection, "timestamp": m.Timestamp, "url": m.URL,
		"ui":     m.UI,
		"target": m.Target, "framed": m.Framed, "worker": !m.NoWorker, "begin": m.beginning(),
	})
	if err != nil {
		return nil // texts and truth values can always be written
	}
	return []byte(`<script src="` + html.EscapeString(m.Static+"page.js?"+version) + `" data-quire="` +
		html.EscapeString(string(settings)) + `"></script>`)
}

// beginning is the URL of the script with which workers begin.
func (m Markup) beginning() string { return m.Static + "begin.js?" + version }

// Worker returns the script that stands in the place of a worker's own: it leads what the worker
// asks for back into the replay, and then has the browser run the worker's script, unchanged, from
// its URL. A module has to import what it is told, too.
func (m Markup) Worker(module bool, script string) []byte {
	settings, err := json.Marshal(map[string]any{
		"prefix": m.Prefix, "begin": m.beginning(), "collection": m.Collection, "timestamp": m.Timestamp, "url": m.URL,
	})
	first, err2 := json.Marshal(m.beginning())
	second, err3 := json.Marshal(script)
	if err != nil || err2 != nil || err3 != nil {
		return nil // texts can always be written
	}
	told := "self.quireBegins=" + string(settings) + ";"
	if module {
		return []byte(`import "data:text/javascript,` + url.PathEscape(told) + `";import ` + string(first) +
			";import " + string(second) + ";\n")
	}
	return []byte(told + "importScripts(" + string(first) + "," + string(second) + ");\n")
}
