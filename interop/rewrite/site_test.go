//go:build interop

package rewrite

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"quire/access/rewrite"
)

// archive is a minimal replay that serves its pages from a table. A listener replaces all other
// hosts.
type archive struct {
	pages   map[string]string // URL to its type, a newline, and its body
	worker  bool              // pages may use a worker
	sandbox bool              // pages have no origin, as with a single host
	framed  bool              // pages are in the frame of the banner

	mu        sync.Mutex
	asked     []string // KIND URL of the requests to the replay
	leaked    []string // first lines of requests to other hosts
	connected []string // connections without a request
	told      []string // messages of archived pages to the banner
	posted    map[string]string
	wake      chan struct{}

	server *httptest.Server
	live   net.Listener
}

func newArchive(t *testing.T, pages map[string]string, worker bool) *archive {
	a := &archive{pages: pages, worker: worker, posted: map[string]string{}, wake: make(chan struct{}, 1)}
	a.server = httptest.NewServer(a)
	t.Cleanup(a.server.Close)
	var err error
	if a.live, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.live.Close() })
	go a.listen()
	return a
}

func (a *archive) note(list *[]string, what string) {
	a.mu.Lock()
	*list = append(*list, what)
	a.mu.Unlock()
}

// listen records every connection.
func (a *archive) listen() {
	for {
		c, err := a.live.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			b := make([]byte, 300)
			n, _ := c.Read(b)
			line, _, _ := strings.Cut(string(b[:n]), "\r\n")
			_, host, _ := strings.Cut(string(b[:n]), "Host: ")
			host, _, _ = strings.Cut(host, "\r\n")
			switch {
			case n == 0: // the browser connects before it checks the frame's policy (docs/reference/550_rewriting.md)
				a.note(&a.connected, c.RemoteAddr().String())
				return
			case b[0] == 0x16:
				line = "TLS"
			}
			a.note(&a.leaked, line+" "+host)
		}()
	}
}

// banner shows an archived page in a frame and records its messages.
const banner = `<!DOCTYPE html><title>Ours</title><iframe name="quire-replay" src="%s" width=800 height=600></iframe>
<script>let before = Promise.resolve(); // one after the other: what is sent at once may arrive in any order
addEventListener('message', (e) => { if (e.data.type === 'quire-replay') before = before.then(() => ` +
	`fetch('/told', { method: 'POST', body: e.data.url + ' ' + e.data.title })); });</script>`

var replayURL = regexp.MustCompile(`^/all~k\.1/(\d+)([a-z]{2}_)/(.*)$`)

// ServeHTTP is a minimal replay.
func (a *archive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/banner" { // on localhost: our own pages; archived pages have a different host
		_, _ = fmt.Fprintf(w, banner, r.URL.Query().Get("show"))
		return
	}
	if r.URL.Path == "/told" {
		b, _ := io.ReadAll(r.Body)
		a.note(&a.told, string(b))
		return
	}
	if strings.HasPrefix(r.URL.Path, "/static/") {
		rewrite.Assets("/").ServeHTTP(w, r)
		return
	}
	m := replayURL.FindStringSubmatch(r.RequestURI)
	if m == nil {
		a.note(&a.asked, "none "+r.RequestURI)
		http.NotFound(w, r)
		return
	}
	kind, url := rewrite.Kind(m[2]), m[3]
	a.note(&a.asked, r.Method+" "+string(kind)+" "+url)
	if r.Method == http.MethodPost {
		b, _ := io.ReadAll(r.Body)
		a.mu.Lock()
		a.posted[url] = string(b)
		a.mu.Unlock()
		if strings.HasSuffix(url, "/report") {
			select {
			case a.wake <- struct{}{}:
			default: // the worker is already installed
			}
		}
	}
	page, ok := a.pages[url]
	if !ok {
		http.NotFound(w, r)
		return
	}
	mime, body, _ := strings.Cut(page, "\n")
	w.Header().Set("Content-Type", mime)
	rewrite.Guard(w.Header(), rewrite.Policy("http://localhost:*"))
	if a.sandbox {
		rewrite.Guard(w.Header(), rewrite.Sandbox())
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "*")
		if r.Method == http.MethodOptions {
			return
		}
	}
	head := rewrite.Markup{
		Prefix: "/", Static: "/static/", Collection: "all~k.1", Timestamp: m[1], URL: url,
		UI:     "http://localhost:" + a.server.URL[strings.LastIndex(a.server.URL, ":")+1:],
		Target: "quire-replay", Framed: kind == rewrite.Frame, NoWorker: !a.worker,
	}
	if kind == "wk_" || kind == "wm_" { // the first script of a worker
		_, _ = w.Write(head.Worker(kind == "wm_", fmt.Sprintf("/all~k.1/%sjs_/%s", m[1], url)))
		return
	}
	rw := rewrite.Rewriter{
		Base: url,
		URL: func(kind rewrite.Kind, url string) string {
			return fmt.Sprintf("/all~k.1/%s%s/%s", m[1], kind, url)
		},
		Target: "quire-replay", Framed: kind == rewrite.Frame, Head: head.HTML(),
	}
	_ = rw.Rewrite(w, strings.NewReader(body), rewrite.Sniff(kind, mime, []byte(body)))
}
