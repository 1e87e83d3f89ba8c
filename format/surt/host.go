package surt

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// names maps as the registries did when most archives were indexed (IDNA2003, transitional
// processing of UTS 46), so that keys from that time are found.
var names = idna.New(idna.MapForLookup(), idna.Transitional(true), idna.StrictDomainName(false),
	idna.CheckHyphens(false), idna.VerifyDNSLength(false))

// hostKey returns host and port in the form of a key; "" for an empty host.
func hostKey(authority, scheme string) (host, port string) {
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		authority = authority[i+1:]
	}
	if strings.HasPrefix(authority, "[") { // IPv6
		host, behind, _ := strings.Cut(authority[1:], "]")
		return strings.ToLower(string(escape(nil, unescape(host)))), portKey(strings.TrimPrefix(behind, ":"), scheme)
	}
	if i := strings.IndexByte(authority, ':'); i >= 0 {
		authority, port = authority[:i], authority[i+1:]
	}
	return reverseLabels(withoutWWW(named(unescape(authority)))), portKey(port, scheme)
}

// named returns a host in lower case, in Punycode, without superfluous dots.
func named(host string) string {
	ascii := strings.IndexFunc(host, func(r rune) bool { return r >= 0x80 }) < 0
	if !ascii && len(host) <= maxName && utf8.ValidString(host) {
		if name, err := names.ToASCII(strings.Trim(host, ".")); err == nil {
			host = name
		}
	}
	labels := strings.FieldsFunc(host, func(r rune) bool { return r == '.' })
	host = strings.Join(labels, ".")
	if ip, ok := ipv4(host); ok {
		return ip
	}
	return strings.ToLower(string(escape(nil, host)))
}

// maxName is the longest host that is converted to Punycode, in bytes. DNS names have at most 253
// characters, and the conversion is not linear.
const maxName = 1024

// withoutWWW removes "www." once, with or without a number.
func withoutWWW(host string) string {
	rest, ok := strings.CutPrefix(host, "www")
	if !ok {
		return host
	}
	rest = strings.TrimLeft(rest, "0123456789")
	if rest, ok = strings.CutPrefix(rest, "."); ok {
		return rest
	}
	return host
}

// reverseLabels reverses the labels: the last comes first.
func reverseLabels(host string) string {
	if !strings.Contains(host, ".") {
		return host
	}
	labels := strings.Split(host, ".")
	for i, j := 0, len(labels)-1; i < j; i, j = i+1, j-1 {
		labels[i], labels[j] = labels[j], labels[i]
	}
	return strings.Join(labels, ",")
}

// ipv4 parses all written forms of an IPv4 address: one number, or up to four separated by dots,
// all octal if the first begins with 0. If there are fewer than four, the last fills the remaining
// bytes (inet_aton).
func ipv4(host string) (string, bool) {
	if host == "" || strings.Trim(host, "0123456789.") != "" {
		return "", false
	}
	if !strings.Contains(host, ".") {
		var n uint32
		for _, c := range []byte(host) {
			n = n*10 + uint32(c-'0') // overflows at 2^32, as in other tools
		}
		return dotted(n), true
	}
	words := strings.Split(host, ".")
	if len(words) > 4 {
		return "", false
	}
	base := 10
	if host[0] == '0' {
		base = 8
	}
	var ip uint32
	for i, word := range words {
		bits := 8
		if i == len(words)-1 {
			bits = 8 * (4 - i)
		}
		n, err := strconv.ParseUint(word, base, bits)
		if err != nil {
			return "", false
		}
		ip = ip<<bits | uint32(n)
	}
	return dotted(ip), true
}

func dotted(ip uint32) string {
	var b []byte
	for shift := 24; shift >= 0; shift -= 8 {
		if shift < 24 {
			b = append(b, '.')
		}
		b = strconv.AppendUint(b, uint64(ip>>shift&255), 10)
	}
	return string(b)
}
