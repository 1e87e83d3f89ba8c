package caddy

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"quire/oai/crate"
	"quire/oai/site"
)

// retryEvery is the interval between attempts to open the index that another process holds.
const retryEvery = 5 * time.Second

// endpoint answers harvesters. If another process holds the site's index, the endpoint waits for
// it. That process may be the previous server, about to end, or a server that runs while an
// administrator checks a configuration (caddy validate).
type endpoint struct {
	path string
	site http.Handler // for visitors, while made is nil
	make func() (*crate.Middleware, error)

	mu     sync.Mutex
	made   *crate.Middleware // nil while another process holds the index
	tried  time.Time
	closed bool
}

// open opens the index and starts the handler. It returns no error if another process holds the
// index.
func (e *endpoint) open() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.try()
}

func (e *endpoint) try() (err error) {
	e.tried = time.Now()
	made, err := e.make()
	if errors.Is(err, site.ErrInUse) {
		logger().Warn("harvesters get 503 and visitors are served: " + err.Error())
		return nil
	}
	if err == nil {
		e.made = made
	}
	return err
}

// now returns the handler, or nil if the index is not open yet.
func (e *endpoint) now() *crate.Middleware {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.made == nil && !e.closed && time.Since(e.tried) >= retryEvery {
		if err := e.try(); err != nil {
			logger().Error(err.Error())
		}
	}
	return e.made
}

// ServeHTTP implements http.Handler.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	made := e.now()
	switch {
	case made != nil:
		made.ServeHTTP(w, r)
	case r.URL.Path == e.path || strings.HasPrefix(r.URL.Path, e.path+"/"):
		w.Header().Set("Retry-After", "10")
		http.Error(w, "come again", http.StatusServiceUnavailable)
	default:
		e.site.ServeHTTP(w, r)
	}
}

// close closes the handler.
func (e *endpoint) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.made == nil {
		return nil
	}
	return e.made.Close()
}
