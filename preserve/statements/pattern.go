package statements

import (
	"net/url"
	"strings"
)

// Pattern is a pattern of URLs, ready to be compared with many. It is one of
//
//	http://a.example/private/   what begins so; a host without a path means all of it
//	http://*.a.example/*.pdf    * stands for anything, within the host or behind it; the whole URL must fit
//	a.example                   a host and those below it
//
// The host is compared without regard to case; http and https, and the ports that they imply, are
// the same; escapes that need not be, and dots between slashes, are undone: whoever writes a URL in
// another way is shown nothing more.
type Pattern struct {
	all, below, whole bool // it means everything; a host and those below it; the whole URL must fit
	Address
}

// Compile makes a pattern ready.
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

// Match says whether the pattern means a URL.
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

// Host is the host, with its port, that all URLs are of which the pattern means, or that they are
// below; ok says whether there is one.
func (p *Pattern) Host() (host string, ok bool) {
	return p.host, !p.all && p.host != "" && !strings.Contains(p.host, "*")
}

// bare says whether a pattern begins with a host.
func bare(pattern string) bool {
	before, after, colon := strings.Cut(pattern, ":")
	return !colon || strings.Contains(before, "/") || after != "" && after[0] >= '0' && after[0] <= '9'
}

// Address is a URL in the form in which patterns and URLs are compared.
type Address struct{ scheme, host, rest string }

// Host is the host of the URL, with its port where that is another than that of the scheme.
func (a *Address) Host() string { return a.host }

// Split takes a URL, or a pattern of some, apart.
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

// plain is a path and query without needless escapes, and the path without dots between slashes
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

// glob says whether a text fits a pattern in which * stands for anything. It takes time for the
// product of both at most.
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
