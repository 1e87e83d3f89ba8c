package httpserver

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// RetryLater asks a harvester to come again, which OAI-PMH expresses in HTTP (clause 3.1.2.2).
func RetryLater(w http.ResponseWriter, seconds int, why string) {
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	http.Error(w, why, http.StatusServiceUnavailable)
}

// concurrencyLimit is a handler that limits the number of simultaneous requests. Further requests
// wait.
type concurrencyLimit struct {
	next    http.Handler
	places  chan struct{}
	waiting atomic.Int64
}

const (
	maxWaiting = 32              // requests that wait for a place
	waitPlace  = 5 * time.Second // maximum wait
	maxRetry   = 120             // maximum Retry-After, in seconds
)

// LimitConcurrency passes at most n requests of harvesters to next at the same time. A few more wait briefly.
// The others get a Retry-After, which costs almost nothing. So any number of harvesters uses no
// more of the machine than a few do.
func LimitConcurrency(n int, next http.Handler) http.Handler {
	return &concurrencyLimit{next: next, places: make(chan struct{}, n)}
}

// ServeHTTP implements http.Handler.
func (c *concurrencyLimit) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !c.enter(r) {
		if r.Context().Err() == nil {
			RetryLater(w, min(maxRetry, 5+int(c.waiting.Load())), "too many harvesters at the moment: try "+
				"again later")
		}
		return
	}
	defer func() { <-c.places }()
	c.next.ServeHTTP(w, r)
}

// enter waits briefly for a place and reports whether it has one.
func (c *concurrencyLimit) enter(r *http.Request) bool {
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
