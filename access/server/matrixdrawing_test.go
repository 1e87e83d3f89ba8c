package server

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quire/access/address"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// drawings adds packages with an SVG each, of all zones.
func drawings(r *holdingstest.Repository) (all []holdingstest.Case) {
	for _, c := range []holdingstest.Case{
		{Package: "drawing-open", Verdict: holdings.Open, Public: holdingstest.Allowed, OnSite: holdingstest.Allowed},
		{Package: "drawing-onsite", Verdict: holdings.Reading, Public: holdingstest.Denied,
			OnSite: holdingstest.Allowed},
		{Package: "drawing-restricted", Verdict: holdings.Restricted, Public: holdingstest.Denied,
			OnSite: holdingstest.Denied},
	} {
		c.Staff = holdingstest.Allowed
		c.Name, c.URL, c.At = c.Package, "http://"+c.Package+".example/plan.svg", "20150102030405"
		c.Body = "SECRET of " + c.Name
		r.Ingest(holdingstest.Package{ID: c.Package, Rights: "access: " + strings.TrimPrefix(c.Package, "drawing-"),
			Containers: map[string]string{"a.warc": holdingstest.Response(c.Name, c.URL, "2015-01-02T03:04:05Z",
				"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><text y="20">`+
					c.Body+`</text></svg>`) + repeated("tool-output", &c) + repeated("document", &c)}})
		all = append(all, c)
	}
	return all
}

// repeated returns a record of a harvest by OAI-PMH that repeats the content of a capture.
func repeated(part string, c *holdingstest.Case) string {
	return holdingstest.Record("metadata", c.Name+"-"+part, c.URL, "2015-01-02T03:04:05Z", "text/plain",
		"of "+part+": "+c.Body, "OAI-Part: "+part, "Tool-Label: repeat", "WARC-Concurrent-To: <urn:x:"+c.Name+">")
}

// drawn requests a drawing in all ways. Its thumbnail has its texts, so a closed one must have none; nor is it found.
func (who *asker) drawn(t *testing.T, s *Server, c *holdingstest.Case) {
	who.replayed(t, s, archived, c)
	who.listed(t, s, c)
	who.banner(t, s, c)
	who.thumbnail(t, s, c)
	who.statement(t, s, c)
	allowed := c.Of(who.class) == holdingstest.Allowed
	a := ask(t, s, "GET", address.UI(ui).Thumbnail(address.All, c.At, c.URL), who.from, who.lines...)
	who.clean(t, "thumbnail", a)
	if got := a.status == http.StatusOK && strings.Contains(a.body, c.Body); got != allowed {
		t.Errorf("a thumbnail of %s: %d %s", c.Name, a.status, a.body)
	}
	a = ask(t, s, "GET", ui+"/search?"+url.Values{"type": {"image"}, "q": {"plan"}}.Encode(), who.from, who.lines...)
	who.clean(t, "images", a)
	if got := strings.Contains(a.body, c.At+"/"+c.URL); got != allowed {
		t.Errorf("images with %s: %d %s", c.Name, a.status, a.body)
	}
}
