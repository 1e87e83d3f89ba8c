// Package replay serves captures as web pages: /COLL/TIMESTAMP[MOD]/URL, with TimeGate and TimeMaps
// by Memento (RFC 7089). docs/reference/545_replay.md lists requests and responses.
//
// Strangers wrote the content. So this host differs from that of our own pages: it has no cookies,
// and asks for no password. Access beyond the public's is part of the path (Capability). It never
// fetches anything from the live web.
package replay

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"

	"quire/access/address"
	"quire/access/near"
	"quire/access/pages/uistrings"
	"quire/access/rewrite"
	"quire/access/siterules"
	"quire/holdings"
	"quire/holdings/captures"
)

// Archive is the source of captures: *holdings.Holdings.
type Archive interface {
	Captures(ctx context.Context, who holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged, error]
	Read(ctx context.Context, who holdings.Reader, c *captures.Capture) (*holdings.Content, error)
	InCollection(collection string) (packages []string, known bool)
}

// Options of a Handler.
type Options struct {
	UI   address.UI     // URL of our own pages
	Base address.Replay // URL of the handler; "" means the requested host
	// URL with a wildcard if each archived site has its own host; else "" (sites.go)
	Sites  address.Replay
	Path   string // the path of Base and Sites
	Origin string // origin of our pages that may frame archived pages; "" if on this host
	Key    *Key   // for capabilities

	// Class returns the class of a client's address, for capabilities bound to it. Public if nil.
	Class func(*http.Request) holdings.Class

	// CDX answers queries of a collection; may be nil.
	CDX func(w http.ResponseWriter, r *http.Request, q address.Request, who holdings.Reader)

	// Problem is called with read errors, from several goroutines. May be nil.
	Problem func(error)

	// Wanted returns the attempts of crawlers to capture a URL without a capture, for the reader. It must
	// not make the reader wait. May be nil.
	Wanted func(context.Context, holdings.Reader, near.Question) []near.Want

	// Rules returns the rules by which a captured request answers one that was not captured. Nil means
	// our own.
	Rules func() *siterules.Set

	Words *uistrings.Choice // languages of refusals; nil means English

	Now func() time.Time // nil means time.Now
}

// Handler serves the replay host.
type Handler struct {
	archive Archive
	o       Options
	nonce   string // of this process, for ETags
}

// New returns a handler.
func New(a Archive, o Options) *Handler {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Problem == nil {
		o.Problem = func(error) {}
	}
	if o.Rules == nil {
		o.Rules = siterules.Own
	}
	if o.Class == nil {
		o.Class = func(*http.Request) holdings.Class { return holdings.Public }
	}
	return &Handler{archive: a, o: o, nonce: rand.Text()}
}

// call is one request and its response.
type call struct {
	*Handler
	w        http.ResponseWriter
	r        *http.Request
	q        address.Request
	who      holdings.Reader
	packages []string // of the collection; nil for all
	base     address.Replay
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{Handler: h, w: w, r: r, who: holdings.Reader{Class: holdings.Public}, base: h.baseOf(r)}
	c.guard()
	if h := r.Header.Get("Service-Worker"); h == "script" {
		c.refuse(http.StatusForbidden, refusal{key: "worker"})
		return
	}
	if r.Method == http.MethodOptions {
		c.options()
		return
	}
	q, ok := address.ParseReplay(strings.TrimPrefix(r.RequestURI, h.o.Path))
	if !ok {
		c.stray()
		return
	}
	c.q = q
	var err error
	if c.who, err = h.Reader(r, q.In); err != nil {
		c.noPermission(err)
		return
	}
	if c.packages, ok = h.archive.InCollection(q.In.Collection); !ok {
		c.stray()
		return
	}
	if err := c.answer(); err != nil {
		c.fail(err)
	}
}

// Serve answers a time map or CDX query for a reader with known rights. The host of our own pages
// offers them too.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, q address.Request, who holdings.Reader) {
	c := &call{Handler: h, w: w, r: r, q: q, who: who, base: h.baseOf(r)}
	c.guard()
	// rights by network address must not serve other sites' pages in the reader's browser
	if who.Class != holdings.Public {
		w.Header().Del("Access-Control-Allow-Origin")
		w.Header().Del("Access-Control-Expose-Headers")
	}
	var ok bool
	if c.packages, ok = h.archive.InCollection(q.In.Collection); !ok {
		c.notFound(nil)
		return
	}
	if err := c.answer(); err != nil {
		c.fail(err)
	}
}

func (c *call) answer() error {
	switch c.q.Kind {
	case address.Capture:
		return c.capture()
	case address.TimeGate:
		return c.timeGate()
	case address.TimeMap:
		return c.timeMap()
	case address.Calendar:
		c.redirect(http.StatusFound, c.o.UI.Versions(c.q.In.Collection, c.q.URL))
		return nil
	case address.CDX:
		if c.o.CDX != nil {
			c.o.CDX(c.w, c.r, c.q, c.who)
			return nil
		}
	}
	c.notFound(nil)
	return nil
}

// Reader returns the rights of a request to the replay host: public access, unless its path has a
// capability. Address and password do not count: an archived page may have made the request.
func (h *Handler) Reader(r *http.Request, in address.In) (holdings.Reader, error) {
	who := holdings.Reader{Class: holdings.Public}
	if in.Capability == "" {
		return who, nil
	}
	if h.o.Key == nil {
		return who, ErrForged
	}
	capability, err := h.o.Key.Read(in.Capability, h.o.Now())
	if err != nil {
		return who, err
	}
	who.Class, who.Packages = capability.Class, capability.Packages
	if capability.Network && rank(h.o.Class(r)) < rank(capability.Class) {
		return holdings.Reader{Class: holdings.Public}, errElsewhere
	}
	return who, nil
}

// errElsewhere reports a capability issued in a reading room and used elsewhere.
var errElsewhere = errors.New("the access token in this address works only in the reading rooms")

func rank(c holdings.Class) int {
	switch c {
	case holdings.Staff:
		return 2
	case holdings.OnSite:
		return 1
	}
	return 0
}

// baseOf returns the URL of the requested host.
func (h *Handler) baseOf(r *http.Request) address.Replay {
	switch {
	case h.o.Sites != "" && h.o.Sites.Serves(r.Host):
		return h.o.Sites
	case h.o.Base != "":
		return h.o.Base
	}
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	host := r.Host
	if strings.ContainsFunc(host, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"'<>/\?#@,;`, r)
	}) {
		host = "invalid"
	}
	return address.Replay(scheme + host + h.o.Path)
}

// guard sets the headers of every response of this host, regardless of archived headers.
func (c *call) guard() {
	h := c.w.Header()
	c.confine(c.o.Sites == "")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Origin-Agent-Cluster", "?1") // no document.domain, no process shared with other sites
	// stray uses the referrer to redirect misdirected requests; no capability leaks
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Access-Control-Allow-Origin", "*") // rights are in the path: its holder may read
	h.Set("Access-Control-Expose-Headers", "*, Link, Memento-Datetime, Content-Range, Location")
}

// confine restricts the page to this host and to the hosts of other archived sites.
func (c *call) confine(sandboxed bool) {
	policy := rewrite.Among(rewrite.Policy(c.o.Origin), c.o.Sites.Origin())
	switch {
	case c.raw():
		policy = rewrite.SandboxRaw()
	case sandboxed:
		policy = rewrite.Sandbox()
	}
	rewrite.Guard(c.w.Header(), policy, c.hosts()...)
}

// hosts returns the hosts that readers may visit from here: of our own pages, and of archived
// sites.
func (c *call) hosts() []string { return []string{c.o.Origin, c.o.Sites.Origin()} }

// options answers CORS preflight requests (Fetch, 4.8).
func (c *call) options() {
	h := c.w.Header()
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE")
	h.Set("Access-Control-Allow-Headers", "*, Accept-Datetime, Authorization, Content-Type, Range")
	h.Set("Access-Control-Max-Age", "600")
	h.Set("Allow", "GET, HEAD, POST, OPTIONS")
	c.w.WriteHeader(http.StatusNoContent)
}

// redirect redirects the reader. The address is ours, without control characters; http.Redirect
// would clean the URL in it.
func (c *call) redirect(status int, to string) {
	c.w.Header().Set("Location", headerSafe(to))
	c.w.WriteHeader(status)
}

// private sets the cache headers. Restricted content must not be stored; caches must revalidate the
// rest each time, because rights can change at any moment.
func (c *call) private(v holdings.Verdict) {
	policy := "no-cache"
	if v != holdings.Open || c.q.In.Capability != "" || c.who.Class != holdings.Public {
		policy = "private, no-store"
	}
	c.w.Header().Set("Cache-Control", policy)
}

// vary adds a request field that the response depends on. All such fields are in one line, because
// some clients read only the last Vary line.
func (c *call) vary(field string) {
	h := c.w.Header()
	if old := h.Get("Vary"); old != "" {
		field = old + ", " + field
	}
	h.Set("Vary", field)
}

// drain closes a body.
func drain(b io.Closer) { _ = b.Close() } // only read
