package replay

import (
	"strings"
	"testing"
	"time"

	"quire/access/address"
	"quire/holdings"
)

const sites = address.Replay("http://*.replay.example")

// TestSites: a browser shows a document on the host of its site, or in a sandbox; parts of pages
// come from any host. Access is refused everywhere to readers without rights.
func TestSites(t *testing.T) {
	m := three()
	m.add("20150101000000", "http://closed.example/", 200, "Content-Type: text/html",
		page).verdict = holdings.Restricted
	m.add("20150101000000", "http://a.example/moved", 301, "Content-Type: text/html\nLocation: https://b.example/", "")
	m.add("20150101000000", "http://a.example/form", 200, "Content-Type: text/html",
		page).Key = keyOfPost("http://a.example/form", "", "")
	d := newDesk(t, m)
	d.o.Sites = sites
	const (
		open     = "/20150101000000mp_/http://a.example/"
		closed   = "/20150101000000mp_/http://closed.example/"
		navigate = "Sec-Fetch-Dest: document"
	)
	in := address.In{Collection: address.All}
	staff := in
	staff.Capability = d.o.Key.Sign(Capability{Class: holdings.Staff, Packages: []string{"p1"},
		Until: time.Now().Add(time.Hour)})
	at := func(in address.In, url string) string {
		_, host, _ := strings.Cut(string(sites.For(in, url)), "://")
		return host
	}
	own, other := at(in, "http://a.example/"), at(in, "http://b.example/")
	const nobody, shown, raw = "sandbox allow-scripts", "default-src ", "sandbox; default-src 'none'"
	for _, c := range []struct {
		host, method, target, line string
		status                     int
		location, policy           string // the target host; the beginning of the policy, or the address there
	}{
		{own, "GET", "/all" + open, navigate, 200, "", shown},
		{own, "GET", "/all" + open, "Accept: text/html", 200, "", shown},
		{own, "GET", "/all" + open, "X-Quire-Worker: iframe", 200, "", shown},
		{other, "GET", "/all" + open, navigate, 302, own, ""},
		{other, "GET", "/all" + open, "Sec-Fetch-Dest: iframe", 302, own, ""},
		{other, "GET", "/all" + open, "X-Quire-Worker: embed", 302, own, ""},
		{other, "GET", "/all" + open, "Accept: text/html", 302, own, ""},
		{other, "POST", "/all" + open + "form", navigate, 307, own, ""},
		{"replay.example", "GET", "/all" + open, navigate, 302, own, ""},
		// In a frame it is a document, whatever modifier the address has.
		{other, "GET", strings.Replace("/all"+open, "mp_", "js_", 1), "Sec-Fetch-Dest: object", 302, own, ""},
		{other, "GET", strings.Replace("/all"+open, "mp_", "id_", 1), navigate, 200, "", raw},
		{other, "GET", "/all" + open, "Sec-Fetch-Dest: script", 200, "", shown},
		{other, "GET", "/all" + open, "Sec-Fetch-Dest: worker", 200, "", shown},
		{other, "GET", "/all" + open, "Accept: */*", 200, "", nobody},
		{other, "GET", "/all" + open, "Sec-Fetch-Dest: empty", 200, "", nobody},
		{own, "GET", strings.Replace("/all"+open, "example/", "example/moved", 1), navigate, 301, own, shown},
		// Restricted content has another origin than open content, and leaks no capability to other
		// sites.
		{at(staff, "http://a.example/"), "GET", "/" + staff.Segment() + open, navigate, 200, "", shown},
		{at(staff, "http://closed.example/"), "GET", "/" + staff.Segment() + open, navigate, 302, own, "/all" + open},
		{own, "GET", "/" + staff.Segment() + open, navigate, 302, own, "/all" + open},
		{at(staff, "http://closed.example/"), "GET", "/" + staff.Segment() + closed, navigate, 200, "", shown},
		{at(in, "http://closed.example/"), "GET", "/" + staff.Segment() + closed, navigate, 302,
			at(staff, "http://closed.example/"), ""},
		{at(staff, "http://closed.example/"), "GET", "/all" + closed, navigate, 451, "", "default-src 'none'"},
		{other, "GET", "/all" + closed, navigate, 451, "", "default-src 'none'"},
	} {
		d.host = c.host
		r := d.send(c.method, c.target, "", c.line)
		location := r.Header.Get("Location")
		_, to, _ := strings.Cut(location, "://")
		to, target, _ := strings.Cut(to, "/")
		if strings.HasPrefix(location, "/") {
			to = c.host // redirected within the host: it redirects again
		}
		policy := r.Header.Get("Content-Security-Policy")
		if c.policy == "" {
			c.policy = c.target
		}
		if strings.HasPrefix(c.policy, "/") {
			policy = "/" + target
		}
		if r.StatusCode != c.status || to != c.location || !strings.HasPrefix(policy, c.policy) {
			t.Errorf("%+v: %d, %s, %s", c, r.StatusCode, location, policy)
		}
		if r.Header.Get("Origin-Agent-Cluster") != "?1" {
			t.Errorf("%+v: no Origin-Agent-Cluster", c)
		}
		if c.policy == shown && c.line == navigate {
			for _, directive := range []string{"frame-src", "form-action", "frame-ancestors"} {
				if _, sources, _ := strings.Cut(policy,
					directive+" "); !strings.Contains(strings.Split(sources, ";")[0], string(sites)) {
					t.Errorf("%+v: %s excludes the other sites: %s", c, directive, policy)
				}
			}
		}
	}
}
