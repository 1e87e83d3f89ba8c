package browser

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// chromium is one running browser with its own window.
type chromium struct{ ctx context.Context }

// open starts Chromium. The rules map hosts to addresses: MAP PATTERN HOST:PORT, EXCLUDE PATTERN.
func open(t *testing.T, rules string, more ...chromedp.ExecAllocatorOption) *chromium {
	t.Helper()
	profile, err := os.MkdirTemp("", "quire-chromium-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(profile) }) // files that Chromium writes at its end may remain
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox, // Chromium has no sandbox when the tests run as root
		chromedp.Flag("host-resolver-rules", rules+", EXCLUDE *.localhost"), // they resolve to this machine
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-features",
			"OptimizationHints,MediaRouter,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable"),
		chromedp.Flag("ignore-certificate-errors", true),
		chromedp.UserDataDir(profile), chromedp.WSURLReadTimeout(patience),
	)
	if path := os.Getenv("CHROMIUM"); path != "" {
		options = append(options, chromedp.ExecPath(path))
	}
	allocated, stop := chromedp.NewExecAllocator(context.Background(), append(options, more...)...)
	ctx, cancel := chromedp.NewContext(allocated)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits until the browser has saved its data
		cancel()
		stop()
	})
	if err := chromedp.Run(ctx); err != nil {
		t.Fatalf("Chromium does not start: %v", err)
	}
	return &chromium{ctx}
}

// patience is the time limit for expected events, even on a busy machine.
const patience = 3 * time.Minute

// do runs steps.
func (b *chromium) do(t *testing.T, what string, steps ...chromedp.Action) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Run(ctx, steps...); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// visit opens a page and waits until it is loaded.
func (b *chromium) visit(t *testing.T, url string) {
	t.Helper()
	b.do(t, url, chromedp.Navigate(url))
}

// settle opens a page and waits until its resources are loaded, but at most five seconds: pages of
// real crawls may request missing captures again and again.
func (b *chromium) settle(url string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		if err := chromedp.Navigate(url).Do(ctx); err != nil {
			return err
		}
		for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			var done bool
			const all = `document.readyState === "complete" && [...document.images].every(i => i.complete || ` +
				`i.loading === "lazy")`
			if err := chromedp.Evaluate(all, &done).Do(ctx); err == nil && done {
				return nil
			}
		}
		return nil
	})
}

// checks opens the front page of the website and returns the results of its checks.
func (b *chromium) checks(t *testing.T, url string) map[string]any {
	t.Helper()
	b.visit(t, url)
	b.waitFor(t, url, "window.checks && window.escaped")
	return value[map[string]any](t, b, "window.checks")
}

// waitFor waits until an expression is true in the page, across reloads.
func (b *chromium) waitFor(t *testing.T, what, expression string) {
	t.Helper()
	if b.comes(expression, patience) {
		return
	}
	var text string
	b.do(t, what,
		chromedp.Evaluate("location.href + ' ' + JSON.stringify(window.checks || null) + "+
			"document.documentElement.outerHTML.slice(0, 2000)", &text))
	t.Fatalf("%s: %s never came: %s", what, expression, text)
}

// comes reports whether an expression becomes true within a time.
func (b *chromium) comes(expression string, while time.Duration) bool {
	for end := time.Now().Add(while); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		var yes bool
		ctx, cancel := context.WithTimeout(b.ctx, 20*time.Second)
		err := chromedp.Run(ctx, chromedp.Evaluate("!!("+expression+")", &yes))
		cancel()
		if err == nil && yes {
			return true
		}
	}
	return false
}

// always runs a script in every page before the page's own.
func (b *chromium) always(t *testing.T, script string) {
	t.Helper()
	b.do(t, "a script", chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(script).Do(ctx)
		return err
	}))
}

// value returns the value of an expression in the page. It retries if the value is missing, because
// the page that installs the worker is loaded a second time.
func value[T any](t *testing.T, b *chromium, expression string) (v T) {
	t.Helper()
	var text string
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(b.ctx, 20*time.Second)
		err = chromedp.Run(ctx, chromedp.Evaluate("JSON.stringify("+expression+")", &text))
		cancel()
		if err == nil {
			break
		}
	}
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %q: %v", expression, text, err)
	}
	return v
}

// listenLive starts a listener for requests that leave the archive, by any protocol.
func listenLive(t *testing.T) (l *live, address string) {
	t.Helper()
	l = listenFor(t, patience) // a client may wait before its request
	return l, l.address
}

// listenFor starts a listener. It records a connection without a request as an empty line.
func listenFor(t *testing.T, while time.Duration) (l *live) {
	t.Helper()
	in, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l = &live{address: in.Addr().String()}
	t.Cleanup(func() { _ = in.Close() })
	go func() {
		for {
			c, err := in.Accept()
			if err != nil {
				return
			}
			go func() {
				_ = c.SetReadDeadline(time.Now().Add(while))
				l.note(said(c))
				_,
					_ = io.WriteString(c,
					"HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n")
				_ = c.Close()
			}()
		}
	}()
	return l
}

// said returns the request of a client as one line: the server name for TLS, otherwise its first
// line.
func said(c net.Conn) string {
	r := bufio.NewReader(c)
	if first, err := r.Peek(1); err == nil && first[0] == 0x16 { // a handshake (RFC 8446, 5.1)
		name := "?"
		_ = tls.Server(behind{c, r}, &tls.Config{GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config,
			error) {
			name = hello.ServerName
			return nil, errors.New("nobody is here")
		}}).Handshake()
		return "TLS " + name
	}
	var lines []string
	for range 3 {
		line, err := r.ReadString('\n')
		if lines = append(lines, strings.TrimSpace(line)); err != nil {
			break
		}
	}
	return strings.Join(lines, " | ")
}

// behind is a connection whose first bytes were already read into a buffer.
type behind struct {
	net.Conn
	r *bufio.Reader
}

// Read implements io.Reader.
func (b behind) Read(p []byte) (int, error) { return b.r.Read(p) }
