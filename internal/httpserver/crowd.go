package httpserver

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// Later has a harvester come again, which OAI-PMH says by HTTP (clause 3.1.2.2).
func Later(w http.ResponseWriter, seconds int, why string) {
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	http.Error(w, why, http.StatusServiceUnavailable)
}

// crowd is a handler before which requests wait for a place.
type crowd struct {
	next    http.Handler
	places  chan struct{}
	waiting atomic.Int64
}

const (
	maxWaiting = 32              // requests that wait for a place
	waitPlace  = 5 * time.Second // for it
	maxRetry   = 120             // Retry-After at most, in seconds
)

// AtOnce lets so many requests of harvesters through to next at once. Some more wait a little; the
// others get a Retry-After, which costs next to nothing: so however many they are, they take no
// more of the machine than a few.
func AtOnce(n int, next http.Handler) http.Handler {
	return &crowd{next: next, places: make(chan struct{}, n)}
}

// ServeHTTP implements http.Handler.
func (c *crowd) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !c.enter(r) {
		if r.Context().Err() == nil {
			Later(w, min(maxRetry, 5+int(c.waiting.Load())), "others are harvesting: come again")
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
