package site

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"quire/oai/protocol"
	"quire/oai/provider"
)

// A list read in many pieces has each record once, in order, for any grouping of writes, and
// continues from any position.
func TestListPieces(t *testing.T) {
	s, c, _ := idle(t, Options{Next: http.NotFoundHandler()})
	s.ready, s.began, s.took = true, time.Now(), time.Hour // no scan takes place
	for range 3 {
		c.forward(time.Second)
		var looks []look
		for i := range 900 {
			looks = append(looks, look{url: fmt.Sprintf("http://a.example/%d/%03d", c.now().Second(), i), state: live,
				mime: "text/html", size: -1})
		}
		if err := s.index.apply(t.Context(), looks, false); err != nil {
			t.Fatal(err)
		}
	}
	var all []protocol.Header
	for h, err := range s.List(t.Context(), provider.Query{Set: "mime:text"}) {
		if err != nil {
			t.Fatal(err)
		}
		if n := len(all); n > 0 && (h.Datestamp.Before(all[n-1].Datestamp) || h.Datestamp.Equal(all[n-1].Datestamp) &&
			h.Identifier <= all[n-1].Identifier) {
			t.Fatalf("%v comes behind %v", h, all[n-1])
		}
		all = append(all, h)
	}
	if len(all) != 2700 {
		t.Fatalf("%d records", len(all))
	}
	for _, at := range []int{0, 127, 128, 899, 900, 2698, 2699} {
		n := 0
		for h, err := range s.List(t.Context(),
			provider.Query{After: provider.Position{Datestamp: all[at].Datestamp, Identifier: all[at].Identifier}}) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; h.Identifier != all[at+n].Identifier {
				t.Fatalf("behind %d: %s, want %s", at, h.Identifier, all[at+n].Identifier)
			}
		}
		if at+n+1 != len(all) {
			t.Errorf("%d records behind %d", n, at)
		}
	}
}

// If the clock is set back, new datestamps are still later than the datestamps in earlier lists.
func TestClockSetBack(t *testing.T) {
	s, c, _ := idle(t, Options{Next: http.NotFoundHandler()})
	see := func(name string) time.Time {
		t.Helper()
		if err := s.index.apply(t.Context(),
			[]look{{url: "http://a.example/" + name, state: live, mime: "text/html", size: -1}}, false); err != nil {
			t.Fatal(err)
		}
		r, err := s.known(t.Context(), "http://a.example/"+name)
		if err != nil {
			t.Fatal(err)
		}
		return time.Unix(r.datestamp, 0)
	}
	first := see("a")
	c.forward(-time.Hour)
	if second := see("b"); second.Before(first) {
		t.Errorf("%v, then %v", first, second)
	}
}
