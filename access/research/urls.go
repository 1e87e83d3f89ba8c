package research

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/publicsuffix"

	"quire/holdings/captures"
)

// address is a URL, split as in Common Crawl's columnar index.
type address struct {
	protocol, path, query string
	port                  *int32
	host                  *host
}

// host is a name of a host, with its parts. The fields are "" for an IP address.
type host struct {
	name, tld, suffix, domain, reversed string

	parts [4]string // the second last part of the name to its fifth last

	// by the public suffix list with private suffixes, such as github.io
	privateSuffix, privateDomain string
}

// split returns the parts of a URL.
func (n *hosts) split(url string) address {
	a := address{host: n.of(hostOf(url))}
	scheme, rest, ok := strings.Cut(url, ":")
	if !ok {
		return a
	}
	a.protocol = strings.ToLower(scheme)
	if rest, _, _ = strings.Cut(rest, "#"); strings.HasPrefix(rest, "//") {
		rest = rest[2:]
		end := strings.IndexAny(rest, "/?\\")
		if end < 0 {
			end = len(rest)
		}
		if i := strings.LastIndexByte(rest[:end], ':'); i >= 0 {
			if port, err := strconv.ParseUint(rest[i+1:end], 10, 16); err == nil {
				a.port = new(int32)
				*a.port = int32(port)
			}
		}
		rest = rest[end:]
	}
	a.path, a.query, _ = strings.Cut(rest, "?")
	return a
}

// hostOf returns the host of a URL as the index of captures has it; "" for none.
func hostOf(url string) string { return (&captures.Capture{URL: url}).Host() }

// hosts remembers the parts of hosts.
type hosts struct{ known map[string]*host }

// maxHosts bounds the memory of hosts.
const maxHosts = 1 << 14

func (n *hosts) of(name string) *host {
	if h := n.known[name]; h != nil {
		return h
	}
	if n.known == nil || len(n.known) >= maxHosts {
		n.known = map[string]*host{}
	}
	name = strings.Clone(name)
	h := &host{name: name}
	n.known[name] = h
	bare := strings.TrimSuffix(name, ".")
	if _, err := netip.ParseAddr(strings.Trim(bare, "[]")); err == nil || bare == "" {
		return h
	}
	labels := strings.Split(bare, ".")
	slices.Reverse(labels)
	h.tld = labels[0]
	copy(h.parts[:], labels[1:])
	h.reversed = strings.Join(labels, ".")
	h.suffix = suffixOf(bare)
	h.domain = domainOf(bare, h.suffix)
	h.privateSuffix, _ = publicsuffix.PublicSuffix(bare)
	h.privateDomain = domainOf(bare, h.privateSuffix)
	return h
}

// domainOf returns the part of a name that was registered below a suffix; "" for the suffix itself.
func domainOf(name, suffix string) string {
	rest, ok := strings.CutSuffix(name, "."+suffix)
	if !ok {
		return ""
	}
	return rest[strings.LastIndexByte(rest, '.')+1:] + "." + suffix
}

// suffixOf returns the suffix under which a registry registers domains, by the public suffix list. Private
// suffixes, such as github.io, do not count.
func suffixOf(name string) string {
	suffix, byRegistry := publicsuffix.PublicSuffix(name)
	for !byRegistry && strings.Contains(suffix, ".") {
		_, suffix, _ = strings.Cut(suffix, ".")
		suffix, byRegistry = publicsuffix.PublicSuffix(suffix)
	}
	return suffix
}

// partition returns a value for the name of a folder, as Hive escapes it: key=value.
func partition(value string) string {
	const hexDigits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(value) {
		c := value[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '~',
			c == '.' && i > 0, c == ',', c == '+' && i > 0, c == '@':
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
		}
	}
	return b.String()
}
