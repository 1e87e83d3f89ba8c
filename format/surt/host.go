package surt

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// names maps as the registries did when most archives were indexed (IDNA2003, transitional
// processing of UTS 46), since keys that were made then have to be found.
var names = idna.New(idna.MapForLookup(), idna.Transitional(true), idna.StrictDomainName(false),
	idna.CheckHyphens(false), idna.VerifyDNSLength(false))

// hostKey gives host and port as they stand in a key; "" for a host that is empty.
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
	return turned(withoutWWW(named(unescape(authority)))), portKey(port, scheme)
}

// named writes a host in lower case, in Punycode, and without dots that say nothing.
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

// maxName is the longest host that Punycode is tried for, in bytes: names of the DNS have 253
// characters, and the work is not linear.
const maxName = 1024

// withoutWWW takes "www." away, with a number or without, once.
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

// turned puts the last label first.
func turned(host string) string {
	if !strings.Contains(host, ".") {
		return host
	}
	labels := strings.Split(host, ".")
	for i, j := 0, len(labels)-1; i < j; i, j = i+1, j-1 {
		labels[i], labels[j] = labels[j], labels[i]
	}
	return strings.Join(labels, ",")
}

// ipv4 reads the forms in which an address of IPv4 may be written: one number, or up to four with
// dots between them, all octal when the first begins with 0. Of fewer than four the last fills what
// is left (inet_aton).
func ipv4(host string) (string, bool) {
	if host == "" || strings.Trim(host, "0123456789.") != "" {
		return "", false
	}
	if !strings.Contains(host, ".") {
		var n uint32
		for _, c := range []byte(host) {
			n = n*10 + uint32(c-'0') // beyond 2^32 it begins anew, as the peers count
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
