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

// pool has what runs, by its configuration: when Caddy reads its configuration anew and nothing has
// changed in that of a site, then the site's index, its tools and the harvests that are under way
// go on. So do two servers, as for http and https, share what is of one site.
var pool = caddy.NewUsagePool()

// running is the endpoint of a site.
type running struct {
	endpoint *endpoint

	// that of the configuration that holds now; nil when none of it has the site
	server atomic.Pointer[caddyhttp.Server]
	once   sync.Once
	known  chan struct{} // closed when the server was looked for
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
	logger().Info("may be harvested", zap.String("at", c.Base), zap.Strings("allowed", g.Holds()),
		zap.String("state", c.State))
	return r, nil
}

// logger gives the one of the configuration that holds: that of the one in which we began is closed
// with it.
func logger() *zap.Logger { return caddy.Log().Named("http.handlers.crate") }

func refused(no accesscontrol.Refusal) {
	logger().Info("refused", zap.Int("status", no.Status), zap.String("why", no.Why), zap.String("address", no.Address),
		zap.String("user", no.User))
}

// Destruct implements caddy.Destructor.
func (r *running) Destruct() error { return r.endpoint.close() }

// visit is a request of a visitor, on its way through our handler, which knows of no errors.
type visit struct {
	next caddyhttp.Handler
	err  error
}

// visitVar is its name among the variables of a request.
const visitVar = "quire.crate.visit"

// next answers for the site: a visitor's request goes on where it was, one of ours begins at the
// front door.
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
		http.Error(w, "no site of the configuration answers here", http.StatusServiceUnavailable)
		return
	}
	server.ServeHTTP(w, req)
}

// Handle is told that the configuration holds: now its servers can be asked which of them has the
// site.
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
	logger().Warn("nothing can be harvested: a request for the base URL does not come to the site that has the " +
		"directive crate; " +
		"is base the URL under which this server knows the site?")
	return nil
}

// probe is what a request looks for that only asks whether it comes to an endpoint.
type probe struct {
	of      *running
	reached bool
}

type probeKey struct{}

func probeOf(r *http.Request) *probe {
	p, _ := r.Context().Value(probeKey{}).(*probe)
	return p
}

// leadsHere asks a server whether a request for the base URL comes here.
func (c *Crate) leadsHere(server *caddyhttp.Server) bool {
	p := &probe{of: c.running}
	r, err := http.NewRequestWithContext(context.WithValue(c.context, probeKey{}, p), http.MethodGet, c.Base,
		http.NoBody)
	if err != nil {
		return false
	}
	r.RequestURI, r.RemoteAddr = r.URL.RequestURI(), "192.0.2.1:80" // of nobody (RFC 5737)
	r.URL.Scheme, r.URL.Host = "", ""
	if strings.HasPrefix(c.Base, "https:") {
		r.TLS = &tls.ConnectionState{HandshakeComplete: true, ServerName: r.Host}
	}
	server.ServeHTTP(&nowhere{header: http.Header{}}, r)
	return p.reached
}

// nowhere takes an answer that nobody reads.
type nowhere struct{ header http.Header }

func (n *nowhere) Header() http.Header         { return n.header }
func (n *nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (n *nowhere) WriteHeader(int)             {}
