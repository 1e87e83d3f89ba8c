package site

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"time"

	"quire/format/http1"
	"quire/oai/resource"
)

// rawHead is the head of an upstream server's answer as it was sent: net/http keeps neither the
// order of its fields nor the spelling of their names.
type rawHead struct {
	mu   sync.Mutex
	head *http1.Head // nil if no upstream was asked, or its head is unknown
}

// headKey is the key of a *rawHead in the context of an internal request.
type headKey struct{}

func (h *rawHead) set(head *http1.Head) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.head = head
}

func (h *rawHead) get() *http1.Head {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.head
}

// headFields returns the fields of an answer in the order and spelling of a server: those of the
// upstream server that the handler passed on, then the handler's own, as net/http writes them.
func headFields(raw *http1.Head, head http.Header, added []string) (all []resource.Field) {
	left := head.Clone()
	if raw != nil {
		for _, f := range raw.Fields {
			key := http.CanonicalHeaderKey(f.Name)
			i := slices.IndexFunc(left[key], func(v string) bool {
				return strings.TrimSpace(v) == strings.TrimSpace(f.Value)
			})
			if i >= 0 {
				left[key] = slices.Delete(left[key], i, i+1)
				all = append(all, resource.Field{Name: f.Name, Value: f.Value})
			}
		}
	}
	names := make([]string, 0, len(left))
	for name := range left {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(slices.Index(added, a), slices.Index(added, b)), strings.Compare(a, b))
	})
	for _, name := range names {
		for _, value := range left[name] {
			all = append(all, resource.Field{Name: name, Value: value})
		}
	}
	return all
}

// headTransport sends the requests of visitors as usual, and internal requests in HTTP/1.1 over
// connections that keep the head of the answer as it was sent.
type headTransport struct{ visitors, internal http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t *headTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	raw, _ := r.Context().Value(headKey{}).(*rawHead)
	if raw == nil {
		return t.visitors.RoundTrip(r)
	}
	var mu sync.Mutex
	var used *headConn
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		mu.Lock()
		defer mu.Unlock()
		if used, _ = info.Conn.(*headConn); used != nil {
			used.begin()
		}
	}}
	answer, err := t.internal.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), trace)))
	mu.Lock()
	defer mu.Unlock()
	if err == nil && used != nil {
		raw.set(used.headSent())
	}
	return answer, err
}

// keepHeads makes a transport use connections that keep heads.
func keepHeads(t *http.Transport, dialer *net.Dialer) {
	t.ForceAttemptHTTP2, t.TLSNextProto = false, nil
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if t.TLSClientConfig != nil {
		config = t.TLSClientConfig.Clone()
	}
	config.NextProtos = []string{"http/1.1"} // heads of HTTP/2 are not text
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &headConn{Conn: c}, nil
	}
	t.DialTLSContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		d := tls.Dialer{NetDialer: dialer, Config: config}
		ctx, cancel := context.WithTimeout(ctx, dialer.Timeout+t.TLSHandshakeTimeout)
		defer cancel()
		c, err := d.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &headConn{Conn: c}, nil
	}
}

// maxHead is the maximum size of a kept head in bytes; net/http refuses much longer ones.
const maxHead = 1 << 20

// headConn is a connection that keeps the head of the current answer.
type headConn struct {
	net.Conn

	mu      sync.Mutex
	sent    []byte
	keeping bool
}

// begin starts with the next answer.
func (c *headConn) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent, c.keeping = nil, true
}

// Read implements net.Conn.
func (c *headConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.keeping {
		c.sent = append(c.sent, p[:n]...)
		c.keeping = len(c.sent) < maxHead && !c.ended()
	}
	return n, err
}

// ended drops interim answers (1xx), and reports whether the head of the final one is complete.
func (c *headConn) ended() bool {
	for {
		end := bytes.Index(c.sent, []byte("\n\r\n"))
		if lines := bytes.Index(c.sent, []byte("\n\n")); lines >= 0 && (end < 0 || lines < end) {
			end = lines - 1
		}
		if end < 0 {
			return false
		}
		head, n, err := http1.ParseHead(c.sent, http1.Response, nil)
		if err != nil || head.StatusCode/100 != 1 || head.StatusCode == http.StatusSwitchingProtocols {
			return true
		}
		c.sent = c.sent[n:]
	}
}

// headSent returns the head of the answer, or nil if it cannot be read.
func (c *headConn) headSent() *http1.Head {
	c.mu.Lock()
	defer c.mu.Unlock()
	head, _, err := http1.ParseHead(bytes.Clone(c.sent), http1.Response, nil)
	if err != nil || len(head.Fields) == 0 {
		return nil
	}
	return &head
}

// dialTimeout is the time limit for connecting to an upstream server.
const dialTimeout = 10 * time.Second
