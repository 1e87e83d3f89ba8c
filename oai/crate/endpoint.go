package crate

import (
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"quire/oai/site"
)

// schemasPath is where the schemas of the formats are had that are Quire's own, below the endpoint.
const schemasPath = "/schemas"

// endpoint is what harvesters see: OAI-PMH, and beside it the sitemap, ResourceSync and schemas.
type endpoint struct {
	path      string
	provider  http.Handler
	publisher *site.Publisher
	schemas   http.Handler
	ready     func() bool
}

// isBelow says whether a path behind that of the endpoint, which is not "", is the endpoint's. All others are the site's own.
func isBelow(path string) bool {
	return path == "/" || strings.HasPrefix(path, schemasPath+"/") || site.Publishes(path)
}

// ServeHTTP implements http.Handler.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	below := strings.TrimPrefix(r.URL.Path, e.path)
	switch {
	case strings.HasPrefix(below, schemasPath+"/"):
		e.schemas.ServeHTTP(w, r)
	case !e.ready():
		later(w, 10, "the site is being looked at for the first time: lists are there when all of it was seen")
	case e.publisher.Has(r.URL.Path):
		e.publisher.ServeHTTP(w, r)
	default:
		e.provider.ServeHTTP(w, r)
	}
}

// later has a harvester come again, which OAI-PMH says by HTTP (clause 3.1.2.2).
func later(w http.ResponseWriter, seconds int, why string) {
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	http.Error(w, why, http.StatusServiceUnavailable)
}

// crowd lets some requests of harvesters through at once. Some more wait a little; the others are told when to come again, which costs
// next to nothing: so however many they are, they take no more of the machine than a few.
type crowd struct {
	next    http.Handler
	places  chan struct{}
	waiting atomic.Int64
}

const (
	maxWaiting = 32              // requests that wait for a place
	waitPlace  = 5 * time.Second // for it
	maxRetry   = 120             // seconds after which a harvester is told to come again, at most
)

func newCrowd(n int, next http.Handler) *crowd {
	return &crowd{next: next, places: make(chan struct{}, n)}
}

// ServeHTTP implements http.Handler.
func (c *crowd) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !c.enter(r) {
		if r.Context().Err() == nil {
			later(w, min(maxRetry, 5+int(c.waiting.Load())), "others are harvesting: come again")
		}
		return
	}
	defer func() { <-c.places }()
	c.next.ServeHTTP(w, r)
}

// enter takes a place, when there soon is one.
func (c *crowd) enter(r *http.Request) bool {
	select {
	case c.places <- struct{}{}:
		return true
	default:
	}
	defer c.waiting.Add(-1)
	if c.waiting.Add(1) > maxWaiting {
		return false
	}
	patience := time.NewTimer(waitPlace)
	defer patience.Stop()
	select {
	case c.places <- struct{}{}:
		return true
	case <-patience.C:
	case <-r.Context().Done():
	}
	return false
}
