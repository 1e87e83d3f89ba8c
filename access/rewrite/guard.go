package rewrite

import (
	"strings"

	"quire/format/htmllink"
)

// pragmas are the values of http-equiv that restrict the page, or make the browser contact the live
// web (HTML, 4.2.5.3, and beyond). Values that browsers ignore in pages are not listed.
var pragmas = map[string]bool{
	"content-security-policy": true, "content-security-policy-report-only": true, "x-content-security-policy": true,
	"x-webkit-csp":           true,
	"x-dns-prefetch-control": true, "accept-ch": true, "delegate-ch": true, "set-cookie": true,
	"permissions-policy": true,
	"referrer-policy":    true, "speculation-rules": true, "origin-trial": true,
}

// guard handles an attribute that controls the use of a URL. The integrity attribute describes
// bytes that were rewritten. crossorigin requires headers that are not replayed. Both nonce and csp
// belong to a policy that is not in force. Then, referrerpolicy could remove the referrer that the
// server needs, and attributionsrc sends requests that were never captured.
func (d *document) guard(l *htmllink.Link) {
	switch l.Attribute {
	case "integrity", "nonce", "csp", "crossorigin", "referrerpolicy", "attributionsrc":
		d.disarm(l)
	case "target", "formtarget":
		d.retarget(l)
	case "http-equiv":
		d.defuse(l, pragmas[lower(l.Value)])
	case "name":
		d.defuse(l, lower(l.Value) == "referrer")
	case "type":
		d.script, d.scriptAt = lower(l.Value), l.TagStart
		d.defuse(l, lower(l.Value) == "speculationrules")
	}
}

// disarm inserts an underscore before the name of an attribute.
func (d *document) disarm(l *htmllink.Link) {
	if l.Named != d.renamed {
		d.renamed = l.Named
		d.edit.Replace(l.Named, l.Named, lowLine)
	}
}

var lowLine = []byte("_")

// defuse inserts an underscore before a value.
func (d *document) defuse(l *htmllink.Link, dangerous bool) {
	if dangerous {
		d.edit.Replace(l.Start, l.Start, lowLine)
	}
}

// retarget leads links that would leave the frame of the replay back into it (HTML, 7.3.1.7, the
// rules for choosing a navigable). A parent that is itself archived stays the target.
func (d *document) retarget(l *htmllink.Link) {
	if d.rw.Target == "" {
		return
	}
	switch lower(l.Value) {
	case "_parent":
		if d.rw.Framed {
			return
		}
	case "_top", "_blank", "_new":
	default:
		return
	}
	d.new = l.Append(d.new[:0], d.rw.Target)
	d.edit.Replace(l.Start, l.End, d.new)
}

func lower(b []byte) string { return strings.ToLower(strings.TrimSpace(string(b[:min(len(b), 64)]))) }
