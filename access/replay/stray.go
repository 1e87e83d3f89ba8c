package replay

import (
	"net/http"
	"net/url"
	"strings"

	"quire/access/address"
	"quire/format/weburl"
)

// stray answers requests with unknown addresses. Most come from scripts of archived pages that
// address their original host. The Referer names the page, and the request is redirected
// accordingly.
func (c *call) stray() {
	h := c.w.Header()
	c.vary("Referer")
	h.Set("Cache-Control", "no-store")
	target := strings.TrimPrefix(c.r.RequestURI, c.o.Path)
	if from, ok := c.referer(); ok && strings.HasPrefix(target, "/") {
		if base, err := weburl.Parse(from.URL, nil, nil); err == nil {
			if u, err := weburl.Parse(target, base, nil); err == nil {
				c.lead(c.base.Capture(from.In, from.Timestamp, address.Page, u.Resource()))
				return
			}
		}
	}
	if target == "/" || target == "" {
		c.redirect(http.StatusFound, c.o.UI.Front())
		return
	}
	c.q = address.Request{}
	c.refuse(http.StatusNotFound, refusal{key: "nothing"})
}

// Inside reports whether a request comes from an archived page of this host, by its own headers.
func (h *Handler) Inside(r *http.Request) bool {
	q, ok := (&call{Handler: h, r: r}).referer()
	return ok && q.Modifier != ""
}

// referer returns the capture that sent a request.
func (c *call) referer() (q address.Request, ok bool) {
	u, err := url.Parse(c.r.Referer())
	if err != nil || u.Host != c.r.Host {
		return q, false
	}
	q, ok = address.ParseReplay(strings.TrimPrefix(c.r.Referer()[len(u.Scheme)+len("://")+len(u.Host):], c.o.Path))
	return q, ok && q.Kind == address.Capture
}
