package rights

import (
	"net/url"
	"strings"
)

// Match says whether a pattern means a URL. A pattern is one of
//
//	http://a.example/private/   what begins so; a host without a path means all of it
//	http://*.a.example/*.pdf    * stands for anything, within the host or behind it; the whole URL must fit
//	a.example                   a host and those below it
//
// The host is compared without regard to case; http and https, and the ports that they imply, are the same; escapes that need
// not be, and dots between slashes, are undone: whoever writes a URL in another way is shown nothing more.
func Match(pattern, address string) bool {
	if pattern == "*" {
		return true
	}
	if !strings.ContainsAny(pattern, "/:*") {
		return below(strings.ToLower(strings.TrimSuffix(pattern, ".")), split(address))
	}
	if bare(pattern) {
		pattern = "http://" + pattern
	}
	p, a := split(pattern), split(address)
	if !glob(p.scheme, a.scheme) || !glob(p.host, a.host) {
		return false
	}
	if strings.Contains(pattern, "*") && (p.host == "" || p.rest != "/") {
		return glob(p.rest, a.rest)
	}
	return strings.HasPrefix(a.rest, p.rest)
}

// below says whether a URL is of a host, or of one below it.
func below(host string, a address) bool {
	name, _, _ := strings.Cut(a.host, ":")
	return host != "" && (name == host || strings.HasSuffix(name, "."+host))
}

// bare says whether a pattern begins with a host.
func bare(pattern string) bool {
	before, after, colon := strings.Cut(pattern, ":")
	return !colon || strings.Contains(before, "/") || after != "" && after[0] >= '0' && after[0] <= '9'
}

// address is a URL in the form in which patterns and URLs are compared.
type address struct{ scheme, host, rest string }

// split takes a URL, or a pattern of some, apart.
func split(s string) address {
	s, _, _ = strings.Cut(s, "#")
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok {
		return address{rest: s}
	}
	a := address{scheme: strings.ToLower(scheme), rest: rest}
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

// plain is a path and query without needless escapes, and the path without dots between slashes (RFC 3986, 6.2.2).
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

// escaped reads an escape of a character that needs none.
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

// withoutDots takes "." and ".." out of a path (RFC 3986, 5.2.4). It always begins with a slash.
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

// glob says whether a text fits a pattern in which * stands for anything. It takes time for the product of both at most.
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
