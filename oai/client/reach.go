package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"
)

// ErrReach is the error of an address that a server may not send us to.
var ErrReach = errors.New("it is not asked")

// depth is how far inside an address lies: what is deeper trusts those who come from here more than strangers.
type depth int

const (
	world   depth = iota
	house         // private networks (RFC 1918, 4193, 6598)
	machine       // this machine, and its link: where clouds tell machines their secrets
)

func depthOf(a netip.Addr) depth {
	a = a.Unmap()
	switch {
	case a.IsLoopback(), a.IsUnspecified(), a.IsLinkLocalUnicast(), a.IsMulticast():
		return machine
	case a.IsPrivate(), netip.MustParsePrefix("100.64.0.0/10").Contains(a):
		return house
	}
	return world
}

// reach keeps redirects and references to what the server could have asked for itself: one in the world sends nobody into the house, nor
// to this machine. The user names the server, and the environment a proxy; those may be anywhere. Where a proxy asks, it decides.
type reach struct {
	base string // HOST:PORT of the server

	mu      sync.Mutex
	proxies map[string]bool
	known   bool // where the server is
	most    depth
}

// transport is one with one connection to each host.
func (r *reach) transport(patience time.Duration) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true // what the server says of its coding is not believed: see decode
	t.MaxConnsPerHost = 1
	t.ResponseHeaderTimeout = patience
	t.Proxy = r.proxy
	t.DialContext = r.dial
	return t
}

func (r *reach) proxy(req *http.Request) (*url.URL, error) {
	p, err := http.ProxyFromEnvironment(req)
	if p != nil {
		r.mu.Lock()
		r.proxies[hostPort(p)] = true
		r.mu.Unlock()
	}
	return p, err
}

// dial connects, unless that would lead further inside than the server is. Names are looked up once, so that what was judged is what
// is asked.
func (r *reach) dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	named := strings.ToLower(address)
	r.mu.Lock()
	free := r.proxies[named] || named == r.base && !r.known
	most := r.most
	r.mu.Unlock()
	if !free {
		d.Control = func(_, found string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(found)
			if err == nil && depthOf(at.Addr()) > most {
				err = fmt.Errorf("%w: %s is an address of this network or machine, and the server that leads there is not within", ErrReach, at.Addr())
			}
			return err
		}
	}
	conn, err := d.DialContext(ctx, network, address)
	if err == nil && named == r.base {
		r.met(conn)
	}
	return conn, err
}

// met notes where the server is, when it was found first. A name that leads elsewhere later does not change that.
func (r *reach) met(conn net.Conn) {
	at, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.known && !r.proxies[r.base] {
		r.known, r.most = true, depthOf(at.Addr())
	}
}

// hostPort gives the address of a URL as it is dialled.
func hostPort(u *url.URL) string {
	usual := map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), cmp.Or(u.Port(), usual[u.Scheme]))
}
