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

// refusal is our page in place of an archived one.
type refusal struct {
	Title, Text string
	URL, Date   string    // of the request; "" if not to be revealed
	Message     string    // from the archive to the public
	Others      []offered // alternatives
	OthersTitle string
	Calendar    string // address of the page of all versions
	Identity    string // address of the unmodified bytes
	UI          string // address of the archive's own page
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
			refusal{Title: "Request too large",
				Text: "The request is longer than the limit for comparison with archived requests: " +
					err.Error() + "."})
	case errors.Is(err, context.Canceled) || c.r.Context().Err() != nil: // the client has gone
	default:
		c.o.Problem(err)
		c.refuse(http.StatusInternalServerError,
			refusal{Title: "Temporarily unavailable",
				Text: "An error occurred in the archive. The operators have been notified."})
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
		c.refuse(http.StatusNotFound, c.page(n.looped, "Redirect loop",
			"All captures of this address redirect to another, and back from there. You can view them as "+
				"captured."))
	case n.partial != nil:
		c.refuse(http.StatusNotFound, c.page(n.partial, "Only a part was captured",
			"The crawler requested a part of this, or received the notice that it had not changed. You "+
				"can view the response as captured."))
	case n.broken != nil && !errors.Is(n.broken, captures.ErrNotFound):
		c.refuse(http.StatusInternalServerError,
			c.page(n.at, "This capture cannot be read at the moment", "The operators of the archive have "+
				"been notified."))
	case n.broken != nil:
		c.refuse(http.StatusNotFound, c.page(n.at, "The content of this capture is not in the archive",
			"The crawler recorded that it already had the content, but that capture is not here."))
	default:
		c.notFound(nil)
	}
}

// page describes a capture that is not shown.
func (c *call) page(j *holdings.Judged, title, text string) refusal {
	p := refusal{Title: title, Text: text, URL: j.URL, Date: isoDate(j.Timestamp),
		Calendar: c.o.UI.Versions(c.q.In.Collection, j.URL)}
	if j.Allowed {
		p.Identity = c.base.Capture(c.q.In, j.Timestamp, address.Identity, j.URL)
	}
	return p
}

// denied reports that a capture is closed to the reader, with the archive's message: 451 (RFC
// 7725), or 403 if the content is dangerous, or open elsewhere. It reveals nothing of the content.
func (c *call) denied(j *holdings.Judged) {
	status, title, text := http.StatusUnavailableForLegalReasons, "Access restricted",
		"The archive has this page, but may not show it."
	switch {
	case j.Infected:
		status, title, text = http.StatusForbidden, "Infected content is not shown",
			"A virus scanner found a threat in this content. It is preserved, but not served."
	case j.Verdict == holdings.Reading:
		status, title, text = http.StatusForbidden, "Available in the reading rooms",
			"The archive has this page, but may show it only to readers in its reading rooms."
	}
	p := c.page(j, title, text)
	p.Message, p.Identity = j.Message, ""
	c.refuse(status, p)
}

// noPermission reports an invalid capability.
func (c *call) noPermission(err error) {
	h := c.w.Header()
	h.Set("Cache-Control", "no-store")
	p := refusal{Title: "This address is no longer valid",
		Text: "Addresses of restricted content expire, and work only for the reader who received them. " +
			"Return to the archive's own page, and open the content from there."}
	if errors.Is(err, ErrExpired) {
		// a machine in a reading room must keep no copies for the next reader
		h.Set("Clear-Site-Data", `"cache", "storage"`)
	}
	if c.q.URL != "" {
		p.Calendar = c.o.UI.Versions(c.q.In.Collection, c.q.URL)
	}
	c.refuse(http.StatusForbidden, p)
}

// maxOffered limits the alternative captures.
const maxOffered = 8

// notFound reports that nothing was captured, and suggests alternatives: the URL in other
// collections, or other pages of its host.
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

// offered adds captures of a query, one per URL. It examines only a few, to stay cheap.
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
