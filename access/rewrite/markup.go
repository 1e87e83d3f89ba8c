package rewrite

import (
	"encoding/json"
	"html"
)

// Markup is what is put into archived pages: one script of ours, page.js, with what it has to know.
type Markup struct {
	Prefix     string // path before the collection: "/", or that below which a proxy serves us; the worker is in charge of all below
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
		"prefix": m.Prefix, "own": m.Static, "collection": m.Collection, "timestamp": m.Timestamp, "url": m.URL, "ui": m.UI,
		"target": m.Target, "framed": m.Framed, "worker": !m.NoWorker,
		"strict": withoutWorker,
	})
	if err != nil {
		return nil // texts and truth values can always be written
	}
	return []byte(`<script src="` + html.EscapeString(m.Static+"page.js?"+version) + `" data-quire="` + html.EscapeString(string(settings)) + `"></script>`)
}
