// Package replay shows captures as they were: /COLL/TIMESTAMP[MOD]/URL, with TimeGate and TimeMaps
// by Memento (RFC 7089). docs/reference/545_replay.md says what is answered to what.
//
// What is shown was written by strangers. So this host is not that of our own pages: it has no
// cookies, asks for no password, and what a reader may have beyond the public stands in the path
// (Capability). Nothing is ever fetched from the live web.
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
	"quire/access/rewrite"
	"quire/holdings"
	"quire/holdings/captures"
)

// Archive is what is asked for captures: *holdings.Holdings.
type Archive interface {
	Captures(ctx context.Context, who holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged, error]
	Read(ctx context.Context, who holdings.Reader, c *captures.Capture) (*holdings.Content, error)
	InCollection(collection string) (packages []string, known bool)
}

// Options of a Handler.
type Options struct {
	UI   address.UI     // where our own pages are, as a URL
	Base address.Replay // where the handler is, as a URL; "" when it is on whatever host was asked
	// where each archived site has a host of its own, with a wildcard; "" when none has (sites.go)
	Sites  address.Replay
	Path   string // the path of Base and Sites
	Origin string // of our own pages, which may show archived ones in a frame; "" when they are on this host
	Key    *Key   // of capabilities

	// Class says what the address of who asks makes of him, for capabilities that are bound to it.
	// Public when nil.
	Class func(*http.Request) holdings.Class

	// CDX answers queries of a collection. Nothing does when nil.
	CDX func(w http.ResponseWriter, r *http.Request, q address.Request, who holdings.Reader)

	// Problem is told what could not be read, from several goroutines. May be nil.
	Problem func(error)

	Now func() time.Time // time.Now when nil
}

// Handler answers all of the replay host.
type Handler struct {
	archive Archive
	o       Options
	nonce   string // of this process, for ETags
}

// New makes a handler.
func New(a Archive, o Options) *Handler {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Problem == nil {
		o.Problem = func(error) {}
	}
	if o.Class == nil {
		o.Class = func(*http.Request) holdings.Class { return holdings.Public }
	}
	return &Handler{archive: a, o: o, nonce: rand.Text()}
}

// call is one request that is being answered.
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
		c.refuse(http.StatusForbidden,
			refusal{Title: "No archived service workers",
				Text: "An archived page wanted to install a service worker. It would stand between you and all other " +
					"archived pages: so none is given."})
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

// Serve answers a time map or a query about a collection to somebody whose rights are known: such
// as our own pages' host has too.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, q address.Request, who holdings.Reader) {
	c := &call{Handler: h, w: w, r: r, q: q, who: who, base: h.baseOf(r)}
	c.guard()
	// what he may have by his address is not for the pages of others that his browser shows
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

// Reader says what a request to the replay host may have: what everybody may, unless there is a
// capability in its path. Not by its address, and not by a password: it may be made by an archived
// page.
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

// errElsewhere is that of a capability that was given in a reading room and is used outside.
var errElsewhere = errors.New("the permission in this address is good in the reading rooms only")

func rank(c holdings.Class) int {
	switch c {
	case holdings.Staff:
		return 2
	case holdings.OnSite:
		return 1
	}
	return 0
}

// baseOf is the URL at which this host was asked.
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

// guard sets what holds for every answer of this host, whatever was archived.
func (c *call) guard() {
	h := c.w.Header()
	c.confine(c.o.Sites == "")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Origin-Agent-Cluster", "?1") // no document.domain, and no process with other sites
	// requests that go astray are led back by it (stray); no capability leaves
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Access-Control-Allow-Origin", "*") // rights are in the path: who knows it may read it
	h.Set("Access-Control-Expose-Headers", "*, Link, Memento-Datetime, Content-Range, Location")
}

// confine keeps what is shown on this host, and those of other archived sites.
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

// hosts are those to which readers may go from here: of our own pages, and of archived sites.
func (c *call) hosts() []string { return []string{c.o.Origin, c.o.Sites.Origin()} }

// options answers the question of a browser whether a page may ask (Fetch, 4.8).
func (c *call) options() {
	h := c.w.Header()
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE")
	h.Set("Access-Control-Allow-Headers", "*, Accept-Datetime, Authorization, Content-Type, Range")
	h.Set("Access-Control-Max-Age", "600")
	h.Set("Allow", "GET, HEAD, POST, OPTIONS")
	c.w.WriteHeader(http.StatusNoContent)
}

// redirect sends a reader on. The address is ours, and has no control characters; http.Redirect
// would clean the URL in it.
func (c *call) redirect(status int, to string) {
	c.w.Header().Set("Location", headerSafe(to))
	c.w.WriteHeader(status)
}

// private says what caches may do: of what is not for everybody, they keep nothing; the rest they
// ask for again each time, because who may have something can change at any moment.
func (c *call) private(v holdings.Verdict) {
	policy := "no-cache"
	if v != holdings.Open || c.q.In.Capability != "" || c.who.Class != holdings.Public {
		policy = "private, no-store"
	}
	c.w.Header().Set("Cache-Control", policy)
}

// vary names a field of the request on which the answer depends, in one line with the others: some
// clients read but the last.
func (c *call) vary(field string) {
	h := c.w.Header()
	if old := h.Get("Vary"); old != "" {
		field = old + ", " + field
	}
	h.Set("Vary", field)
}

// drain gives what is left of a body free.
func drain(b io.Closer) { _ = b.Close() } // it was only read
