package surt

import (
	"strconv"
	"strings"
)

// Key gives the key of a URL, in the steps of the IA rules of webarchive-commons and of the surt
// package that pywb uses:
//
//   - white space around it, and line breaks and tabs in it, are taken away; the fragment, too;
//   - whatever is percent-encoded is decoded, as often as it goes, and then what must be encoded is encoded once;
//   - of the host, "www." and "www7." are taken away, it is written in Punycode, in lower case, an
//     IPv4 address in four decimal numbers, and
//     its labels are turned round; user and password, and the port that is the scheme's own, are taken away;
//   - in the path, ".", ".." and "//" are solved, the slash at the end is taken away, session ids
//     of ASP.NET are, and it is in lower case;
//   - the query loses session ids, is in lower case, and its arguments are sorted.
//
// What has no host (urn:, mailto:) keeps its scheme and its order. A text that is no URL is taken
// for one without a scheme, as browsers do; "" has the key "-".
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

// Prefix gives what the keys begin with of all URLs that begin as this one does. Unlike [Key] it
// keeps a slash, or a question mark, at the end: who asks for what lies below a folder does not
// want the folder's namesakes.
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

// Host gives what the keys begin with of all URLs of the host of this one, without what stands
// behind: "org,example". ok says whether it has one.
func Host(url string) (host, port string, ok bool) {
	p, opaque := split(trim(url))
	if opaque {
		return "", "", false
	}
	host, port = hostKey(p.authority, p.scheme)
	return host, port, host != ""
}

// parts are what a URL consists of. The query has its question mark; "" is none.
type parts struct{ scheme, authority, path, query string }

// trim takes away what people and programs leave around a URL, and in it.
func trim(url string) string {
	url = strings.TrimFunc(url, func(r rune) bool { return r <= ' ' })
	if !strings.ContainsAny(url, "\t\r\n") {
		return url
	}
	return strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(url)
}

// split takes a URL apart (RFC 3986, 3). opaque says that it has a scheme and no host.
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

// schemeLength is the length of the scheme, without its colon; 0 when there is none.
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

// isHostAndPort knows "example.org:8080/x", which somebody typed, from a scheme.
func isHostAndPort(name, behind string) bool {
	digits := 0
	for digits < len(behind) && behind[digits] >= '0' && behind[digits] <= '9' {
		digits++
	}
	ends := digits == len(behind) || strings.IndexByte("/?#", behind[digits]) >= 0
	return digits > 0 && digits <= 5 && ends && (name == "localhost" || strings.Contains(name, "."))
}

// opaqueKey is the key of what has no host.
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

// portKey is how a port stands in a key: ":8080"; "" for that of the scheme, and for none.
func portKey(port, scheme string) string {
	n, err := strconv.ParseUint(port, 10, 16)
	switch {
	case port == "":
		return ""
	case err != nil: // it is no port, and belongs to the name all the same
		return ":" + strings.ToLower(string(escape(nil, port)))
	case n == 0, scheme == "http" && n == 80, scheme == "https" && n == 443:
		return ""
	}
	return ":" + strconv.FormatUint(n, 10)
}
