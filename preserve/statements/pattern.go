package statements

import (
	"net/url"
	"strings"
)

// Pattern is a compiled pattern of URLs, for comparison with many. It is one of
//
//	http://a.example/private/   all URLs that begin with it; a host without a path means the whole host
//	http://*.a.example/*.pdf    * means any text, within the host or after it; the whole URL must match
//	a.example                   a host and its subdomains
//
// Hosts are compared case-insensitively. http and https are equal, as are their default ports.
// Unnecessary escapes and dot segments are removed. Thus another spelling of a URL does not give
// more access.
type Pattern struct {
	all, below, whole bool // it matches everything; a host and its subdomains; the whole URL must match
	Address
}

// Compile compiles a pattern.
func Compile(pattern string) Pattern {
	if pattern == "*" {
		return Pattern{all: true}
	}
	if !strings.ContainsAny(pattern, "/:*") {
		return Pattern{below: true, Address: Address{host: strings.ToLower(strings.TrimSuffix(pattern, "."))}}
	}
	if bare(pattern) {
		pattern = "http://" + pattern
	}
	p := Pattern{Address: Split(pattern)}
	p.whole = strings.Contains(pattern, "*") && (p.host == "" || p.rest != "/")
	return p
}

// Match reports whether the pattern matches a URL.
func (p *Pattern) Match(a *Address) bool {
	switch {
	case p.all:
		return true
	case p.below:
		name, _, _ := strings.Cut(a.host, ":")
		return p.host != "" && strings.HasSuffix(name, p.host) &&
			(len(name) == len(p.host) || name[len(name)-len(p.host)-1] == '.')
	case !glob(p.scheme, a.scheme) || !glob(p.host, a.host):
		return false
	case p.whole:
		return glob(p.rest, a.rest)
	}
	return strings.HasPrefix(a.rest, p.rest)
}

// Host returns the host, with its port, of all matching URLs, or the parent domain of their hosts.
// Ok reports whether there is one.
func (p *Pattern) Host() (host string, ok bool) {
	return p.host, !p.all && p.host != "" && !strings.Contains(p.host, "*")
}

// bare reports whether a pattern starts with a host.
func bare(pattern string) bool {
	before, after, colon := strings.Cut(pattern, ":")
	return !colon || strings.Contains(before, "/") || after != "" && after[0] >= '0' && after[0] <= '9'
}

// Address is a URL in normalized form, for comparison with patterns.
type Address struct{ scheme, host, rest string }

// Host returns the host of the URL, with its port if that is not the scheme's default.
func (a *Address) Host() string { return a.host }

// Split splits a URL, or a pattern, into its parts.
func Split(s string) Address {
	s, _, _ = strings.Cut(s, "#")
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok {
		return Address{rest: s}
	}
	a := Address{scheme: strings.ToLower(scheme), rest: rest}
	port := ":80"
	if a.scheme == "https" || a.scheme == "http*" {
		a.scheme, port = "http", ":443"
	}
	if !strings.HasPrefix(rest, "//") {
		return a
	}
	i := strings.IndexAny(rest[2:], `/?\`)
	if i < 0 {
		i = len(rest) - 2
	}
	a.host, a.rest = strings.ToLower(rest[2:2+i]), rest[2+i:]
	a.host = a.host[strings.LastIndexByte(a.host, '@')+1:]
	if unescaped, err := url.PathUnescape(a.host); err == nil {
		a.host = strings.ToLower(unescaped)
	}
	a.host = strings.TrimSuffix(strings.TrimSuffix(a.host, port), ".")
	a.rest = plain(a.rest)
	return a
}

// plain returns a path and query without unnecessary escapes, and without dot segments in the path
// (RFC 3986, 6.2.2).
func plain(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c, ok := escaped(s, i); ok {
			b.WriteByte(c)
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	path, query, asked := strings.Cut(b.String(), "?")
	path = withoutDots(strings.ReplaceAll(path, `\`, "/"))
	if asked {
		return path + "?" + query
	}
	return path
}

// escaped decodes an unnecessary escape.
func escaped(s string, i int) (c byte, ok bool) {
	if s[i] != '%' || i+2 >= len(s) {
		return 0, false
	}
	text, err := url.PathUnescape(s[i : i+3])
	if err != nil || len(text) != 1 {
		return 0, false
	}
	c = text[0]
	return c, c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// withoutDots removes "." and ".." from a path (RFC 3986, 5.2.4). The result always begins with a
// slash.
func withoutDots(path string) string {
	var out []string
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i, part := range parts {
		switch part {
		case "..":
			out = out[:max(len(out)-1, 0)]
		case ".":
		default:
			out = append(out, part)
			continue
		}
		if i == len(parts)-1 {
			out = append(out, "")
		}
	}
	return "/" + strings.Join(out, "/")
}

// glob reports whether a text matches a pattern. In the pattern, * means any text. The running time
// grows at most with the product of both lengths.
func glob(pattern, text string) bool {
	p, t, star, mark := 0, 0, -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, t
			p++
		case p < len(pattern) && pattern[p] == text[t]:
			p++
			t++
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}
