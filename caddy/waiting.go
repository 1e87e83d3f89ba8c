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

// retryEvery is how often is tried again whether the other process has let go of the index.
const retryEvery = 5 * time.Second

// endpoint is what answers harvesters. Where another process keeps the index of the site it waits
// for it: that may be the server before this one, which is about to end, or the one that runs while
// somebody only has a configuration checked (caddy validate).
type endpoint struct {
	path string
	site http.Handler // for visitors, while there is nothing else
	make func() (*crate.Middleware, error)

	mu     sync.Mutex
	made   *crate.Middleware // nil while the index is another's
	tried  time.Time
	closed bool
}

// open makes what answers. It is no error that the index is another's.
func (e *endpoint) open() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.try()
}

func (e *endpoint) try() (err error) {
	e.tried = time.Now()
	made, err := e.make()
	if errors.Is(err, site.ErrInUse) {
		logger().Warn("harvesters are told to come again, and visitors served: " + err.Error())
		return nil
	}
	if err == nil {
		e.made = made
	}
	return err
}

// now gives what answers, or nil while there is nothing.
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

// close ends it.
func (e *endpoint) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.made == nil {
		return nil
	}
	return e.made.Close()
}
