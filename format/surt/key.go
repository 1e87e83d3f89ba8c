package surt

import (
	"strconv"
	"strings"
)

// Key returns the key of a URL. The steps are the IA rules of webarchive-commons and of the surt
// package that pywb uses:
//
//   - White space around it, line breaks and tabs in it, and the fragment are removed.
//   - Percent-encoding is decoded repeatedly; then characters that need it are encoded once.
//   - In the host, "www." and "www7." are removed. It is written in Punycode, in lower case, an
//     IPv4 address in four decimal numbers, and its labels are reversed. User, password and the
//     scheme's default port are removed.
//   - In the path, ".", ".." and "//" are resolved. The slash at the end and session ids of
//     ASP.NET are removed, and it is in lower case.
//   - In the query, session ids are removed, it is in lower case, and its arguments are sorted.
//
// URLs without a host (urn:, mailto:) keep their scheme and order. A text that is not a URL is
// treated as one without a scheme, as browsers do; "" has the key "-".
func Key(url string) string {
	url = trim(url)
	if url == "" {
		return "-"
	}
	p, opaque := split(url)
	if opaque {
		return opaqueKey(url)
	}
	host, port := hostKey(p.authority, p.scheme)
	var b strings.Builder
	b.Grow(len(url) + 8)
	if host == "" {
		b.WriteString(p.scheme + ":")
	} else {
		b.WriteString(host)
		b.WriteString(port)
		b.WriteByte(')')
	}
	b.WriteString(pathKey(p.path))
	b.WriteString(queryKey(p.query))
	return b.String()
}

// Prefix returns the common beginning of the keys of all URLs that begin like this one. Unlike
// [Key] it keeps a slash or a question mark at the end: a query for the content of a folder must
// not match files with the folder's name.
func Prefix(url string) string {
	url = trim(url)
	key := Key(url)
	switch {
	case strings.HasSuffix(url, "/") && !strings.HasSuffix(key, "/"):
		key += "/"
	case strings.HasSuffix(url, "?") && !strings.Contains(key, "?"):
		key += "?"
	}
	return key
}

// Host returns the common beginning of the keys of all URLs of this URL's host: "org,example". ok
// reports whether the URL has a host.
func Host(url string) (host, port string, ok bool) {
	p, opaque := split(trim(url))
	if opaque {
		return "", "", false
	}
	host, port = hostKey(p.authority, p.scheme)
	return host, port, host != ""
}

// parts are the parts of a URL. The query includes its question mark; "" means no query.
type parts struct{ scheme, authority, path, query string }

// trim removes the white space that people and programs leave around a URL and in it.
func trim(url string) string {
	url = strings.TrimFunc(url, func(r rune) bool { return r <= ' ' })
	if !strings.ContainsAny(url, "\t\r\n") {
		return url
	}
	return strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(url)
}

// split splits a URL (RFC 3986, 3). opaque means that it has a scheme but no host.
func split(url string) (p parts, opaque bool) {
	p.scheme = "http"
	rest := url
	if n := schemeLength(url); n > 0 {
		name, behind := strings.ToLower(url[:n]), url[n+1:]
		switch {
		case name == "http" || name == "https":
			p.scheme, rest = name, behind
		case strings.HasPrefix(behind, "//") && name != "filedesc":
			p.scheme, rest = name, behind
		case !isHostAndPort(name, behind):
			return p, true
		}
	} else {
		rest = strings.TrimPrefix(rest, ":")
	}
	rest = strings.TrimLeft(rest, "/")
	rest, _, _ = strings.Cut(rest, "#")
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		rest, p.query = rest[:i], rest[i:]
	}
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		rest, p.path = rest[:i], rest[i:]
	}
	p.authority = rest
	return p, false
}

// schemeLength returns the length of the scheme without its colon, or 0.
func schemeLength(url string) int {
	for i := range len(url) {
		c := url[i] | 0x20
		switch {
		case c >= 'a' && c <= 'z':
		case i > 0 && (url[i] >= '0' && url[i] <= '9' || url[i] == '+' || url[i] == '-' || url[i] == '.'):
		case url[i] == ':':
			return i
		default:
			return 0
		}
	}
	return 0
}

// isHostAndPort distinguishes a typed "example.org:8080/x" from a scheme.
func isHostAndPort(name, behind string) bool {
	digits := 0
	for digits < len(behind) && behind[digits] >= '0' && behind[digits] <= '9' {
		digits++
	}
	ends := digits == len(behind) || strings.IndexByte("/?#", behind[digits]) >= 0
	return digits > 0 && digits <= 5 && ends && (name == "localhost" || strings.Contains(name, "."))
}

// opaqueKey returns the key of a URL without a host.
func opaqueKey(url string) string {
	n := schemeLength(url)
	scheme, rest := strings.ToLower(url[:n+1]), url[n+1:]
	if scheme == "filedesc:" || scheme == "warcinfo:" { // names of files
		return scheme + string(escape(nil, rest))
	}
	rest, _, _ = strings.Cut(rest, "#")
	query := ""
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		rest, query = rest[:i], rest[i:]
	}
	rest = strings.ToLower(string(escape(nil, unescape(rest))))
	return scheme + strings.TrimSuffix(rest, "/") + queryKey(query)
}

// portKey returns a port in the form of a key: ":8080"; "" for the scheme's default port, and for
// none.
func portKey(port, scheme string) string {
	n, err := strconv.ParseUint(port, 10, 16)
	switch {
	case port == "":
		return ""
	case err != nil: // not a port, but still part of the name
		return ":" + strings.ToLower(string(escape(nil, port)))
	case n == 0, scheme == "http" && n == 80, scheme == "https" && n == 443:
		return ""
	}
	return ":" + strconv.FormatUint(n, 10)
}
