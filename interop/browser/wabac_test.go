package browser

import (
	"context"
	"encoding/base64"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestWabac replays the website by wabac.js, where it is installed: all checks hold, the page
// believes that it is where it was, and the live web is not asked.
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

// TestWabacSites: the worker of wabac.js on the host of one archived site makes no document of
// another.
func TestWabacSites(t *testing.T) {
	assets := os.Getenv("QUIRE_ASSETS")
	if assets == "" {
		t.Skip("QUIRE_ASSETS names no folder with what quire assets install brought")
	}
	s := serve(t, neighbours(t), "assets: "+assets)
	b := open(t, "MAP *.example ~NOTFOUND")
	const played = "/-/wabac/r" + at + "mp_/http://"
	b.visit(t, s.replay+"/-/wabac/open"+at+"/http://"+keeperHost+"/keep.html")
	const frame = `document.getElementById("page")`
	b.waitFor(t, "the keeper", frame+`.contentWindow.mine === "`+theSecret+`"`)
	keeper := value[string](t, b, "location.origin")
	if !strings.HasPrefix(keeper, "http://keeper-example-") {
		t.Errorf("the keeper is at %s", keeper)
	}
	// In the frame, and in the window.
	value[any](t, b, "("+frame+`.src = "`+played+spyHost+`/spy.html", null)`)
	b.waitFor(t, "the frame on another host", frame+".contentDocument === null")
	b.visit(t, keeper+played+spyHost+"/spy.html")
	b.waitFor(t, "the spy", frame+`.contentDocument.title === "spy"`)
	if at := value[string](t, b, "location.origin"); !strings.HasPrefix(at, "http://spy-example-") {
		t.Errorf("the spy is at %s", at)
	}
	// Markup in an address that nobody but its own page may show.
	b.visit(t, "about:blank")
	b.do(t, "markup in the address", chromedp.ActionFunc(func(ctx context.Context) error {
		// refused
		_ = chromedp.Navigate(keeper + "/-/wabac/r" + at + "mp_/srcdoc:" +
			base64.StdEncoding.EncodeToString([]byte("<p id=intruded>"))).Do(ctx)
		return nil
	}))
	if value[bool](t, b, `Boolean(document.getElementById("intruded"))`) {
		t.Error("markup in an address is a document on the host of the keeper")
	}
}
