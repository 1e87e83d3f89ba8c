package accesscontrol

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// maxHops is how many proxies a request may pass.
const maxHops = 32

// client returns the address of the client. This is the address of the connection or, if a listed
// proxy forwards the request, the address that the proxy states. client fails if the address is
// unknown. Then the request belongs to no network.
func (g *Gate) client(r *http.Request) (netip.Addr, error) {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}, fmt.Errorf("the address of the connection, %.60q, is not a network address", r.RemoteAddr)
	}
	peer := plain(at.Addr())
	if g.proxies.contain(peer) {
		return g.forwardedFor(r.Header["X-Forwarded-For"])
	}
	if inside.contain(peer) {
		if name := forwarding(r.Header); name != "" {
			return netip.Addr{}, fmt.Errorf("%s forwards requests (it sent %s), but is not listed in proxies",
				peer, name)
		}
	}
	if peer.IsLoopback() {
		if sign := passedOn(r); sign != "" {
			return netip.Addr{},
				fmt.Errorf("%s is this machine, but %s: list the server in front of this one in proxies, "+
					"and let it send X-Forwarded-For", peer, sign)
		}
	}
	return peer, nil
}

// passedOn returns the evidence that a request from this machine came from elsewhere. Either a web
// server in front of this one forwarded it silently, or a page made it under its own host name (DNS
// rebinding). It returns "" if it finds no evidence. A server that requests by HTTP/1.1 under a
// loopback name leaves none.
func passedOn(r *http.Request) string {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	at, err := netip.ParseAddr(host)
	switch {
	case host != "localhost" && !strings.HasSuffix(host, ".localhost") && (err != nil || !at.Unmap().IsLoopback()):
		return fmt.Sprintf("the request is for the host %.100q", r.Host)
	case !r.ProtoAtLeast(1, 1):
		return "the request is in " + r.Proto + ", as nginx forwards requests"
	}
	return ""
}

// inside are the addresses that a web server in front of this server may have. If such a server
// forwarded requests from outside under its own address, an agreement for the internal network
// would admit everyone.
var inside, _ = parseNetworks([]string{"private"})

// forwarding returns the name of a header that only forwarding servers send.
func forwarding(h http.Header) string {
	for _, name := range []string{"X-Forwarded-For", "Forwarded", "X-Real-Ip", "Via", "X-Forwarded-Host",
		"X-Forwarded-Proto"} {
		if len(h[name]) > 0 {
			return name
		}
	}
	return ""
}

// forwardedFor reads X-Forwarded-For from its end. Each proxy appends the address of its client. So
// the last address that is not one of our proxies is reliable, and any client may have written
// those before it. Several header lines count as one.
func (g *Gate) forwardedFor(lines []string) (netip.Addr, error) {
	var hop netip.Addr
	rest, more, hops := strings.Join(lines, ","), len(lines) > 0, 0
	for more {
		if hops++; hops > maxHops {
			return netip.Addr{}, fmt.Errorf("X-Forwarded-For names more than %d", maxHops)
		}
		last := rest
		if i := strings.LastIndexByte(rest, ','); i >= 0 {
			rest, last = rest[:i], rest[i+1:]
		} else {
			more = false
		}
		var err error
		if hop, err = parseHop(strings.TrimSpace(last)); err != nil || !g.proxies.contain(hop) {
			return hop, err
		}
	}
	if !hop.IsValid() {
		return hop, errors.New("it comes from a listed proxy, but X-Forwarded-For does not name the client")
	}
	return hop, nil
}

// parseHop parses an address as proxies write it; some add the port.
func parseHop(s string) (netip.Addr, error) {
	if a, err := netip.ParseAddr(s); err == nil {
		return plain(a), nil
	}
	if at, err := netip.ParseAddrPort(s); err == nil {
		return plain(at.Addr()), nil
	}
	if in, ok := strings.CutPrefix(s, "["); ok {
		if a, err := netip.ParseAddr(strings.TrimSuffix(in, "]")); err == nil && a.Is6() {
			return plain(a), nil
		}
	}
	return netip.Addr{}, fmt.Errorf("X-Forwarded-For has %.60q, which is not an address", s)
}
