// Package site holds the index of a website: its resources, with the times of detected changes and
// removals. It finds them in the served folder, in the site's sitemap, or by following links. Their
// content always comes from the handler that serves visitors, never from the disk.
package site

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// UserAgent is the User-Agent of internal requests.
const UserAgent = "quire-crate/1 (internal request of the OAI-PMH endpoint)"

// anonymousAddr is the apparent source of internal requests: an unused address for documentation (RFC
// 5737). A rule with more rights for localhost must not apply to harvesters.
const anonymousAddr = "192.0.2.1:80"

// The limits of one answer.
const (
	maxWait = 30 * time.Second // for the head, and for each further piece of the body
	maxBody = 16 << 30         // bytes
	minRate = 16 << 10         // minimum average bytes per second of a body, after maxWait
)

// Errors of answers.
var (
	errSlow    = errors.New("the site's handler does not answer in time")
	errEndless = fmt.Errorf("the body is longer than %d GiB", maxBody>>30)
	errCut     = errors.New("the body is shorter than its Content-Length")
	errPanic   = errors.New("the site's handler failed")
)

// internalKey marks the context of internal requests.
type internalKey struct{}

// anonymousContext is the context of internal requests. It ends with the context of the original request,
// but hides its values. If a handler keeps the logged-in user in the context, internal requests
// must not run as that user.
type anonymousContext struct {
	context.Context
	raw *rawHead // of the answer; may be nil
}

// internalServer is the server of internal requests. Proxying handlers need it to abort incomplete answers.
var internalServer = &http.Server{} //nolint:gosec // it never serves

// Value implements context.Context.
func (s anonymousContext) Value(key any) any {
	switch key {
	case internalKey{}:
		return true
	case headKey{}:
		return s.raw
	case http.ServerContextKey:
		return internalServer
	}
	return nil
}

// AfterFunc lets derived contexts end without a waiting goroutine (package context).
func (s anonymousContext) AfterFunc(f func()) (stop func() bool) {
	return context.AfterFunc(s.Context, f)
}

// Internal reports whether a request is an internal one from the index to the site's own handler,
// not a visitor's.
func Internal(r *http.Request) bool { return r.Context().Value(internalKey{}) != nil }

// asker sends requests to the handler of a site, as an anonymous visitor would.
type asker struct {
	next     http.Handler
	visitors *Visitors
	strip    string        // the path prefix that a front server removes
	wait     time.Duration // maxWait
}

// ask sends one request and returns after the head of the answer. The caller closes the answer.
func (a *asker) ask(ctx context.Context, method, resource string) (*answer, error) {
	leave, err := a.visitors.place(ctx)
	if err != nil {
		return nil, err
	}
	raw := &rawHead{}
	ctx, cancel := context.WithCancelCause(anonymousContext{ctx, raw})
	r, err := a.request(ctx, method, resource)
	if err != nil {
		cancel(nil)
		leave()
		return nil, err
	}
	x := newExchange(method == http.MethodHead)
	go func() {
		defer leave()
		x.serve(a.next, r)
	}()
	got := &answer{exchange: x, ctx: ctx, cancel: cancel, wait: a.wait, raw: raw}
	slow := time.NewTimer(a.wait)
	defer slow.Stop()
	select {
	case <-x.answered:
		if x.broken != nil && x.status == 0 {
			cancel(nil)
			return nil, x.broken
		}
		got.stop = context.AfterFunc(ctx, func() { x.abandon(context.Cause(ctx)) })
		return got, nil
	case <-slow.C:
		err = errSlow
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	cancel(err)
	x.abandon(err)
	return nil, err
}

// request returns a request in the form that a server produces.
func (a *asker) request(ctx context.Context, method, resource string) (*http.Request, error) {
	u, err := url.Parse(resource)
	if err != nil {
		return nil, err
	}
	r := &http.Request{Method: method, Host: u.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		RemoteAddr: anonymousAddr, Body: http.NoBody,
		Header: http.Header{"User-Agent": {UserAgent}, "Accept": {"*/*"}, "Accept-Encoding": {"identity"}}}
	if u.Scheme == "https" {
		r.TLS = &tls.ConnectionState{Version: tls.VersionTLS13, HandshakeComplete: true, ServerName: u.Hostname()}
	}
	if r.URL, err = url.ParseRequestURI(strings.TrimPrefix(u.RequestURI(), a.strip)); err != nil {
		return nil, err
	}
	r.RequestURI = r.URL.RequestURI()
	return r.WithContext(ctx), nil
}
