package xmlstream

import "strings"

// IsURI reports whether s is a valid xs:anyURI: a URI or relative reference of RFC 3986, after
// percent-encoding of the characters not allowed in one (XML Schema 1.0 part 2, clause 3.2.17).
// Crawls contain addresses that are not URIs, such as "http://a/100%". Those belong in an element
// for any string.
//
// Validators differ in rare cases. Both libxml2 and jacoelho/xsd accept everything that IsURI
// accepts.
func IsURI[T string | []byte](s T) bool {
	return len(s) == 0 || isUsualURI(s) || isAnyURI(string(s)) // empty is the current document
}

func isAnyURI(s string) bool {
	if strings.Trim(s, whiteSpace) != s || !escapesAreWhole(s) || strings.Count(s, "#") > 1 {
		return false // white space around a URI is not part of it (whiteSpace="collapse")
	}
	rest, _, _ := strings.Cut(s, "#")
	rest, query, _ := strings.Cut(rest, "?")
	if colon := strings.IndexByte(rest, ':'); colon >= 0 && !strings.Contains(rest[:colon], "/") {
		if !isScheme(rest[:colon]) {
			return false
		}
		if rest = rest[colon+1:]; rest == "" {
			return false
		}
	}
	if rest == "//" {
		return false
	}
	if authority, ok := strings.CutPrefix(rest, "//"); ok {
		authority, rest, _ = strings.Cut(authority, "/")
		if !isAuthority(authority) {
			return false
		}
	}
	// Square brackets are only for IP addresses (clause 3.2.2).
	return !strings.ContainsAny(rest, "[]") && !strings.ContainsAny(query, "[]") &&
		!strings.ContainsAny(fragment(s), "[]")
}

// isUsualURI reports whether s is a URI of the web without a user and without a percent sign, as
// nearly all links are. It reads the text once.
func isUsualURI[T string | []byte](s T) bool {
	i := 0
	for ; i < len("http"); i++ {
		if i == len(s) || s[i] != "http"[i] {
			return false
		}
	}
	if i < len(s) && s[i] == 's' {
		i++
	}
	if len(s) < i+len("://") || s[i] != ':' || s[i+1] != '/' || s[i+2] != '/' {
		return false
	}
	i += len("://")
	host := i
	for i < len(s) && usualBytes[s[i]]&inHost != 0 {
		i++
	}
	if i == host {
		return false
	}
	if i < len(s) && s[i] == ':' {
		port := i + 1
		for i = port; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
		}
		if i == port || i > port+5 {
			return false
		}
	}
	if i < len(s) && s[i] != '/' && s[i] != '?' && s[i] != '#' {
		return false
	}
	numbers := 0
	for ; i < len(s); i++ {
		if usualBytes[s[i]] == 0 {
			return false
		}
		if s[i] == '#' {
			numbers++
		}
	}
	return numbers <= 1
}

const (
	inHost = 1 << iota
	behindHost
)

// usualBytes are the characters of RFC 3986 without percent sign and square brackets.
var usualBytes = func() (t [256]uint8) {
	for _, c := range []byte(letters + "0123456789-.") {
		t[c] = inHost | behindHost
	}
	for _, c := range []byte("_~:/?#@!$&'()*+,;=") {
		t[c] = behindHost
	}
	return t
}()

// escapesAreWhole reports whether two hexadecimal digits follow every percent sign (RFC 3986,
// clause 2.1).
func escapesAreWhole(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && (i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2])) {
			return false
		}
	}
	return true
}

func isHex(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F'
}

// isScheme checks clause 3.1: a letter, then letters, digits, plus, minus and dot.
func isScheme(s string) bool {
	return s != "" && strings.Trim(s, letters+"0123456789+-.") == "" && strings.IndexByte(letters, s[0]) >= 0
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// isAuthority checks clause 3.2: user, host and port. A port has up to five digits; validators
// disagree on more.
func isAuthority(s string) bool {
	if user, host, ok := strings.Cut(s, "@"); ok {
		if strings.ContainsAny(host, "@") || strings.ContainsAny(user, "[]") {
			return false
		}
		s = host
	}
	if address, ok := strings.CutPrefix(s, "["); ok {
		var port string
		address, port, ok = strings.Cut(address, "]")
		return ok && address != "" && strings.Trim(address, "0123456789abcdefABCDEF:.") == "" &&
			(port == "" || port[0] == ':' && isPort(port[1:]))
	}
	host, port, hasPort := strings.Cut(s, ":")
	return !strings.ContainsAny(host, "[]") && (!hasPort || isPort(port))
}

func isPort(s string) bool {
	return s != "" && len(s) <= 5 && strings.Trim(s, "0123456789") == ""
}

// fragment returns the text after the first #.
func fragment(s string) string {
	_, after, _ := strings.Cut(s, "#")
	return after
}
