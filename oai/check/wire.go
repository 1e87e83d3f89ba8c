package check

import (
	"io"
	"net/http"
	"strconv"
	"strings"
)

// wire is the transport of a check. It sends the request in the required form and keeps the HTTP
// response.
type wire struct {
	next   http.RoundTripper
	post   bool   // send by POST
	accept string // Accept-Encoding, if it differs from the client's
	passed []passed
}

// passed is one HTTP response.
type passed struct {
	status     int
	location   string
	retryAfter string
	coding     string
}

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	if w.accept != "" {
		req.Header.Set("Accept-Encoding", w.accept)
	}
	if w.post && req.Method == http.MethodGet {
		form := req.URL.RawQuery
		req.Method, req.URL.RawQuery = http.MethodPost, ""
		req.Body, req.ContentLength = io.NopCloser(strings.NewReader(form)), int64(len(form))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	resp, err := w.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	w.passed = append(w.passed, passed{resp.StatusCode, resp.Header.Get("Location"), resp.Header.Get("Retry-After"),
		resp.Header.Get("Content-Encoding")})
	return resp, nil
}

// checkWire checks the HTTP responses of one request.
func (k *checker) checkWire(request string) {
	for _, p := range k.wire.passed {
		switch p.status {
		case http.StatusMovedPermanently, http.StatusPermanentRedirect:
			k.find(CodeMoved, request, "status %d is a permanent redirect to %s", p.status, p.location)
		case http.StatusServiceUnavailable:
			n, err := strconv.Atoi(strings.TrimSpace(p.retryAfter))
			switch {
			case p.retryAfter == "":
				k.find(CodeRetryAfter, request,
					"status 503 without Retry-After: a harvester does not know when to retry")
			case err != nil || n < 0 || n > 3600:
				k.find(CodeRetryAfter, request,
					"status 503 with Retry-After: %.40q, which is not a number of seconds up to 3600", p.retryAfter)
			}
		}
	}
	k.wire.passed = k.wire.passed[:0]
}
