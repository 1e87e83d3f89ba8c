package accesscontrol

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// maxHops is how many proxies a request may have come through.
const maxHops = 32

// client returns the address of a request: that of the connection, or, when this is of a named
// proxy, the one it asks for. It fails where that cannot be said; such a request is from no
// network.
func (g *Gate) client(r *http.Request) (netip.Addr, error) {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}, fmt.Errorf("the address of the connection, %.60q, is none of a network", r.RemoteAddr)
	}
	peer := plain(at.Addr())
	if g.proxies.contain(peer) {
		return g.forwardedFor(r.Header["X-Forwarded-For"])
	}
	if inside.contain(peer) {
		if name := forwarding(r.Header); name != "" {
			return netip.Addr{}, fmt.Errorf("%s forwards requests of others (it sent %s), and is not named in proxies",
				peer, name)
		}
	}
	if peer.IsLoopback() {
		if sign := passedOn(r); sign != "" {
			return netip.Addr{},
				fmt.Errorf("%s is this machine, and %s: name the server in front of this one in proxies, and have it "+
					"send X-Forwarded-For", peer, sign)
		}
	}
	return peer, nil
}

// passedOn returns the evidence that a request from this machine was forwarded by a web server in
// front of this one that does not say so, or made by a page that was led here under a name of its
// own (DNS rebinding); "" where nothing shows that. A server that asks by HTTP/1.1 under a name of
// loopback shows nothing.
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
		return "the request is in " + r.Proto + ", as nginx passes requests on"
	}
	return ""
}

// inside are the addresses at which a web server before this one would stand. If one of them passed
// on the requests of the world, and its own address were taken for that of who asks, an agreement
// with the house would be one with the world.
var inside, _ = parseNetworks([]string{"private"})

// forwarding gives the name of a header that only a server that passes on requests sends.
func forwarding(h http.Header) string {
	for _, name := range []string{"X-Forwarded-For", "Forwarded", "X-Real-Ip", "Via", "X-Forwarded-Host",
		"X-Forwarded-Proto"} {
		if len(h[name]) > 0 {
			return name
		}
	}
	return ""
}

// forwardedFor reads X-Forwarded-For from its end: each proxy adds at the end whom it was asked by,
// so that the last address that is of none of ours is the first that can be believed, and any
// client may have written those before it. Several lines are one.
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
		return hop, errors.New("it comes from a named proxy that does not say, in X-Forwarded-For, for whom it asks")
	}
	return hop, nil
}

// parseHop takes an address as proxies write it: some add the port.
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
	return netip.Addr{}, fmt.Errorf("X-Forwarded-For has %.60q, which is no address", s)
}
