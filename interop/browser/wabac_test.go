package browser

import (
	"context"
	"encoding/base64"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestWabac replays the website with wabac.js, if installed. All checks pass, the page sees its
// original address, and no request reaches the live web.
func TestWabac(t *testing.T) {
	assets := os.Getenv("QUIRE_ASSETS")
	if assets == "" {
		t.Skip("QUIRE_ASSETS must name a folder with the files of quire assets install")
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

// TestWabacSites checks that the worker of wabac.js on the host of one archived site serves no
// document of another.
func TestWabacSites(t *testing.T) {
	assets := os.Getenv("QUIRE_ASSETS")
	if assets == "" {
		t.Skip("QUIRE_ASSETS must name a folder with the files of quire assets install")
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
	// Markup in an address that only its own page may show.
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
