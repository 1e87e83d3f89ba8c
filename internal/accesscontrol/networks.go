package accesscontrol

import (
	"fmt"
	"net/netip"
	"strings"

	"quire/internal/yamlfile"
)

// networks is a set of addresses, by prefixes.
type networks struct {
	everyone bool
	prefixes []netip.Prefix
}

// namedNetworks are named networks.
var namedNetworks = map[string][]string{
	"loopback": {"127.0.0.0/8", "::1/128"},
	"private": {"127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
		"fc00::/7", "fe80::/10"},
}

// ReadNetworks reads a list of networks, or a single network.
func ReadNetworks(n *yamlfile.Node) []string {
	all := n.Texts()
	_, err := parseNetworks(all)
	failIf(n, err)
	return all
}

func parseNetworks(all []string) (networks, error) {
	var n networks
	for _, s := range all {
		if s == "everyone" {
			n.everyone = true
			continue
		}
		named, ok := namedNetworks[s]
		if !ok {
			named = []string{s}
		}
		for _, s := range named {
			p, err := parsePrefix(s)
			if err != nil {
				return n, err
			}
			n.prefixes = append(n.prefixes, p)
		}
	}
	return n, nil
}

// parsePrefix parses 192.0.2.0/24 or 192.0.2.7. An IPv4 network written as IPv6
// (::ffff:192.0.2.0/120) becomes the IPv4 network.
func parsePrefix(s string) (netip.Prefix, error) {
	wrong := func(why string) (netip.Prefix, error) {
		return netip.Prefix{}, fmt.Errorf("%.60q is not a network: %s", s, why)
	}
	if !strings.Contains(s, "/") {
		a, err := netip.ParseAddr(s)
		if err != nil || a.Zone() != "" {
			return wrong("write it as 192.0.2.0/24, 2001:db8::/32 or 192.0.2.7, or everyone, private, loopback")
		}
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	p, err := netip.ParsePrefix(s)
	if err != nil {
		return wrong("write it as 192.0.2.0/24 or 2001:db8::/32")
	}
	if p.Addr().Is4In6() {
		if p.Bits() < 96 {
			return wrong("it is partly IPv4, partly not: write both separately")
		}
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	if m := p.Masked(); m != p {
		return wrong(fmt.Sprintf("it has bits beyond its length; do you mean %s?", m))
	}
	return p, nil
}

// contain reports whether an address, in the form of plain, is in one of the networks.
func (n networks) contain(a netip.Addr) bool {
	for _, p := range n.prefixes {
		if p.Contains(a) {
			return true
		}
	}
	return n.everyone
}

// plain returns an address in the form for comparisons: IPv4 addresses mapped to IPv6 become IPv4,
// and the name of the interface is removed.
func plain(a netip.Addr) netip.Addr { return a.Unmap().WithZone("") }
