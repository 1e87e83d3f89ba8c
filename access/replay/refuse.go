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
	"quire/access/rewrite"
	"quire/holdings"
	"quire/holdings/captures"
)

// refusal is a page of ours in place of an archived one.
type refusal struct {
	Title, Text string
	URL, Date   string    // of what was asked for; "" where that is nobody's business
	Message     string    // of the archive to the public
	Others      []offered // what can be had instead
	OthersTitle string
	Calendar    string // address of the page of all versions
	Identity    string // address of the bytes as they were captured
	UI          string // address of the archive's own page
}

// offered is another capture.
type offered struct{ URL, Date, At string }

//go:embed refusal.html
var refusalPage string

var refusalTemplate = template.Must(template.New("refusal").Parse(refusalPage))

// refusalPolicy lets the page do nothing but be read.
const refusalPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

// refuse answers with a page of ours; a part of a page gets a line, since nobody would see more.
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
	if !c.document() {
		h.Set("Content-Type", "text/plain; charset=utf-8")
		c.w.WriteHeader(status)
		c.say(page.Title + "\n")
		return
	}
	page.UI = c.o.UI.Front()
	var out bytes.Buffer
	if err := refusalTemplate.Execute(&out, page); err != nil {
		c.o.Problem(err)
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	c.w.WriteHeader(status)
	c.say(out.String())
}

func (c *call) say(s string) {
	if c.r.Method != http.MethodHead {
		_, _ = io.WriteString(c.w, s) // who has gone away needs no more
	}
}

// fail answers what could not be done.
func (c *call) fail(err error) {
	switch n := (*none)(nil); {
	case errors.As(err, &n):
		c.notShown(n)
	case errors.Is(err, errSentTooMuch):
		c.refuse(http.StatusRequestEntityTooLarge,
			refusal{Title: "This is too long",
				Text: "More was sent than is compared with what was archived: " + err.Error() + "."})
	case errors.Is(err, context.Canceled) || c.r.Context().Err() != nil: // nobody is there
	default:
		c.o.Problem(err)
		c.refuse(http.StatusInternalServerError,
			refusal{Title: "This cannot be shown at the moment",
				Text: "Something went wrong in the archive. Its keepers have been told."})
	}
}

// notShown says why no capture can be shown: the strictest true thing first.
func (c *call) notShown(n *none) {
	h := c.w.Header()
	h.Set("Cache-Control", "no-store")
	switch {
	case n.denied != nil:
		c.denied(n.denied)
	case n.looped != nil:
		c.refuse(http.StatusNotFound, c.page(n.looped, "This capture leads in a circle",
			"All captures of this address send the reader elsewhere, and from there back. They can be looked at as "+
				"they were captured."))
	case n.partial != nil:
		c.refuse(http.StatusNotFound, c.page(n.partial, "Only a piece was captured",
			"The crawler asked for a part of this, or was told that nothing had changed. What it got can be looked "+
				"at as it was captured."))
	case n.broken != nil && !errors.Is(n.broken, captures.ErrNotFound):
		c.refuse(http.StatusInternalServerError,
			c.page(n.at, "This capture cannot be read at the moment", "The keepers of the archive have been told."))
	case n.broken != nil:
		c.refuse(http.StatusNotFound, c.page(n.at, "The content of this capture is not in the archive",
			"The crawler noted that it had it already; but the capture that it meant is not here."))
	default:
		c.notFound(nil)
	}
}

// page is what can be told of a capture that is not shown.
func (c *call) page(j *holdings.Judged, title, text string) refusal {
	p := refusal{Title: title, Text: text, URL: j.URL, Date: isoDate(j.Timestamp),
		Calendar: c.o.UI.Versions(c.q.In.Collection, j.URL)}
	if j.Allowed {
		p.Identity = c.base.Capture(c.q.In, j.Timestamp, address.Identity, j.URL)
	}
	return p
}

// denied tells who may not have something that he may not, and what the archive says to that: 451
// (RFC 7725), or 403 where the reader is only in the wrong place, or the content is dangerous. What
// was captured is not told.
func (c *call) denied(j *holdings.Judged) {
	status, title, text := http.StatusUnavailableForLegalReasons, "This may not be shown",
		"The archive has this page, and may not show it."
	switch {
	case j.Infected:
		status, title, text = http.StatusForbidden, "This is not shown, as it is infected",
			"A virus scanner found something in this. It is kept, and handed out to nobody."
	case j.Verdict == holdings.Reading:
		status, title, text = http.StatusForbidden, "This may be read in the reading rooms",
			"The archive has this page, and may show it to readers in its reading rooms only."
	}
	p := c.page(j, title, text)
	p.Message, p.Identity = j.Message, ""
	c.refuse(status, p)
}

// noPermission answers a capability that is not good.
func (c *call) noPermission(err error) {
	h := c.w.Header()
	h.Set("Cache-Control", "no-store")
	p := refusal{Title: "This address is not good any more",
		Text: "Addresses of what is not open are good for a while, and for who got them. Go back to the archive's " +
			"own page, and open it from there."}
	if errors.Is(err, ErrExpired) {
		// a machine in a reading room keeps no copies for the next reader
		h.Set("Clear-Site-Data", `"cache", "storage"`)
	}
	if c.q.URL != "" {
		p.Calendar = c.o.UI.Versions(c.q.In.Collection, c.q.URL)
	}
	c.refuse(http.StatusForbidden, p)
}

// maxOffered is how many other captures are offered.
const maxOffered = 8

// notFound says that nothing was captured, and offers what was near: the URL in other collections,
// or other pages of its host.
func (c *call) notFound(error) {
	h := c.w.Header()
	h.Set("Cache-Control", "no-store")
	p := refusal{Title: "This was not archived",
		Text: "There is no capture of this address here. Nothing is fetched from the live web."}
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

func (c *call) offer(p *refusal) {
	if c.packages != nil {
		p.OthersTitle = "In other collections:"
		c.offered(p, captures.Query{URL: c.q.URL, Closest: closest(c.q.Timestamp)}, address.In{Collection: address.All})
	}
	if len(p.Others) == 0 {
		p.OthersTitle = "Other pages of this host that were archived:"
		c.offered(p, captures.Query{URL: c.q.URL, Match: captures.Host, Packages: c.packages}, c.q.In)
	}
}

// offered adds captures of a query, one of each URL. It looks at few: it is a help, and costs next
// to nothing.
func (c *call) offered(p *refusal, q captures.Query, in address.In) {
	const maxSeen = 200
	seen, last := 0, ""
	for j, err := range c.archive.Captures(c.r.Context(), c.who, q) {
		if seen++; err != nil || seen > maxSeen || len(p.Others) == maxOffered {
			return
		}
		page := j.MIME == "text/html" || j.MIME == "application/xhtml+xml"
		if !j.Allowed || q.Match == captures.Host && (j.Key == last || !page || j.Status >= 300) {
			continue
		}
		last = j.Key
		p.Others = append(p.Others, offered{j.URL, isoDate(j.Timestamp),
			c.base.Capture(in, j.Timestamp, address.Page, j.URL)})
	}
}
