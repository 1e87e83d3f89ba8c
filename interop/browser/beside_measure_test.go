package browser

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// measure is the outcome of one visit to an archived page.
type measure struct {
	Missing  []string // own parts that failed or ended in 4xx or 5xx, and those in Left
	Loaded   []string // own parts that arrived
	Lacks    []string // parts that arrived by another engine alone
	Left     []string // requests for outside hosts, stopped or not
	Came     int      // those of them that arrived at the live web
	Errors   []string // exceptions, and entries of level error in the console
	NoPage   bool     // the archived document did not arrive
	Blank    bool     // all pixels are alike
	Differs  float64  // share of the pixels that differ from the live page
	Shot     []byte   `json:"-"`
	pictured image.Image
}

// meter counts the requests and errors of the pages in one browser.
type meter struct {
	b      *chromium
	own    func(host string) bool // hosts of the engine, or of the website itself
	engine func(path string) bool // files of the engine on these hosts

	mu       sync.Mutex
	requests map[network.RequestID]*request
	errors   []string
	last     time.Time // of the last event of the network
}

type request struct {
	first    string // its address before redirects
	url      string
	document bool
	status   int64
	ended    bool
	failed   bool
	stopped  bool // the page or the browser gave it up
	worker   bool // a service worker answered
}

// The window of all visits. The picture has one pixel for each of the page.
const windowWidth, windowHeight = 1000, 800

// newMeter starts a browser that keeps all frames of a page in one process: so one session
// reports the requests of all frames.
func newMeter(t *testing.T, rules string, own func(string) bool, engine func(string) bool) *meter {
	t.Helper()
	b := open(t, rules, chromedp.WindowSize(windowWidth, windowHeight), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("force-device-scale-factor", "1"), chromedp.Flag("disable-site-isolation-trials", true),
		chromedp.Flag("disable-features", "OptimizationHints,MediaRouter,HttpsUpgrades,"+
			"HttpsFirstBalancedModeAutoEnable,IsolateOrigins,site-per-process"))
	v := &meter{b: b, own: own, engine: engine, requests: map[network.RequestID]*request{}}
	chromedp.ListenTarget(b.ctx, v.note)
	b.do(t, "the network's events", network.Enable(), log.Enable(), runtime.Enable(),
		chromedp.EmulateViewport(windowWidth, windowHeight))
	return v
}

func (v *meter) note(event any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		v.last = time.Now()
		r := &request{first: e.Request.URL, url: e.Request.URL, document: e.Type == network.ResourceTypeDocument}
		if before := v.requests[e.RequestID]; before != nil && e.RedirectResponse != nil {
			r.first = before.first
		}
		v.requests[e.RequestID] = r
	case *network.EventResponseReceived:
		if r := v.requests[e.RequestID]; r != nil {
			v.last = time.Now()
			r.status, r.worker = e.Response.Status, e.Response.FromServiceWorker
		}
	case *network.EventLoadingFinished:
		if r := v.requests[e.RequestID]; r != nil {
			v.last, r.ended = time.Now(), true
		}
	case *network.EventLoadingFailed:
		if r := v.requests[e.RequestID]; r != nil {
			v.last, r.ended, r.failed = time.Now(), true, true
			r.stopped = e.Canceled || e.ErrorText == "net::ERR_ABORTED" && e.BlockedReason == ""
		}
	case *page.EventJavascriptDialogOpening: // it would stop the page
		go func() { _ = chromedp.Run(v.b.ctx, page.HandleJavaScriptDialog(true)) }()
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		v.errors = append(v.errors, text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError {
			text := "console:"
			for _, a := range e.Args {
				text += " " + string(a.Value) + a.Description
			}
			v.errors = append(v.errors, text)
		}
	case *log.EventEntryAdded:
		// Failed requests are counted as missing parts, and stopped ones as attempts to leave. Entries
		// about directives concern the policy of the engine, not the page.
		if e.Entry.Level == log.LevelError && e.Entry.Source != log.SourceNetwork &&
			!aboutPolicy.MatchString(e.Entry.Text) {
			v.errors = append(v.errors, e.Entry.Text)
		}
	}
}

var aboutPolicy = regexp.MustCompile(`Content[ -]Security[ -]Policy`)

func (v *meter) reset() {
	v.mu.Lock()
	defer v.mu.Unlock()
	clear(v.requests)
	v.errors, v.last = nil, time.Now()
}

// quiet reports whether no event came for a while. Requests that stay open do not count.
func (v *meter) quiet(while time.Duration) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if time.Since(v.last) < while {
		return false
	}
	for _, r := range v.requests {
		if !r.ended && r.status == 0 && time.Since(v.last) < 4*while {
			return false
		}
	}
	return true
}

// look opens an address and waits until the network is quiet, 15 seconds at most.
func (v *meter) look(t *testing.T, address string, while time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(v.b.ctx, 20*time.Second)
	defer cancel()
	if err := chromedp.Run(ctx, chromedp.ActionFunc(func(ctx context.Context) error {
		_, _, _, _, err := page.Navigate(address).Do(ctx)
		return err
	})); err != nil {
		t.Logf("%s: %v", address, err)
	}
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if (address == emptyPage || v.begun()) && v.quiet(while) && (!v.busy() || v.quiet(while)) {
			return
		}
	}
}

const emptyPage = "about:blank"

// begun reports whether the browser has requested anything archived: the worker of wabac.js starts
// before, and that takes time without requests.
func (v *meter) begun() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, r := range v.requests {
		if _, own, _ := v.original(r.url); own {
			return true
		}
	}
	return false
}

// busy waits until the scripts of the page let another one run, and reports whether that took time.
func (v *meter) busy() bool {
	ctx, cancel := context.WithTimeout(v.b.ctx, 5*time.Second)
	defer cancel()
	begun := time.Now()
	err := chromedp.Run(ctx, chromedp.Evaluate("1", nil))
	return err != nil || time.Since(begun) > 100*time.Millisecond
}

// measure visits an archived page twice, and measures the second visit: at the first one the workers
// of the engines are not yet in charge. A page without a listener is live, and visited once.
func (v *meter) measure(t *testing.T, address, front string, l *live) (m measure) {
	t.Helper()
	before := 0
	if l != nil {
		v.look(t, emptyPage, 50*time.Millisecond)
		v.reset()
		v.look(t, address, 400*time.Millisecond)
		before = len(l.all())
	}
	v.look(t, emptyPage, 50*time.Millisecond)
	time.Sleep(100 * time.Millisecond)
	v.reset()
	v.look(t, address, settled())
	ctx, cancel := context.WithTimeout(v.b.ctx, 20*time.Second)
	defer cancel()
	if err := chromedp.Run(ctx, chromedp.CaptureScreenshot(&m.Shot)); err != nil {
		t.Logf("%s has no picture: %v", address, err)
	}
	if l != nil {
		m.Came = len(l.all()) - before
	}
	v.count(&m, front)
	if p, err := png.Decode(bytes.NewReader(m.Shot)); err == nil {
		m.pictured, m.Blank = p, blank(p)
	}
	return m
}

// settled is how long the network must be quiet before a page counts as loaded.
func settled() time.Duration {
	if os.Getenv("QUIRE_PROVE") == "" {
		return 600 * time.Millisecond
	}
	return 1300 * time.Millisecond
}

// archivedURL matches the addresses of captures in all three engines, some without their scheme.
var archivedURL = regexp.MustCompile(`/\d{0,14}(?:(?:[a-z]{2,5}_)?/(?:https?|ftp)(?::|%3[aA])|[a-z]{2,5}_/)` +
	`(//?[^/].*)$`)

// original returns the address that a request is for, and whether it is one of the page's own.
func (v *meter) original(address string) (original string, own, outside bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "ws" && u.Scheme != "wss" {
		return "", false, false // data: and blob: leave emptyPage, and lack emptyPage
	}
	if strings.HasSuffix(u.Path, ".ico") { // the browser's own request, at times, for pages without a frame
		return "", false, false
	}
	u.Fragment = ""
	if !v.own(u.Host) {
		return u.String(), false, true
	}
	if m := archivedURL.FindStringSubmatch(u.String()); m != nil {
		return "http://" + strings.TrimLeft(m[1], "/"), !strings.HasSuffix(u.Path, "/__wb_module_decl.js"), false
	}
	return u.RequestURI(), !v.engine(u.Path), false
}

// count counts the events of a visit. A part is missing if none of its requests was answered.
func (v *meter) count(m *measure, front string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	loaded, missing, left := map[string]bool{}, map[string]bool{}, map[string]bool{}
	m.NoPage = true
	for _, r := range v.requests {
		original, own, outside := v.original(r.url)
		if first, ok, _ := v.original(r.first); ok && own { // of a leak, the host that was reached counts
			original = first // as engines that follow redirects in a worker show it
		}
		original = partOf(front, original)
		good := (!r.failed || r.stopped) && r.status > 0 && r.status < 400
		switch {
		case outside && r.worker && good:
			loaded[original] = true
		case outside:
			left[original], missing[original] = true, true
		case !own:
		case good:
			loaded[original] = true
			if r.document && alike(original, front) {
				m.NoPage = false
			}
		case r.ended && !r.stopped, r.status >= 400:
			missing[original] = true
		}
	}
	for name := range loaded {
		delete(missing, name)
	}
	m.Missing, m.Left = slices.Sorted(maps.Keys(missing)), slices.Sorted(maps.Keys(left))
	m.Loaded, m.Errors = slices.Sorted(maps.Keys(loaded)), slices.Clone(v.errors)
}

// partOf returns the name of a part of a page, the same by all engines: without scheme and escapes.
// A part without a host was requested by its path alone, on the replay host of the page.
func partOf(front, original string) string {
	if strings.HasPrefix(original, "/") {
		if u, err := url.Parse(front); err == nil {
			original = u.Scheme + "://" + u.Host + original
		}
	}
	return plain(original)
}

// alike reports whether two addresses are one page: scheme, www and the last slash do not matter.
func alike(a, b string) bool { return plain(a) == plain(b) }

func plain(s string) string {
	s, _, _ = strings.Cut(s, "#")
	if _, rest, ok := strings.Cut(s, ":/"); ok {
		s = strings.TrimLeft(rest, "/")
	}
	host, path, _ := strings.Cut(s, "/")
	host = strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(host), "www."), ":80")
	if p, err := url.PathUnescape(path); err == nil {
		path = p
	}
	return host + "/" + strings.TrimRight(path, "/?")
}

// blank reports whether a picture has one colour.
func blank(p image.Image) bool { return differs(p, nil) == 0 }

// differs returns the share of the pixels of a that are not those of b: the sum of the differences
// of the three colours is over 48, of 765. Without b, the first pixel of a stands for all of b.
func differs(a, b image.Image) float64 {
	if b != nil && a.Bounds() != b.Bounds() {
		return 1
	}
	n, all := 0, a.Bounds().Dx()*a.Bounds().Dy()
	far := func(x, y uint32) int { return max(int(x>>8)-int(y>>8), int(y>>8)-int(x>>8)) }
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			other := a.At(a.Bounds().Min.X, a.Bounds().Min.Y)
			if b != nil {
				other = b.At(x, y)
			}
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := other.RGBA()
			if far(r1, r2)+far(g1, g2)+far(b1, b2) > 48 {
				n++
			}
		}
	}
	return float64(n) / float64(max(all, 1))
}
