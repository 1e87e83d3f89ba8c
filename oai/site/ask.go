// Package site has the index of a website: which resources there are, when each was seen to change,
// which have gone. It finds them in the folder that is served, in the site's sitemap, or by
// following links; what each is, it learns by asking the handler that serves visitors, never from
// the disk.
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

// UserAgent is what requests of ours call themselves.
const UserAgent = "quire-crate/1 (internal request of the OAI-PMH endpoint)"

// stranger is where our requests seem to come from: an address for documentation (RFC 5737), which
// nobody has. A rule that lets localhost see more than others must not let harvesters see it.
const stranger = "192.0.2.1:80"

// The bounds of one answer.
const (
	maxWait = 30 * time.Second // for the head, and for each further piece of the body
	maxBody = 16 << 30         // bytes
	minRate = 16 << 10         // bytes per second that a body comes with on average, after maxWait
)

// Errors of answers.
var (
	errSlow    = errors.New("the site's handler does not answer in time")
	errEndless = fmt.Errorf("the body is longer than %d GiB", maxBody>>30)
	errCut     = errors.New("the body is shorter than its Content-Length")
	errPanic   = errors.New("the site's handler broke off")
)

// internalKey marks the context of requests that are ours.
type internalKey struct{}

// strangers is the context of requests that are ours: it ends with that of who caused them, and
// knows nothing else of him. A handler that keeps in the context who has logged in must not answer
// the harvester's user, or another's.
type strangers struct{ context.Context }

// ours is the server of our requests: handlers that hand on what others answer break off by it,
// where that is not whole.
var ours = &http.Server{} //nolint:gosec // it never serves

// Value implements context.Context.
func (strangers) Value(key any) any {
	switch key {
	case internalKey{}:
		return true
	case http.ServerContextKey:
		return ours
	}
	return nil
}

// AfterFunc has contexts made of this one end without a goroutine that waits (package context).
func (s strangers) AfterFunc(f func()) (stop func() bool) { return context.AfterFunc(s.Context, f) }

// Internal says whether a request is one by which the index asks the site's own handler, and no
// visitor's.
func Internal(r *http.Request) bool { return r.Context().Value(internalKey{}) != nil }

// asker asks the handler of a site, as a visitor would whom nobody knows.
type asker struct {
	next     http.Handler
	visitors *Visitors
	strip    string        // the path before all paths, that a server in front of us takes away
	wait     time.Duration // maxWait
}

// ask sends one request, and comes back with the head of the answer. The caller closes the answer.
func (a *asker) ask(ctx context.Context, method, resource string) (*answer, error) {
	leave, err := a.visitors.place(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(strangers{ctx})
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
	got := &answer{exchange: x, ctx: ctx, cancel: cancel, wait: a.wait}
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

// request makes a request as the server would have read it.
func (a *asker) request(ctx context.Context, method, resource string) (*http.Request, error) {
	u, err := url.Parse(resource)
	if err != nil {
		return nil, err
	}
	r := &http.Request{Method: method, Host: u.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		RemoteAddr: stranger, Body: http.NoBody,
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
