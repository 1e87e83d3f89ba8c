package replay

import (
	"net/http"
	"net/url"
	"strings"

	"quire/access/address"
	"quire/access/rewrite"
	"quire/holdings"
)

// Browsers separate stored data by origin, and pages of one origin can read each other. So an
// archived document runs on the host of its own site, or in an opaque origin (CSP Level 3, 6.3.2,
// sandbox). Its parts come from the host of the document, whatever their site: on the live web,
// too, a script runs in the origin of the page that includes it.

// misplaced reports whether the requested host differs from the host of the capture's site.
func (c *call) misplaced(found *chosen) bool {
	return c.o.Sites != "" && !c.o.Sites.For(c.q.In, found.URL).Serves(c.r.Host)
}

// home returns the address of a capture on the host of its site. Pages of another site get no
// capability for an open capture, because they could use it to read restricted captures.
func (c *call) home(found *chosen) string {
	in := c.q.In
	if found.Verdict == holdings.Open {
		in.Capability = ""
	}
	return c.o.Sites.Capture(in, found.Timestamp, c.shape(), found.URL)
}

// keepReferrer lets the host of another site see the archived page that led there, see cameFrom. The policy holds for
// this redirect only, which leads to our own host. The address of a page with a capability stays hidden.
func (c *call) keepReferrer() {
	c.vary("Referer")
	if from, ok := c.referer(); ok && from.In.Capability == "" {
		c.w.Header().Set("Referrer-Policy", "unsafe-url")
	}
}

// cameFrom returns the document.referrer of a page that a page of another archived site led to: its archived origin, by
// the browsers' usual policy (strict-origin-when-cross-origin). Chromium keeps it from scripts after such a redirect.
func (c *call) cameFrom(found *chosen) string {
	u, err := url.Parse(c.r.Referer())
	if c.o.Sites == "" || err != nil || u.Host == c.r.Host || !c.o.Sites.Serves(u.Host) {
		return ""
	}
	q, ok := address.ParseReplay(strings.TrimPrefix(u.RequestURI(), c.o.Path))
	from, err := url.Parse(q.URL)
	if !ok || q.Kind != address.Capture || err != nil || from.Host == "" ||
		from.Scheme == "https" && !strings.HasPrefix(found.URL, "https:") {
		return ""
	}
	return from.Scheme + "://" + from.Host + "/"
}

// shows reports whether the browser displays the response as a document, whatever form the address
// names. Unmodified bytes are sandboxed on any host.
func (c *call) shows() bool {
	return !c.raw() && (isDocument(c.dest()) || c.navigates())
}

func isDocument(dest string) bool {
	switch dest {
	case "document", "iframe", "frame", "object", "embed", "fencedframe":
		return true
	}
	return false
}

// confined reports whether the response, displayed as a document, has an opaque origin. Parts of a
// page do not: a sandbox would stop workers from starting.
func (c *call) confined(found *chosen) bool {
	if c.o.Sites == "" {
		return true
	}
	dest := c.dest()
	return (dest == "" || dest == "empty" || isDocument(dest)) && c.misplaced(found)
}

// lead redirects readers to the requested capture, with the body they sent (RFC 9110, 15.4.8).
func (c *call) lead(to string) {
	status := http.StatusFound
	if c.r.Method != http.MethodGet && c.r.Method != http.MethodHead {
		status = http.StatusTemporaryRedirect
	}
	c.vary("Sec-Fetch-Dest")
	c.vary(rewrite.WorkerField)
	c.redirect(status, to)
}

// Host returns the replay address for archived URLs of a site, if r was made to another host.
func (h *Handler) Host(r *http.Request, in address.In, archived string) (there address.Replay, other bool) {
	there = h.o.Sites.For(in, archived)
	return there, h.o.Sites != "" && !there.Serves(r.Host)
}
