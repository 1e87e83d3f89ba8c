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
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// ErrAddressRefused is the error of an address that the server may not direct us to.
var ErrAddressRefused = errors.New("the address is refused")

// depth describes how far inside the local network an address is. Machines deeper inside trust
// clients on this machine more than they trust clients from the Internet.
type depth int

const (
	world   depth = iota
	house         // private networks (RFC 1918, 4193, 6598)
	machine       // this machine and its link, where clouds serve credentials to machines
)

func depthOf(a netip.Addr) depth {
	a = a.Unmap().WithZone("")
	switch {
	case a.IsLoopback(), a.IsUnspecified(), a.IsLinkLocalUnicast(), a.IsMulticast(), thisNetwork.Contains(a):
		return machine
	case a.IsPrivate(), slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(a) }):
		return house
	}
	if v4, ok := embedded(a); ok {
		return depthOf(v4)
	}
	return world
}

// thisNetwork is the network of RFC 1122, 3.2.1.3. Some systems treat all its addresses as this
// machine.
var thisNetwork = netip.MustParsePrefix("0.0.0.0/8")

// special are networks outside the public Internet (RFC 6890): carriers' NAT, protocols,
// benchmarks, reserved networks, and the former site-local networks.
var special = []netip.Prefix{
	netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("fec0::/10"), netip.MustParsePrefix("64:ff9b:1::/48"),
}

// embedded returns the IPv4 address inside an IPv6 address. Gateways translate such an IPv6 address
// to the IPv4 address: NAT64 (RFC 6052), 6to4 (RFC 3056) and Teredo (RFC 4380).
func embedded(a netip.Addr) (netip.Addr, bool) {
	b := a.As16()
	switch {
	case !a.Is6():
	case netip.MustParsePrefix("64:ff9b::/96").Contains(a), netip.MustParsePrefix("::/96").Contains(a):
		return netip.AddrFrom4([4]byte(b[12:])), true
	case netip.MustParsePrefix("2002::/16").Contains(a):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	case netip.MustParsePrefix("2001::/32").Contains(a):
		return netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]}), true
	}
	return netip.Addr{}, false
}

// addressPolicy limits redirects and references to addresses that the server itself could reach. A public
// server cannot direct us into the private network or to this machine. The server, named by the
// user, and the proxy, named by the environment, may have any address. Only requests to the server
// use the proxy. Redirects and references connect directly, where their address is visible, unless
// the proxy is trusted to judge addresses itself.
type addressPolicy struct {
	base    string                                // HOST:PORT of the server
	through func(*http.Request) (*url.URL, error) // the proxies of the environment
	trusted bool                                  // the proxy blocks internal addresses

	mu      sync.Mutex
	proxies map[string]bool
	known   bool // the server's depth is known
	most    depth
}

// transport returns a transport with one connection to each host.
func (r *addressPolicy) transport(patience time.Duration) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true // the Content-Encoding header is unreliable: see decoded
	t.MaxConnsPerHost = 1
	t.ResponseHeaderTimeout = patience
	t.Proxy = r.proxy
	t.DialContext = r.dial
	return t
}

func newReach(base *url.URL, trusted bool) *addressPolicy {
	return &addressPolicy{base: hostPort(base), through: http.ProxyFromEnvironment, trusted: trusted,
		proxies: map[string]bool{}}
}

func (r *addressPolicy) proxy(req *http.Request) (*url.URL, error) {
	if !r.trusted && hostPort(req.URL) != r.base {
		return nil, nil
	}
	p, err := r.through(req)
	if p != nil {
		r.mu.Lock()
		r.proxies[hostPort(p)] = true
		r.mu.Unlock()
	}
	return p, err
}

// dial connects, unless the address is further inside than the server. It looks up a name once, so
// that it connects to the address it has judged.
func (r *addressPolicy) dial(ctx context.Context, network, address string) (net.Conn, error) {
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
				err = fmt.Errorf("%w: %s is an address of this network or machine, but the server that "+
					"refers to it is outside", ErrAddressRefused, at.Addr())
			}
			return err
		}
	}
	conn, err := d.DialContext(ctx, network, address)
	if err == nil && named == r.base {
		r.met(conn)
	}
	if err != nil && !free && !errors.Is(err, ErrAddressRefused) && r.behindProxy() {
		err = fmt.Errorf("%w: requests for the URLs in records bypass the proxy; --trust-proxy sends "+
			"them through it", err)
	}
	return conn, err
}

// behindProxy reports whether requests to the server use a proxy.
func (r *addressPolicy) behindProxy() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.proxies) > 0
}

// met records the depth of the server at the first connection. If the server's name later has
// another address, the recorded depth does not change.
func (r *addressPolicy) met(conn net.Conn) {
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

// hostPort returns the address to dial for a URL.
func hostPort(u *url.URL) string {
	usual := map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), cmp.Or(u.Port(), usual[u.Scheme]))
}
