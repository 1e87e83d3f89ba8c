package caddy

import (
	"context"
	"crypto/tls"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"
	"go.uber.org/zap"

	"quire/internal/accesscontrol"
	"quire/oai/config"
	"quire/oai/crate"
	"quire/oai/site"
)

// pool holds the running endpoints by their configuration. When Caddy reloads and a site's settings
// are unchanged, its index, tools and current harvests continue. Two servers of one site, as for
// http and https, also share one endpoint.
var pool = caddy.NewUsagePool()

// running is the endpoint of a site.
type running struct {
	endpoint *endpoint

	// the server with the site in the active configuration; nil if there is no such server
	server atomic.Pointer[caddyhttp.Server]
	once   sync.Once
	known  chan struct{} // closed after the search for the server
}

// run starts the endpoint of a site.
func run(c config.Config) (*running, error) {
	r := &running{known: make(chan struct{})}
	g, err := accesscontrol.New(c.Config, accesscontrol.Options{Refused: refused})
	if err != nil {
		return nil, err
	}
	o := c.HandlerOptions()
	o.Gate = g.Wrap
	o.Problem = func(problem string) { logger().Warn(problem) }
	next := http.HandlerFunc(r.next)
	r.endpoint = &endpoint{path: c.Endpoint, site: next, make: func() (*crate.Middleware, error) {
		return crate.Handler(next, o)
	}}
	if err := r.endpoint.open(); err != nil {
		return nil, err
	}
	logger().Info("may be harvested", zap.String("at", c.Base), zap.Strings("allowed", g.Agreements()),
		zap.String("state", c.State))
	return r, nil
}

// logger returns the logger of the active configuration. Caddy closes the logger of the
// configuration that started the endpoint.
func logger() *zap.Logger { return caddy.Log().Named("http.handlers.crate") }

func refused(no accesscontrol.Refusal) {
	logger().Info("refused", zap.Int("status", no.Status), zap.String("why", no.Why), zap.String("address", no.Address),
		zap.String("user", no.User))
}

// Destruct implements caddy.Destructor.
func (r *running) Destruct() error { return r.endpoint.close() }

// visit is a visitor's request on its way through our handler, which returns no errors.
type visit struct {
	next caddyhttp.Handler
	err  error
}

// visitVar is the name of the visit among the variables of a request.
const visitVar = "quire.crate.visit"

// next answers for the site. A visitor's request continues in its handler chain; an internal
// request starts at the server.
func (r *running) next(w http.ResponseWriter, req *http.Request) {
	if v, ok := caddyhttp.GetVar(req.Context(), visitVar).(*visit); ok && !site.Internal(req) {
		v.err = v.next.ServeHTTP(w, req)
		return
	}
	select {
	case <-r.known:
	case <-req.Context().Done():
	}
	server := r.server.Load()
	if server == nil {
		http.Error(w, "no site in the configuration answers here", http.StatusServiceUnavailable)
		return
	}
	server.ServeHTTP(w, req)
}

// Handle runs when the configuration is active. It searches the servers for the one with the site.
func (c *Crate) Handle(context.Context, caddy.Event) error {
	defer c.running.once.Do(func() { close(c.running.known) })
	app, err := c.context.App("http")
	if err != nil {
		return err
	}
	for _, server := range app.(*caddyhttp.App).Servers {
		if c.leadsHere(server) {
			c.running.server.Store(server)
			return nil
		}
	}
	c.running.server.Store(nil)
	logger().Warn("no harvest is possible: a request for the base URL does not reach the site with the " +
		"directive crate; check that base is the URL of this site on this server")
	return nil
}

// probe is the result of a request that only tests whether it reaches an endpoint.
type probe struct {
	of      *running
	reached bool
}

type probeKey struct{}

func probeOf(r *http.Request) *probe {
	p, _ := r.Context().Value(probeKey{}).(*probe)
	return p
}

// leadsHere reports whether the server routes a request for the base URL to this handler.
func (c *Crate) leadsHere(server *caddyhttp.Server) bool {
	p := &probe{of: c.running}
	r, err := http.NewRequestWithContext(context.WithValue(c.context, probeKey{}, p), http.MethodGet, c.Base,
		http.NoBody)
	if err != nil {
		return false
	}
	r.RequestURI, r.RemoteAddr = r.URL.RequestURI(), "192.0.2.1:80" // an unused address (RFC 5737)
	r.URL.Scheme, r.URL.Host = "", ""
	if strings.HasPrefix(c.Base, "https:") {
		r.TLS = &tls.ConnectionState{HandshakeComplete: true, ServerName: r.Host}
	}
	server.ServeHTTP(&nowhere{header: http.Header{}}, r)
	return p.reached
}

// nowhere discards a response.
type nowhere struct{ header http.Header }

func (n *nowhere) Header() http.Header         { return n.header }
func (n *nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (n *nowhere) WriteHeader(int)             {}
