package replay

import (
	"strings"

	"quire/access/address"
	"quire/access/rewrite"
	"quire/holdings"
)

// originals sets the archived header fields. The few that describe the body stay; all others get
// new names (rewrite.Header). A cookie, a policy, HSTS or Clear-Site-Data of one archived site
// would otherwise affect all of them.
func (c *call) originals(found *chosen, rw *rewrite.Rewriter, kind rewrite.Kind) {
	h := c.w.Header()
	h["Content-Type"] = nil // stops net/http from guessing a type
	fields := make([]rewrite.Field, len(found.Header))
	for i, f := range found.Header {
		fields[i] = rewrite.Field(f)
	}
	if c.framed() {
		kind = rewrite.Frame // a download would leave the frame
	}
	for _, f := range rw.Header(kind, fields) {
		switch {
		case c.q.Modifier == address.Identity && unrewritten[strings.ToLower(f.Name)]:
		case strings.EqualFold(f.Name, "Location"): // see moved
		case strings.EqualFold(f.Name, "Link"): // one line with ours: some clients read only the last
			h.Set("Link", h.Get("Link")+", "+f.Value)
		default:
			h.Add(f.Name, f.Value)
		}
	}
	if found.Status != 200 {
		h.Set(rewrite.Orig+"Status", statusText(found.Status))
	}
	if c.raw() && c.dest() == "document" &&
		!strings.HasPrefix(strings.ToLower(h.Get("Content-Disposition")), "attachment") {
		h.Set("Content-Disposition", "attachment") // to be saved, not shown: nothing in it is rewritten
	}
}

// unrewritten are the fields with URLs that browsers would follow in unmodified responses.
var unrewritten = map[string]bool{"location": true, "refresh": true, "link": true}

// field returns the first header field of a name.
func field(all []holdings.Field, name string) string {
	for _, f := range all {
		if strings.EqualFold(f.Name, name) {
			return strings.TrimSpace(f.Value)
		}
	}
	return ""
}

// headerSafe makes a text safe for a header field: no archived byte can end our line or the header.
func headerSafe(s string) string {
	if !strings.ContainsFunc(s, control) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if control(r) {
			return ' '
		}
		return r
	}, s)
}

func control(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
