package browser

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"quire/format/warc"
)

// outside is the live host of a test. A client that connects to it, by TCP or by UDP, has left the
// archive.
type outside struct {
	*live
	udp net.PacketConn
}

func listenOutside(t *testing.T) *outside {
	t.Helper()
	l := listenFor(t, 2*time.Second)
	udp, err := net.ListenPacket("udp", net.JoinHostPort(ownAddress(), "0"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = udp.Close() })
	go func() {
		b := make([]byte, 1500)
		for {
			n, _, err := udp.ReadFrom(b)
			if err != nil {
				return
			}
			l.note(fmt.Sprintf("UDP of %d bytes", n))
		}
	}()
	return &outside{l, udp}
}

// ownAddress returns an address of this machine. WebRTC does not use the loopback if there is
// another.
func ownAddress() string {
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
			return ip.IP.String()
		}
	}
	return "127.0.0.1"
}

// website returns the website with the contexts and this live host.
func (o *outside) website() contexts {
	_, port, _ := net.SplitHostPort(o.address)
	return contexts{live: net.JoinHostPort(liveHost, port), stun: o.udp.LocalAddr().String()}
}

var askedLive = regexp.MustCompile(`^[A-Z]+ /([\w/-]+) HTTP`)

// channels returns the number of connections for each context and channel.
func (o *outside) channels() map[string]int {
	n := map[string]int{}
	for _, came := range o.all() {
		if m := askedLive.FindStringSubmatch(came); m != nil {
			came = m[1]
		}
		switch {
		case came == "":
			came = "a connection without a request"
		case came[0] < ' ': // STUN (RFC 8489, 5)
			came = "TURN by TCP"
		}
		n[came]++
	}
	return n
}

// store writes the website to a WARC file.
func (c contexts) store(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "contexts.warc.gz")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	out, err := warc.NewWriter(f, warc.WriterOptions{Compression: warc.Gzip})
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{site: c, out: out, when: time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC)}
	for _, path := range c.paths() {
		r.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "http://"+siteHost+path, nil))
	}
	if r.err != nil {
		t.Fatal(r.err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

// pagesOf are the pages of the website: one with all contexts, and one with the waiting contexts.
var pagesOf = []string{"/contexts", "/waits"}

// visitor opens a URL in a browser until the test ends. LiveAt is the address of live.example;
// ui.example, replay.example and names below it resolve to this machine.
type visitor func(t *testing.T, liveAt, url string)

func byChromium(t *testing.T, liveAt, url string) {
	b := open(t, "MAP ui.example 127.0.0.1, MAP replay.example 127.0.0.1, MAP *.replay.example 127.0.0.1, MAP * "+
		liveAt+
		", EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE "+ownAddress())
	// Do not wait for the load: many resources never load.
	b.do(t, url, chromedp.ActionFunc(func(ctx context.Context) error {
		_, _, _, _, err := page.Navigate(url).Do(ctx)
		return err
	}))
}

// way is a way of showing the page: the URL for the browser, and whether our worker is present.
type way struct {
	name, host, path string
	worker           string // "0" or "1"; "" if either
	replay           string // the setting without its port: over HTTP with a name, browsers have no service workers
	settings         []string
}

const (
	inBanner = "/all/20260304050601/http://" + siteHost
	alone    = "/all/20260304050601mp_/http://" + siteHost
)

// whole reports whether make prove or the long mode of CI runs the tests: all ways of showing a page.
func whole() bool { return os.Getenv("QUIRE_PROVE") == "1" || os.Getenv("QUIRE_CI_LONG") == "1" }

const byWabac = "by wabac.js"

func ways() []way {
	all := []way{
		{name: "with the worker, in the banner", host: "localhost", path: inBanner, worker: "1"},
		{name: "in a sandbox", host: "replay.example", path: alone, worker: "0", replay: "http://replay.example:"},
	}
	if whole() {
		all = append(all,
			way{name: "without the worker, in the banner", host: "ui.example", path: inBanner, worker: "0",
				replay: "http://*.replay.example:"},
			way{name: "with the worker, alone", host: "127.0.0.1", path: alone, worker: "1"},
			way{name: "without the worker, alone", host: "any.replay.example", path: alone, worker: "0",
				replay: "http://*.replay.example:"})
	}
	if assets := os.Getenv("QUIRE_ASSETS"); assets != "" {
		all = append(all, way{name: byWabac, host: "127.0.0.1", path: "/-/wabac/open" + inBanner,
			settings: []string{"assets: " + assets}})
	}
	return all
}

// show serves the website in one way. It returns the contexts that ran, and the requests that
// reached the live host.
func (w way) show(t *testing.T, visit visitor) (ran []string, left map[string]int) {
	t.Helper()
	o := listenOutside(t)
	for _, page := range pagesOf {
		if page == "/waits" && w.name == byWabac {
			continue // Chromium 156 hangs where WebRTC is forbidden (docs/reference/550_rewriting.md)
		}
		ran = append(ran, w.page(t, o, visit, page)...)
	}
	time.Sleep(3 * time.Second) // for late requests
	return ran, o.channels()
}

func (w way) page(t *testing.T, o *outside, visit visitor, page string) (ran []string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "access.log")
	s := serveWith(t, repository(t, o.website().store(t)), func(address string) []string {
		settings := append([]string{"log: " + log}, w.settings...)
		if _, port, _ := net.SplitHostPort(address); w.replay != "" {
			settings = append(settings, "ui: http://ui.example:"+port, `replay: "`+w.replay+port+`"`)
		}
		return settings
	})
	u, err := url.Parse(s.ui)
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + net.JoinHostPort(w.host, u.Port()) + w.path + page
	visit(t, o.address, address)
	var wanted []string
	if page == "/contexts" {
		wanted = w.sure()
	}
	return waitForReport(t, log, w.worker, wanted)
}

// everywhere are contexts that run in each way of showing the page. If one does not run, the test
// is void.
var everywhere = []string{"data", "data-dedicated-data-classic", "srcdoc-0"}

// sure returns the contexts that certainly run in this way. With wabac.js, a srcdoc of the page's
// own origin runs in two visits of three: the order of its script and wabac.js's varies.
func (w way) sure() []string {
	if w.name == byWabac {
		return everywhere
	}
	return append([]string{"srcdoc"}, everywhere...)
}

// lacking returns the wanted contexts that did not run.
func lacking(ran, wanted []string) (names []string) {
	for _, name := range wanted {
		if !slices.Contains(ran, name) {
			names = append(names, name)
		}
	}
	return names
}

// reported matches the page's report of the contexts that ran, in the server's log.
var reported = regexp.MustCompile(`/ran\?worker=(\d)&names=([\w,-]+)`)

// late is how long to wait for contexts that a busy browser opens after the first report. The page
// reports each of them again.
const late = time.Minute

// waitForReport waits until all wanted contexts have run. It returns the contexts that ran.
func waitForReport(t *testing.T, log, worker string, wanted []string) (ran []string) {
	t.Helper()
	var text []byte
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		first := ran == nil
		text, _ = os.ReadFile(log) // missing before the first request
		for _, m := range reported.FindAllStringSubmatch(string(text), -1) {
			if worker == "" || worker == m[1] {
				ran = strings.Split(m[2], ",")
			}
		}
		switch {
		case ran == nil:
		case lacking(ran, wanted) == nil:
			return ran
		case first:
			end = time.Now().Add(late)
		}
	}
	if ran == nil {
		t.Fatalf("the page reported nothing; the log ends: %s", text[max(0, len(text)-2000):])
	}
	return ran
}

// TestContexts opens every context of a browser in an archived page, in each way of showing it. No
// request must reach the live web.
func TestContexts(t *testing.T) {
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			ran, left := w.show(t, byChromium)
			told(t, ran, left, w.sure())
			for _, channel := range slices.Sorted(maps.Keys(left)) {
				t.Errorf("%d × %s", left[channel], channel)
			}
		})
	}
}

// told logs the results. It reports an error for each wanted context that did not run.
func told(t *testing.T, ran []string, left map[string]int, wanted []string) {
	t.Helper()
	t.Logf("%d contexts ran: %s", len(ran), strings.Join(ran, " "))
	t.Logf("%d channels reached the live host", len(left))
	for _, name := range lacking(ran, wanted) {
		t.Errorf("%s did not run", name)
	}
}

// TestContextsLive runs the website live, without an archive: every context must reach the live
// host. Otherwise the silence of TestContexts would prove nothing.
func TestContextsLive(t *testing.T) {
	ran, left := showLive(t, byChromium)
	told(t, ran, left, everywhere)
	heard := map[string]bool{}
	for channel := range left {
		name, _, _ := strings.Cut(channel, "/")
		heard[name] = true
	}
	for _, name := range ran {
		if !heard[name] && !strings.HasPrefix(name, "peer") {
			t.Errorf("%s ran, but did not reach the live host", name)
		}
	}
	if !slices.ContainsFunc(slices.Collect(maps.Keys(left)), func(channel string) bool {
		return strings.HasPrefix(channel, "UDP")
	}) {
		t.Error("no datagram was heard")
	}
}

func showLive(t *testing.T, visit visitor) (ran []string, left map[string]int) {
	t.Helper()
	o := listenOutside(t)
	for _, page := range pagesOf {
		ran = append(ran, pageOfLive(t, o, visit, page)...)
	}
	time.Sleep(3 * time.Second)
	return ran, o.channels()
}

func pageOfLive(t *testing.T, o *outside, visit visitor, page string) []string {
	t.Helper()
	heard := make(chan string, 1)
	site := o.website()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if m := reported.FindStringSubmatch(r.RequestURI); m != nil {
			select {
			case heard <- m[2]:
			default:
			}
		}
		site.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	visit(t, o.address, server.URL+page)
	select {
	case names := <-heard:
		return strings.Split(names, ",")
	case <-time.After(patience):
		t.Fatal("the page reported nothing")
	}
	return nil
}
