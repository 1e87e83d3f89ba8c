package site

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"
)

// Upstream is a proxy that forwards requests to another web server, and its answers back,
// unchanged. It connects only to that server, whatever redirects and the environment state.
func Upstream(server string, problem func(string)) (http.Handler, error) {
	u, err := url.Parse(server)
	if err != nil {
		return nil, fmt.Errorf("upstream: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		return nil, fmt.Errorf("upstream: %q is not the URL of a web server: write it as "+
			"http://localhost:8080", server)
	}
	dialer := &net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}
	transport := &http.Transport{
		DialContext:           dialer.DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: time.Minute,
		IdleConnTimeout:       time.Minute,
		MaxIdleConnsPerHost:   64,
		DisableCompression:    true, // visitors get the coding they request, harvesters none
		ForceAttemptHTTP2:     true,
	}
	internal := transport.Clone()
	keepHeads(internal, dialer)
	return &httputil.ReverseProxy{
		Transport: &headTransport{transport, internal},
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(u)
			r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"] // the client and the proxies before us
			r.SetXForwarded()
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() == nil {
				problem(fmt.Sprintf("upstream %s: %v", u.Host, err))
			}
			http.Error(w, "the web server behind this one does not answer", http.StatusBadGateway)
		},
		ErrorLog: log.New(lines(problem), "", 0),
	}, nil
}

// lines passes the lines of a log to a function.
type lines func(string)

// Write implements io.Writer.
func (l lines) Write(p []byte) (int, error) {
	l(string(p[:max(0, len(p)-1)]))
	return len(p), nil
}
