package pages_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"quire/access/pages"
	"quire/access/search"
	"quire/holdings"
)

// linker has the links of one host, and keeps the last query.
type linker struct {
	r     search.HostLinks
	asked *search.LinkQuery
}

func (l linker) Links(_ context.Context, _ holdings.Reader, q search.LinkQuery) (*search.HostLinks, error) {
	*l.asked = q
	return &l.r, nil
}

var twoHosts = linker{search.HostLinks{Host: "museum.example", Pages: 3,
	Incoming: []search.LinkedHost{{Host: "a.example", Pages: 8, First: "20100101000000", Last: "20140101000000"},
		{Host: "=b.example", Pages: 1, First: "20100101000000", Last: "20100101000000"}},
	Outgoing: []search.LinkedHost{{Host: "c.example", Pages: 3, First: "20120101000000", Last: "20120101000000"}}},
	new(search.LinkQuery)}

// hostile has a host with any name.
type hostile struct{ name string }

func (h hostile) Links(context.Context, holdings.Reader, search.LinkQuery) (*search.HostLinks, error) {
	one := []search.LinkedHost{{Host: h.name, Pages: 1, First: "20100101000000", Last: "20140101000000"}}
	return &search.HostLinks{Host: h.name, Incoming: one, Outgoing: one}, nil
}

// TestLinkGraph: both directions in tables and a picture, and as CSV.
func TestLinkGraph(t *testing.T) {
	r := room(t, museum(t).Open(holdings.Options{}), pages.Options{Links: twoHosts})
	page := r.page("/links?host=+museum.example&from=2009&to=2014x", 200)
	if *twoHosts.asked != (search.LinkQuery{Host: "museum.example", From: 2009}) {
		t.Errorf("asked %+v", *twoHosts.asked)
	}
	says(t, page, "Links to and from museum.example",
		"2 hosts link to it; 3 of its pages link to 1 hosts", "2010–2014")
	if to := links(page)["a.example"]; to != "/links?from=2009&host=a.example" {
		t.Errorf("a host leads to %s", to)
	}
	if to := links(page)["Pages of this host by year"]; to != "" {
		t.Errorf("growth without a search: %s", to)
	}
	searched := room(t, museum(t).Open(holdings.Options{}), pages.Options{Links: twoHosts, Search: ships})
	growth := links(searched.page("/links?host=a", 200))["Pages of this host by year"]
	if growth != "/trends?q=host%3Amuseum.example" {
		t.Errorf("the growth is at %s", growth)
	}
	var widths []string
	for _, p := range all(page, "path") {
		if w, ok := attr(p, "stroke-width"); ok && w != "1.7" {
			widths = append(widths, w)
		}
	}
	if fmt.Sprint(widths) != "[8.0 1.9 3.6]" {
		t.Errorf("lines of %v", widths)
	}
	if got := table(t, r.read("/links.csv?host=museum.example")); got != "from,to,pages,first,last|"+
		"a.example,museum.example,8,20100101000000,20140101000000|"+
		"'=b.example,museum.example,1,20100101000000,20100101000000|"+
		"museum.example,c.example,3,20120101000000,20120101000000" {
		t.Error(got)
	}
	says(t, r.page("/links", 200), "Links between hosts")
	title := r.page("/site/museum", 200)
	if to := links(title)["Links to and from museum.example"]; to != "/links?host=museum.example" {
		t.Errorf("the title leads to %q", to)
	}
	for _, target := range []string{"/links.csv", "/links.csv?host=" + strings.Repeat("a", 2000)} {
		if r.read(target).Code != 404 {
			t.Errorf("%s is there", target)
		}
	}
	if room(t, museum(t).Open(holdings.Options{}), pages.Options{}).read("/links?host=a").Code != 404 {
		t.Error("there are links without an index")
	}
}
