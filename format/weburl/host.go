package weburl

import (
	"math/big"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// names converts domains to ASCII (clause 3.3, domain to ASCII, not strict).
var names = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.CheckHyphens(false),
	idna.VerifyDNSLength(false),
	idna.StrictDomainName(false), idna.BidiRule(), idna.CheckJoiners(true))

// The characters forbidden in a host (clause 3.2, forbidden host code point, forbidden domain code
// point).
const (
	forbiddenInHost   = "\x00\t\n\r #/:<>?@[\\]^|"
	forbiddenInDomain = forbiddenInHost + "%\x7f" // and the controls
)

// host parses a host (clause 3.5, host parser).
func host(s string, opaque bool) (string, bool) {
	if strings.HasPrefix(s, "[") {
		return address6(s)
	}
	if opaque {
		return escape(s, controlSet), !strings.ContainsAny(s, forbiddenInHost)
	}
	name, ok := domain(Unescape(s))
	if !ok || name == "" {
		return "", false
	}
	for i := range len(name) {
		if name[i] < ' ' || strings.IndexByte(forbiddenInDomain, name[i]) >= 0 {
			return "", false
		}
	}
	if endsInNumber(name) {
		return address4(name)
	}
	return name, true
}

// domain returns a domain in ASCII. Most are ASCII already.
func domain(s string) (string, bool) {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] < 0x80
	}
	low := strings.ToLower(s)
	if plain && !strings.Contains(low, "xn--") {
		return low, true
	}
	if !utf8.ValidString(s) { // U+FFFD in the standard, which a name cannot contain
		return "", false
	}
	name, err := names.ToASCII(s)
	return name, err == nil
}

// address6 parses the text in brackets. IPv6 addresses have no zone here.
func address6(s string) (string, bool) {
	inner, ok := strings.CutSuffix(s[1:], "]")
	if !ok || strings.Contains(inner, "%") {
		return "", false
	}
	a, err := netip.ParseAddr(inner)
	if err != nil || !a.Is6() {
		return "", false
	}
	return "[" + pieces(a.As16()) + "]", true
}

// pieces formats an address (clause 3.6), never with an IPv4 address at its end, unlike netip.
func pieces(b [16]byte) string {
	var p [8]uint64
	for i := range p {
		p[i] = uint64(b[2*i])<<8 | uint64(b[2*i+1])
	}
	from, to := longestZeros(p)
	var out strings.Builder
	for i := 0; i < len(p); i++ {
		if i == from {
			out.WriteString("::")
			i = to - 1
			continue
		}
		if i > 0 && i != to {
			out.WriteByte(':')
		}
		out.WriteString(strconv.FormatUint(p[i], 16))
	}
	return out.String()
}

// longestZeros returns the first of the longest runs of zeros, of at least two, or -1.
func longestZeros(p [8]uint64) (from, to int) {
	from, to = -1, -1
	for i := 0; i < len(p); i++ {
		k := i
		for k < len(p) && p[k] == 0 {
			k++
		}
		if k-i > 1 && k-i > to-from {
			from, to = i, k
		}
		i = max(i, k-1)
	}
	return from, to
}

// endsInNumber reports whether a domain must be an IPv4 address (clause 3.5, ends-in-a-number
// checker).
func endsInNumber(s string) bool {
	s = strings.TrimSuffix(s, ".")
	last := s[strings.LastIndexByte(s, '.')+1:]
	if last == "" {
		return false
	}
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, ok := number(last)
	return ok
}

// address4 parses an IPv4 address. Its parts may be hexadecimal or octal, and fewer than four (IPv4
// parser).
func address4(s string) (string, bool) {
	parts := strings.Split(strings.TrimSuffix(s, "."), ".")
	if len(parts) > 4 {
		return "", false
	}
	value := new(big.Int)
	for i, part := range parts {
		n, ok := number(part)
		last := i == len(parts)-1
		if !ok || !last && n.Cmp(big.NewInt(255)) > 0 {
			return "", false
		}
		if last {
			if n.BitLen() > 8*(5-len(parts)) {
				return "", false
			}
		} else {
			n.Lsh(n, uint(8*(3-i)))
		}
		value.Add(value, n)
	}
	v := value.Uint64()
	return netip.AddrFrom4([4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}).String(), true
}

// number parses one part of an address (IPv4 number parser).
func number(s string) (*big.Int, bool) {
	if s == "" {
		return nil, false
	}
	base := 10
	switch {
	case len(s) > 1 && s[0] == '0' && s[1]|0x20 == 'x':
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	if s == "" {
		return new(big.Int), true
	}
	if len(s) > 400 || strings.ContainsAny(s, "+-_") { // longer than any real host
		return nil, false
	}
	return new(big.Int).SetString(s, base)
}
