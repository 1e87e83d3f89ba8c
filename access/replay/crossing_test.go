package replay

import (
	"strings"
	"testing"
	"time"

	"quire/access/address"
	"quire/holdings"
)

// TestReferrerAcrossSites: the redirect to the host of another site lets its page see the page that led there, unless
// that page has a capability.
func TestReferrerAcrossSites(t *testing.T) {
	d := newDesk(t, three())
	d.o.Sites = sites
	in := address.In{Collection: address.All}
	_, other, _ := strings.Cut(string(sites.For(in, "http://b.example/")), "://")
	_, own, _ := strings.Cut(string(sites.For(in, "http://a.example/")), "://")
	const target = "/all/20150101000000mp_/http://a.example/"
	with := in
	with.Capability = d.o.Key.Sign(Capability{Class: holdings.Staff, Packages: []string{"p1"},
		Until: time.Now().Add(time.Hour)})
	at := "http://" + other
	for from, want := range map[string]string{
		at + "/all/20150101000000mp_/http://b.example/":                    "unsafe-url",
		at + "/" + with.Segment() + "/20150101000000mp_/http://b.example/": "same-origin",
		at + "/-/quire/worker.js":                                          "same-origin",
		"http://ui.example/all/20150101000000mp_/http://b.example/":        "same-origin",
		"": "same-origin",
	} {
		dest, referer := "Sec-Fetch-Dest: document", "Referer: "+from
		d.host = other
		r := d.send("GET", target, "", dest, referer)
		if got := r.Header.Get("Referrer-Policy"); r.StatusCode != 302 || got != want {
			t.Errorf("from %s: %d, %s, not %s", from, r.StatusCode, got, want)
		}
		d.host = own
		r = d.send("GET", target, "", dest, referer)
		if got := r.Header.Get("Referrer-Policy"); r.StatusCode != 200 || got != "same-origin" {
			t.Errorf("the page itself: %d, %s", r.StatusCode, got)
		}
		if vary := r.Header.Get("Vary"); !strings.Contains(vary, "Referer") {
			t.Errorf("Vary: %s", vary)
		}
		shown := strings.Contains(text(t, r), `&#34;referrer&#34;:&#34;http://b.example/&#34;`)
		if shown != (strings.HasPrefix(from, at) && !strings.Contains(from, "/-/")) {
			t.Errorf("from %s: the page has it: %t", from, shown)
		}
	}
}

// TestCapturedCookies: no browser gets the cookies of a captured answer; its page has those that scripts may see.
func TestCapturedCookies(t *testing.T) {
	m := &memory{}
	m.add("20150101000000", "http://a.example/", 200, "Content-Type: text/html\nSet-Cookie: seen=1; Path=/\n"+
		"Set-Cookie: hidden=2; HttpOnly\nSet-Cookie: s2=</script><b>&'\"", page)
	d := newDesk(t, m)
	r := d.ask("/all/20150101000000mp_/http://a.example/")
	body := text(t, r)
	const given = `&#34;cookies&#34;:[[&#34;seen&#34;,&#34;1&#34;],` +
		`[&#34;s2&#34;,&#34;\u003c/script\u003e\u003cb\u003e\u0026&#39;\&#34;&#34;]]`
	if len(r.Header.Values("Set-Cookie")) > 0 || !strings.Contains(body, given) ||
		strings.Contains(body, "hidden") || strings.Contains(body, "<b>") {
		t.Errorf("%v\n%s", r.Header, body)
	}
}
