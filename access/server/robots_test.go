package server

import (
	"strings"
	"testing"

	"quire/access/address"
)

// TestRobotsOfReplay: crawlers stay out of the hosts of archived pages; an archived page gets the
// archived robots.txt, or none.
func TestRobotsOfReplay(t *testing.T) {
	s := open(t, three(t), Options{})
	site := s.Sites.Capture(address.In{Collection: address.All}, capture, "mp_", openURL)
	host := strings.Join(strings.SplitN(site, "/", 4)[:3], "/")
	for _, at := range []string{archived, host, "http://anything.localhost:8000"} {
		a := ask(t, s, "GET", at+"/robots.txt", abroad)
		if a.status != 200 || a.body != "User-agent: *\nDisallow: /\n" {
			t.Errorf("%s: %d %s", at, a.status, a.body)
		}
	}
	if a := ask(t, s, "GET", host+"/robots.txt", abroad, "Referer: "+site); strings.Contains(a.body, "Disallow") {
		t.Errorf("an archived page gets our robots.txt: %d %s", a.status, a.body)
	}
	if a := ask(t, s, "GET", ui+"/robots.txt", abroad); a.status != 200 ||
		!strings.Contains(a.body, "\nAllow: /site/\n") ||
		strings.Contains(a.body, "Sitemap") {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := ask(t, s, "GET", ui+"/sitemap.xml", abroad); a.status != 404 {
		t.Errorf("a sitemap without the setting: %d", a.status)
	}
}
