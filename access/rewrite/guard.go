package rewrite

import (
	"strings"

	"quire/format/htmllink"
)

// pragmas are the values of http-equiv that say what the page may do, or have the browser ask the
// live web (HTML, 4.2.5.3, and beyond). Those that browsers never took from a page are not among
// them.
var pragmas = map[string]bool{
	"content-security-policy": true, "content-security-policy-report-only": true, "x-content-security-policy": true,
	"x-webkit-csp":           true,
	"x-dns-prefetch-control": true, "accept-ch": true, "delegate-ch": true, "set-cookie": true,
	"permissions-policy": true,
	"referrer-policy":    true, "speculation-rules": true, "origin-trial": true,
}

// guard takes care of an attribute that governs how a URL is used. integrity is of bytes that were
// rewritten; crossorigin asks for headers that are not replayed; nonce and csp are of a policy that
// is not in force; referrerpolicy could take from the server what it finds the way by;
// attributionsrc sends what nobody captured.
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
		d.defuse(l, lower(l.Value) == "speculationrules")
	}
}

// disarm puts a low line before the name of an attribute.
func (d *document) disarm(l *htmllink.Link) {
	if l.Named != d.renamed {
		d.renamed = l.Named
		d.edit.Replace(l.Named, l.Named, lowLine)
	}
}

var lowLine = []byte("_")

// defuse puts one before a value.
func (d *document) defuse(l *htmllink.Link, dangerous bool) {
	if dangerous {
		d.edit.Replace(l.Start, l.Start, lowLine)
	}
}

// retarget leads what would leave the frame of the replay back into it (HTML, 7.3.1.7, the rules
// for choosing a navigable). A parent that is archived too is where it was.
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
