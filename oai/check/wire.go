package check

import (
	"io"
	"net/http"
	"strconv"
	"strings"
)

// wire is the transport of a check: it asks in the way that is wanted, and keeps what HTTP said.
type wire struct {
	next   http.RoundTripper
	post   bool   // ask by POST
	accept string // Accept-Encoding, when it is not what the client sends
	passed []passed
}

// passed is one answer of HTTP.
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

// checkWire judges what HTTP brought on the way to an answer.
func (k *checker) checkWire(request string) {
	for _, p := range k.wire.passed {
		switch p.status {
		case http.StatusMovedPermanently, http.StatusPermanentRedirect:
			k.find(CodeMoved, request, "status %d sends for ever to %s", p.status, p.location)
		case http.StatusServiceUnavailable:
			n, err := strconv.Atoi(strings.TrimSpace(p.retryAfter))
			switch {
			case p.retryAfter == "":
				k.find(CodeRetryAfter, request,
					"status 503 without Retry-After: a harvester cannot know when to come again")
			case err != nil || n < 0 || n > 3600:
				k.find(CodeRetryAfter, request,
					"status 503 with Retry-After: %.40q, which is not a number of seconds up to 3600", p.retryAfter)
			}
		}
	}
	k.wire.passed = k.wire.passed[:0]
}
