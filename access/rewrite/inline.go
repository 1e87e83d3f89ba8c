package rewrite

import (
	"bytes"
	"net/url"
	"strings"

	"quire/format/htmllink"
)

// scriptTypes are the values of type of a script that browsers run (HTML, 4.12.1.1, and MIME Sniffing
// Standard, 4.6).
var scriptTypes = map[string]bool{"": true, "module": true,
	"text/javascript": true, "application/javascript": true, "text/ecmascript": true, "application/ecmascript": true,
	"application/x-javascript": true, "text/x-javascript": true,
	"text/jscript": true, "text/javascript1.0": true, "text/javascript1.1": true, "text/javascript1.2": true,
	"text/javascript1.3": true, "text/javascript1.5": true, "application/x-ecmascript": true, "text/livescript": true}

// inline marks the text of a script element.
func (d *document) inline(l *htmllink.Link) {
	if d.scriptAt == l.TagStart && !scriptTypes[d.script] || l.Start < d.edit.Base() {
		return
	}
	text := d.edit.At(l.Start, l.End)
	var marks []mark
	if d.xml || l.Foreign {
		marks = marksOfXML(text, d.rw.Base, true, !d.xml)
	} else {
		marks = marksOf(text, d.rw.Base, true)
	}
	for _, m := range marks {
		d.edit.Replace(l.Start+int64(m.at), l.Start+int64(m.at), []byte(m.text))
	}
}

// handler marks the script of an event. A srcdoc has no page.js, which defines the marks.
func (d *document) handler(l *htmllink.Link) {
	if l.Flags&htmllink.Srcdoc != 0 {
		return
	}
	text := l.Raw
	if d.xml {
		for _, m := range marksOfXML(text, "", false, false) {
			d.edit.Replace(l.Start+int64(m.at), l.Start+int64(m.at), []byte(m.text))
		}
		return
	}
	if bytes.IndexByte(text, '&') >= 0 {
		text = htmllink.Unescape(text)
	}
	if out, changed := marked(text, "", false); changed {
		d.new = l.AppendText(d.new[:0], out)
		d.edit.Replace(l.Start, l.End, d.new)
	}
}

// scriptURL marks the script in a javascript: URL. It reports whether the URL is one.
func (d *document) scriptURL(l *htmllink.Link) bool {
	const scheme = "javascript:"
	if !d.rw.Scripts || len(l.Value) < len(scheme) || !strings.EqualFold(string(l.Value[:len(scheme)]), scheme) {
		return false
	}
	script := string(l.Value[len(scheme):])
	if plain, err := url.PathUnescape(script); err == nil { // browsers decode it
		script = plain
	}
	if out, changed := marked([]byte(script), "", false); changed && l.Flags&htmllink.Srcdoc == 0 {
		d.new = l.Append(d.new[:0], scheme+strings.ReplaceAll(string(out), "%", "%25"))
		d.edit.Replace(l.Start, l.End, d.new)
	}
	return true
}
