package replay

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"html/template"
	"io"
	"net/http"

	"quire/access/address"
	"quire/access/near"
	"quire/access/pages/uistrings"
	"quire/access/rewrite"
	"quire/holdings"
	"quire/holdings/captures"
)

// refusal is our page in place of an archived one.
type refusal struct {
	key         string // of its title, "refused.KEY", and text, "refused.KEY.text"
	fill        any    // for the placeholder of the text; may be nil
	Title, Text string // set by refuse, as Words and UI
	Words       *uistrings.Strings
	URL, Date   string   // of the request; "" if not to be revealed
	Message     string   // from the archive to the public
	Near        []nearby // alternatives
	Wanted      []near.Want
	Calendar    string // address of the page of all versions
	Identity    string // address of the unmodified bytes
	UI          string // address of the archive's own page
}

// nearby are captures near the URL; Title is a key of the UI strings.
type nearby struct {
	Title    string
	Captures []offered
}

// offered is another capture.
type offered struct{ URL, Date, At string }

//go:embed refusal.html
var refusalPage string

var refusalTemplate = template.Must(template.New("refusal").Parse(refusalPage))

// refusalPolicy allows no scripts, forms or loads on the page.
const refusalPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

// refuse sends our page; for a part of a page only a line of text, because more would be invisible.
func (c *call) refuse(status int, page refusal) {
	h := c.w.Header()
	for _, name := range []string{"Content-Disposition", "Content-Language", "Etag", "Memento-Datetime",
		"Content-Length", "Content-Location", "Preference-Applied", "X-Archive-Note"} {
		h.Del(name)
	}
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	rewrite.Guard(h, refusalPolicy, c.hosts()...)
	page.Words = c.words()
	page.Title = page.Words.T("refused." + page.key)
	h.Set("Content-Language", page.Words.Language())
	if !c.document() {
		kind, before, after := c.lineType()
		h.Set("Content-Type", kind+"; charset=utf-8")
		c.w.WriteHeader(status)
		c.say(before + page.Title + after + "\n")
		return
	}
	page.Text, page.UI = page.Words.T("refused."+page.key+".text", page.fill), c.o.UI.Front()
	var out bytes.Buffer
	if err := refusalTemplate.Execute(&out, page); err != nil {
		c.o.Problem(err)
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	c.w.WriteHeader(status)
	c.say(out.String())
}

// lineType returns the type of a line in place of a part, and the comment around it. Browsers refuse a
// script or a style sheet of another type, and report that as one more error of the page.
func (c *call) lineType() (kind, before, after string) {
	switch c.q.Modifier {
	case address.Style:
		return "text/css", "/* ", " */"
	case address.Script, address.Module, address.Worker:
		return "text/javascript", "// ", ""
	}
	switch c.dest() {
	case "style":
		return "text/css", "/* ", " */"
	case "script", "worker", "sharedworker":
		return "text/javascript", "// ", ""
	}
	return "text/plain", "", ""
}

// words returns the UI strings in the language that the reader chose on our own pages, if the address
// names it, or else for the browser's languages. This host has no cookies.
func (c *call) words() *uistrings.Strings {
	if c.o.Words == nil {
		return uistrings.English()
	}
	if w := c.o.Words.Of(c.q.In.Language); w != nil {
		return w
	}
	if c.o.Words.Several() {
		c.vary("accept-language")
	}
	_, w := c.o.Words.Accept(c.r.Header.Get("Accept-Language"))
	return w
}

func (c *call) say(s string) {
	if c.r.Method != http.MethodHead {
		_, _ = io.WriteString(c.w, s) // the client may have gone
	}
}

// fail reports an error.
func (c *call) fail(err error) {
	switch n := (*none)(nil); {
	case errors.As(err, &n):
		c.notShown(n)
	case errors.Is(err, errSentTooMuch):
		c.refuse(http.StatusRequestEntityTooLarge,
			refusal{key: "large", fill: err})
	case errors.Is(err, context.Canceled) || c.r.Context().Err() != nil: // the client has gone
	default:
		c.o.Problem(err)
		c.refuse(http.StatusInternalServerError, refusal{key: "error"})
	}
}

// notShown explains why no capture can be shown, the strictest reason first.
func (c *call) notShown(n *none) {
	h := c.w.Header()
	h.Set("Cache-Control", "no-store")
	switch {
	case n.denied != nil:
		c.denied(n.denied)
	case n.looped != nil:
		c.refuse(http.StatusNotFound, c.page(n.looped, refusal{key: "loop"}))
	case n.partial != nil:
		c.refuse(http.StatusNotFound, c.page(n.partial, refusal{key: "partial"}))
	case n.broken != nil && !errors.Is(n.broken, captures.ErrNotFound):
		c.refuse(http.StatusInternalServerError, c.page(n.at, refusal{key: "unreadable"}))
	case n.broken != nil:
		c.refuse(http.StatusNotFound, c.page(n.at, refusal{key: "incomplete"}))
	default:
		c.notFound(nil)
	}
}

// page adds the facts of a capture that is not shown.
func (c *call) page(j *holdings.Judged, p refusal) refusal {
	p.URL, p.Date = j.URL, isoDate(j.Timestamp)
	p.Calendar = c.o.UI.Versions(c.q.In.Collection, j.URL)
	if j.Allowed {
		p.Identity = c.base.Capture(c.q.In, j.Timestamp, address.Identity, j.URL)
	}
	return p
}

// denied reports that a capture is closed to the reader, with the archive's message: 451 (RFC
// 7725), or 403 if the content is dangerous, or open elsewhere. It reveals nothing of the content.
func (c *call) denied(j *holdings.Judged) {
	status, p := http.StatusUnavailableForLegalReasons, refusal{key: "restricted"}
	switch {
	case j.Infected:
		status, p = http.StatusForbidden, refusal{key: "infected"}
	case j.Verdict == holdings.Reading:
		status, p = http.StatusForbidden, refusal{key: "onsite"}
	}
	p = c.page(j, p)
	p.Message, p.Identity = j.Message, ""
	c.refuse(status, p)
}

// noPermission reports an invalid capability.
func (c *call) noPermission(err error) {
	h := c.w.Header()
	h.Set("Cache-Control", "no-store")
	p := refusal{key: "expired"}
	if errors.Is(err, ErrExpired) {
		// a machine in a reading room must keep no copies for the next reader
		h.Set("Clear-Site-Data", `"cache", "storage"`)
	}
	if c.q.URL != "" {
		p.Calendar = c.o.UI.Versions(c.q.In.Collection, c.q.URL)
	}
	c.refuse(http.StatusForbidden, p)
}

// notFound reports that nothing was captured, and suggests alternatives: the URL in other
// collections, or other pages of its host.
func (c *call) notFound(error) {
	h := c.w.Header()
	h.Set("Cache-Control", "no-store")
	p := refusal{key: "missing"}
	if c.q.URL != "" {
		p.URL = c.q.URL
		if c.q.Kind != address.CDX && c.document() {
			c.offer(&p)
		}
		h.Set("Link", headerSafe(link(address.EscapeURL(c.q.URL), "original", "")+", "+
			link(c.base.TimeGate(c.q.In, "", c.q.URL), "timegate", "")+
			", "+link(c.base.TimeMap(c.q.In, "link", "", c.q.URL), "timemap", `; type="application/link-format"`)))
	}
	c.refuse(http.StatusNotFound, p)
}

// offer adds captures near the URL, and the reason why it was not captured.
func (c *call) offer(p *refusal) {
	q := near.Question{URL: c.q.URL, Timestamp: c.q.Timestamp, Packages: c.packages}
	last := near.Group("")
	for _, f := range near.Captures(c.r.Context(), c.archive, c.who, q) {
		in := c.q.In
		if f.Group == near.Elsewhere {
			in = address.In{Collection: address.All, Language: in.Language}
		}
		if f.Group != last {
			p.Near, last = append(p.Near, nearby{Title: string(f.Group)}), f.Group
		}
		group := &p.Near[len(p.Near)-1]
		group.Captures = append(group.Captures, offered{f.URL, isoDate(f.Timestamp),
			c.base.Capture(in, f.Timestamp, address.Page, f.URL)})
	}
	if c.o.Wanted != nil {
		p.Wanted = c.o.Wanted(c.r.Context(), c.who, q)
	}
}
