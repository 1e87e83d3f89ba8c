package replay

import (
	"net/http"
	"net/url"
	"strings"

	"quire/access/address"
	"quire/format/weburl"
)

// stray answers requests whose address is none of ours. Most are made by scripts of archived pages,
// which believe to be on their own host: the page they come from tells where that is (Referer), and
// they are led there.
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
	c.refuse(http.StatusNotFound, refusal{Title: "Nothing is here",
		Text: "Archived pages are at addresses of the form /all/20150102030405mp_/http://a.example/."})
}

// Inside says whether a request comes from an archived page of this host, as far as it says so
// itself.
func (h *Handler) Inside(r *http.Request) bool {
	q, ok := (&call{Handler: h, r: r}).referer()
	return ok && q.Modifier != ""
}

// referer reads which capture a request comes from.
func (c *call) referer() (q address.Request, ok bool) {
	u, err := url.Parse(c.r.Referer())
	if err != nil || u.Host != c.r.Host {
		return q, false
	}
	q, ok = address.ParseReplay(strings.TrimPrefix(c.r.Referer()[len(u.Scheme)+len("://")+len(u.Host):], c.o.Path))
	return q, ok && q.Kind == address.Capture
}
