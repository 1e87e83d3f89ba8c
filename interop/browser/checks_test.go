package browser

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"quire/format/warc"
)

// results are the results of the checks by name. A check that holds is true.
type results map[string]any

func (r results) held() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(r)) {
		if r[name] == true {
			names = append(names, name)
		}
	}
	return names
}

// visitChecks opens the start page, whose link leads to the checks, and returns their results. page
// is the window of the checks, as an expression.
func visitChecks(t *testing.T, b *chromium, start, page string) results {
	t.Helper()
	b.visit(t, start)
	if b.comes(page+".finished", 40*time.Second) {
		return value[results](t, b, page+".finished")
	}
	t.Logf("not all checks ended at %s", value[string](t, b, page+".document.URL"))
	return value[results](t, b, page+".results") // some checks never ended
}

// crawlChecks runs the checks on the live web and records them.
func crawlChecks(t *testing.T) (file string, live results) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "checks.warc.gz")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	out, err := warc.NewWriter(f, warc.WriterOptions{Compression: warc.Gzip})
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{site: newCheckSite(), out: out, when: time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC)}
	origin := httptest.NewServer(r)
	defer origin.Close()
	b := open(t, "MAP elsewhere.example ~NOTFOUND, MAP *.example "+origin.Listener.Addr().String(),
		chromedp.Flag("unsafely-treat-insecure-origin-as-secure", "http://"+appHost))
	live = visitChecks(t, b, "http://"+appHost+"/start.html", "window")
	if r.err != nil {
		t.Fatal(r.err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return file, live
}

// TestReplayOfChecks runs the checks of testdata/checks on the live web, natively, and by wabac.js.
func TestReplayOfChecks(t *testing.T) {
	file, live := crawlChecks(t)
	if len(live) < 80 {
		t.Fatalf("the site has %d checks", len(live))
	}
	for name, got := range live {
		if got != true {
			t.Errorf("live: %s: %v", name, got)
		}
	}
	assets := os.Getenv("QUIRE_ASSETS")
	var settings []string
	if assets != "" {
		settings = append(settings, "assets: "+assets)
	}
	s := serve(t, repository(t, file), settings...)
	l, address := listenLive(t)
	b := open(t, toLive(address))
	start := "/20260304050601mp_/http://" + appHost + "/start.html"
	native := visitChecks(t, b, s.replay+"/all"+start, "window")
	nobodyCame(t, l)
	report(t, "natively", native)
	repeats(t, b, s.replay+"/all"+start)
	for name := range live {
		if got := native[name]; got != true {
			t.Errorf("natively: %s: %v", name, got)
		}
	}
	if assets == "" {
		t.Log("wabac.js was not asked: QUIRE_ASSETS names no folder with it")
		return
	}
	start = s.replay + "/-/wabac/open/all/20260304050601/http://" + appHost + "/start.html"
	other := visitChecks(t, open(t, toLive(address)), start, `document.getElementById("page").contentWindow`)
	report(t, "by wabac.js", other)
	if n, w := len(native.held()), len(other.held()); n < w {
		t.Errorf("natively %d checks hold, and %d by wabac.js", n, w)
	}
}

// repeats checks that a page has the time of its capture, and the same random numbers at each visit.
func repeats(t *testing.T, b *chromium, start string) {
	t.Helper()
	const ask = `[new Date().toJSON().slice(0, 16), Math.random(), crypto.getRandomValues(new Uint8Array(4))].join(" ")`
	b.visit(t, start)
	first := value[string](t, b, ask)
	b.visit(t, "about:blank")
	b.visit(t, start)
	if again := value[string](t, b, ask); first != again || !strings.HasPrefix(first, "2026-03-04T05:06 0.") {
		t.Errorf("the page has %q, and at the next visit %q", first, again)
	}
}

func report(t *testing.T, how string, r results) {
	t.Helper()
	missing := ""
	for _, name := range slices.Sorted(maps.Keys(r)) {
		if r[name] != true {
			missing += fmt.Sprintf("\n\t%s: %.300v", name, r[name])
		}
	}
	t.Logf("%s %d of %d checks hold; not:%s", how, len(r.held()), len(r), missing)
}
