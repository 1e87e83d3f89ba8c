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

// Options of a Client. A zero field means the default.
type Options struct {
	UserAgent string // with an address at which the operator can be reached
	From      string // e-mail address, sent as the From header (RFC 9110, 10.1.2)

	User, Password string // for basic authentication
	Token          string // bearer token, sent instead

	Delay    time.Duration // between the end of an answer and the next question; default none
	Patience time.Duration // how long a server may be silent, before its answer or within; default 5 minutes
	Attempts int           // how often a question is asked that fails; default 6
	// the longest wait that Retry-After may ask for, and of all waits for one question; default 1
	// hour
	MaxWait  time.Duration
	MaxBytes int64 // of one answer, decoded; default 4 GiB

	// TrustProxy has the proxy of the environment asked for what the server refers to, too: it must
	// keep us from networks that are not the server's to see. Without it the proxy is asked for the
	// server only.
	TrustProxy bool

	Limits    xmlstream.Limits // for what is in a record
	Dir       string           // for temporary files
	Tell      Tell
	Transport http.RoundTripper // nil: a transport with one connection

	// Sleep waits; nil is a timer. Tests have their own.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Client asks one server, one question at a time, whoever calls.
type Client struct {
	base *url.URL
	o    Options
	http *http.Client
	turn sync.Mutex
	last time.Time   // when the last answer was there
	met  atomic.Bool // the server answered something

	Asked int64 // questions, those that were asked again among them; read it when no question is under way
}

// New makes a client of the server with that base URL. A user in the URL is taken for basic
// authentication, and is not part of it.
func New(base string, o Options) (*Client, error) {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil {
		return nil, fmt.Errorf("the base URL: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("the base URL %q is not one of http or https, such as https://a.example/oai", base)
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
	c := &Client{base: u, o: o}
	c.http = &http.Client{Transport: o.Transport, CheckRedirect: c.redirect}
	if o.Transport == nil {
		c.http.Transport = newReach(u, o.TrustProxy).transport(o.Patience)
	}
	return c, nil
}

// Base is the base URL, without user.
func (c *Client) Base() string { return c.base.String() }

// Close gives the connection up.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// maxRedirects is how often one question may be sent elsewhere.
const maxRedirects = 10

// ErrRedirect is the error of a redirect that is not followed.
var ErrRedirect = errors.New("the redirect is not followed")

// redirect decides whether to go where the server sends us: anywhere by http and https, but not
// from https down to http.
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
	if req.URL.RawQuery == "" && before.URL.RawQuery != "" { // a rule that someone wrote for pages, not for a protocol
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

// maxQuery is the longest query that goes into a URL, in bytes; a longer one is sent by POST
// (clause 3.1.1.2).
const maxQuery = 6000

// request makes the request.
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
		if u.RawQuery != "" { // a base URL may not have one, and some do
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

// codings are the content codings that an answer may be in. From this machine to itself there is no
// line to be spared, and both ends would work for nothing.
func (c *Client) codings() string {
	if host := c.base.Hostname(); host == "localhost" || net.ParseIP(host).IsLoopback() {
		return "identity"
	}
	return "gzip, deflate"
}

// present says who asks.
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

// Once asks one question once, whatever comes. The answer may have any status.
func (c *Client) Once(ctx context.Context, args url.Values) (*Answer, error) {
	return c.once(ctx, func(ctx context.Context) (*http.Request, error) { return c.request(ctx, args) }, c.take)
}

// once makes one request and takes what comes.
func (c *Client) once(ctx context.Context, request func(context.Context) (*http.Request, error),
	take func(*watching, *Answer, *http.Response) error) (*Answer, error) {
	c.turn.Lock() // one question at a time
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

// pause keeps the distance between questions.
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
