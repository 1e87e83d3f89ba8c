package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"quire/metadata/xmlstream"
	"quire/model"
)

// Options are the options of a Client. A zero field means the default.
type Options struct {
	UserAgent string // with a contact address of the operator
	From      string // e-mail address, sent as the From header (RFC 9110, 10.1.2)

	User, Password string // for basic authentication
	Token          string // bearer token, replaces User and Password

	Delay    time.Duration // between an answer and the next request; default none
	Patience time.Duration // maximum silence of a server, before or within its answer; default 5 minutes
	Attempts int           // attempts for a failing request; default 6
	// the longest accepted Retry-After, and the limit for all waits of one request; default 1 hour
	MaxWait  time.Duration
	MaxBytes int64 // limit of one answer, decoded; default 4 GiB

	// TrustProxy sends requests for the URLs in records through the proxy of the environment too.
	// The proxy must then block addresses of networks that the server may not reach. Without
	// TrustProxy, only requests to the server use the proxy.
	TrustProxy bool

	Limits    xmlstream.Limits // for the content of a record
	Dir       string           // for temporary files
	Tell      FindingFunc
	Transport http.RoundTripper // nil means a transport with one connection

	// Sleep waits; nil means a timer. Tests set their own.
	Sleep func(ctx context.Context, d time.Duration) error
	Now   func() time.Time // nil means time.Now; for the waits between references to failing hosts
}

// Client sends requests to one server, one at a time, even with several callers.
type Client struct {
	base *url.URL
	o    Options
	http *http.Client
	turn sync.Mutex
	last time.Time   // end of the last answer
	met  atomic.Bool // the server has answered once

	breaker breaker // of the hosts of references

	Asked int64 // number of requests, including repeated requests; read it only between requests
}

// New returns a client of the server at the base URL. A user in the URL is used for basic
// authentication and removed from the URL.
func New(base string, o Options) (*Client, error) {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil {
		return nil, fmt.Errorf("the base URL: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("the base URL %q is not an http or https URL such as https://a.example/oai", base)
	}
	if u.User != nil && o.User == "" {
		o.User = u.User.Username()
		o.Password, _ = u.User.Password()
	}
	u.User, u.Fragment = nil, ""
	o.Patience = cmp.Or(o.Patience, 5*time.Minute)
	o.Attempts = cmp.Or(o.Attempts, 6)
	o.MaxWait = cmp.Or(o.MaxWait, time.Hour)
	o.MaxBytes = cmp.Or(o.MaxBytes, 4<<30)
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	c := &Client{base: u, o: o, breaker: breaker{now: o.Now, hosts: map[string]*hostHealth{}}}
	c.http = &http.Client{Transport: o.Transport, CheckRedirect: c.redirect}
	if o.Transport == nil {
		c.http.Transport = newReach(u, o.TrustProxy).transport(o.Patience)
	}
	return c, nil
}

// Base returns the base URL without its user.
func (c *Client) Base() string { return c.base.String() }

// Close closes the connection.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// maxRedirects is the maximum number of redirects of one request.
const maxRedirects = 10

// ErrRedirect is the error of a refused redirect.
var ErrRedirect = errors.New("the redirect is not followed")

// redirect decides whether to follow a redirect: to any http or https URL, but not from https to
// http.
func (c *Client) redirect(req *http.Request, via []*http.Request) error {
	before := via[len(via)-1]
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("%w: the server redirects more than %d times", ErrRedirect, maxRedirects)
	case req.URL.Scheme != "http" && req.URL.Scheme != "https":
		return fmt.Errorf("%w: %s leads to the scheme %s", ErrRedirect, withoutQuery(before.URL), req.URL.Scheme)
	case before.URL.Scheme == "https" && req.URL.Scheme == "http":
		return fmt.Errorf("%w: %s leads from https to http", ErrRedirect, withoutQuery(before.URL))
	}
	if way, ok := req.Context().Value(trailKey{}).(*trail); ok {
		if err := c.breaker.redirected(way, req.URL); err != nil {
			return err
		}
	}
	if req.URL.RawQuery == "" && before.URL.RawQuery != "" { // a redirect rule for pages, not for a protocol
		req.URL.RawQuery = before.URL.RawQuery
	}
	c.o.Tell.find(CodeRedirect, model.Info, 0, "",
		fmt.Sprintf("%s redirects to %s", withoutQuery(before.URL), withoutQuery(req.URL)))
	return nil
}

func withoutQuery(u *url.URL) string {
	v := *u
	v.RawQuery, v.User, v.Fragment = "", nil, ""
	return v.String()
}

// maxQuery is the longest query in a URL, in bytes. A longer one is sent by POST (clause 3.1.1.2).
const maxQuery = 6000

// request creates the request.
func (c *Client) request(ctx context.Context, args url.Values) (*http.Request, error) {
	u := *c.base
	query := args.Encode()
	var req *http.Request
	var err error
	if len(query) > maxQuery {
		req, err = http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(query))
		if err == nil {
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
	} else {
		if u.RawQuery != "" { // some base URLs have a query, though invalid
			query = u.RawQuery + "&" + query
		}
		u.RawQuery = query
		req, err = http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	}
	if err != nil {
		return nil, err
	}
	c.present(req)
	req.Header.Set("Accept-Encoding", c.codings())
	c.authorize(req)
	return req, nil
}

// codings returns the accepted content codings. On the same machine compression saves no bandwidth
// and costs time on both sides.
func (c *Client) codings() string {
	if host := c.base.Hostname(); host == "localhost" || net.ParseIP(host).IsLoopback() {
		return "identity"
	}
	return "gzip, deflate"
}

// present sets the headers that identify the client.
func (c *Client) present(req *http.Request) {
	req.Header.Set("User-Agent", cmp.Or(c.o.UserAgent, "Quire"))
	if c.o.From != "" {
		req.Header.Set("From", c.o.From)
	}
}

func (c *Client) authorize(req *http.Request) {
	switch {
	case c.o.Token != "":
		req.Header.Set("Authorization", "Bearer "+c.o.Token)
	case c.o.User != "":
		req.SetBasicAuth(c.o.User, c.o.Password)
	}
}

// Once sends a request once, without retries. The answer may have any status.
func (c *Client) Once(ctx context.Context, args url.Values) (*Answer, error) {
	return c.once(ctx, func(ctx context.Context) (*http.Request, error) { return c.request(ctx, args) }, c.take)
}

// once sends one request and reads the answer.
func (c *Client) once(ctx context.Context, request func(context.Context) (*http.Request, error),
	take func(*responseTimer, *Answer, *http.Response) error) (*Answer, error) {
	c.turn.Lock() // one request at a time
	defer c.turn.Unlock()
	if err := c.pause(ctx); err != nil {
		return nil, err
	}
	defer func() { c.last = time.Now() }()
	c.Asked++
	w := watch(ctx, c.o.Patience)
	defer w.stop()
	req, err := request(w.ctx)
	if err != nil {
		return nil, err
	}
	a := &Answer{Began: time.Now(), limits: c.o.Limits, tell: c.o.Tell}
	a.body.Dir = c.o.Dir
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, w.why(explain(err))
	}
	c.met.Store(true)
	defer resp.Body.Close() //nolint:errcheck // it was only read
	a.URL, a.Status, a.Header = resp.Request.URL.String(), resp.StatusCode, resp.Header
	if err = w.why(explain(take(w, a, resp))); err != nil {
		if errors.Is(err, ErrCut) {
			return a, err
		}
		return nil, errors.Join(err, a.Close())
	}
	a.Took = time.Since(a.Began)
	return a, nil
}

// pause waits for the delay between requests.
func (c *Client) pause(ctx context.Context) error {
	if c.last.IsZero() || c.o.Delay == 0 {
		return ctx.Err()
	}
	return c.o.Sleep(ctx, time.Until(c.last.Add(c.o.Delay)))
}

// sleep waits, or ends with the context.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
