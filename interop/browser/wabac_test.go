package browser

import (
	"os"
	"testing"
)

// TestWabac replays the website by wabac.js, where it is installed: all checks hold, the page believes that it is where it was, and the live
// web is not asked.
func TestWabac(t *testing.T) {
	assets := os.Getenv("QUIRE_ASSETS")
	if assets == "" {
		t.Skip("QUIRE_ASSETS names no folder with what quire assets install brought")
	}
	file := crawl(t)
	s := serve(t, repository(t, file), "assets: "+assets)
	l, address := listenLive(t)
	b := open(t, "MAP * "+address+", EXCLUDE localhost, EXCLUDE 127.0.0.1")
	front := s.replay + "/-/wabac/open/all/20260304050601/http://" + siteHost + "/"
	b.visit(t, front)
	// The page is in a frame of the same origin.
	const page = `document.getElementById("page").contentWindow`
	b.waitFor(t, front, page+".checks && "+page+".escaped")
	checks := value[map[string]any](t, b, page+".checks")
	for _, name := range checkNames {
		if checks[name] != true {
			t.Errorf("by wabac.js: %s: %v", name, checks[name])
		}
	}
	nobodyCame(t, l)
}
