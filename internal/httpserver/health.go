package httpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// HealthPath is the path of the health check on every name of a server.
const HealthPath = "/healthz"

// healthTime bounds a health check. Container engines and load balancers wait about as long.
const healthTime = 5 * time.Second

const healthy = "ok\n"

// Health answers that the server is alive. The answer contains nothing about the content, so every
// client may request it.
func Health(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "The health check takes GET and HEAD.", http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, healthy) // a client that has gone away needs no answer
}

// ErrAddress reports a text that is not the address of a server.
var ErrAddress = errors.New("not the address of a server")

// CheckHealth asks the server at a URL whether it is alive. The path of the URL is ignored. It
// returns nil for a healthy server, and [ErrAddress] without asking if the URL is not one of HTTP.
func CheckHealth(ctx context.Context, server string) error {
	u, err := url.Parse(server)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%q is %w (write it as http://127.0.0.1:8000)", server, ErrAddress)
	}
	u.Path, u.RawQuery, u.Fragment = HealthPath, "", ""
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return err
	}
	transport := &http.Transport{} // without a proxy: the server itself is asked
	defer transport.CloseIdleConnections()
	client := http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	answer, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("no answer to the health check: %w", err)
	}
	defer func() { _ = answer.Body.Close() }() // it was only read
	body, err := io.ReadAll(io.LimitReader(answer.Body, int64(len(healthy))+1))
	if err != nil {
		return fmt.Errorf("no whole answer to the health check: %w", err)
	}
	if answer.StatusCode != http.StatusOK || string(body) != healthy {
		return fmt.Errorf("%s answers %d %q: this is not a healthy quire serve", u, answer.StatusCode,
			strings.TrimSpace(string(body)))
	}
	return nil
}
