package weburl

import (
	"bytes"
	"strconv"
	"strings"
)

// URL is a URL in its parts, as written (clause 4.1).
type URL struct {
	Scheme   string // in lower case
	User     string
	Password string
	Host     string // without a port; IPv6 with its brackets
	Port     string // "" for the scheme's default
	Path     string // with its first slash, unless opaque
	Query    string // without the question mark
	Fragment string // without the number sign

	hasHost     bool // a host exists, possibly empty: file:///
	hasQuery    bool // a query exists, possibly empty
	hasFragment bool
	opaque      bool // the path has no segments: mailto:
}

// special are the schemes with special rules in the standard, with their default ports (clause
// 4.2).
var special = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21", "file": ""}

func isSpecial(scheme string) bool { _, ok := special[scheme]; return ok }

// Resource returns the URL without its fragment (clause 4.5, with exclude fragment).
func (u *URL) Resource() string {
	var b strings.Builder
	b.Grow(len(u.Scheme) + len(u.Host) + len(u.Path) + len(u.Query) + 8)
	b.WriteString(u.Scheme)
	b.WriteByte(':')
	switch {
	case u.hasHost:
		b.WriteString("//")
		u.writeCredentials(&b)
		b.WriteString(u.Host)
		if u.Port != "" {
			b.WriteByte(':')
			b.WriteString(u.Port)
		}
	case !u.opaque && strings.HasPrefix(u.Path, "//"): // otherwise its path would be read as a host
		b.WriteString("/.")
	}
	b.WriteString(u.Path)
	if u.hasQuery {
		b.WriteByte('?')
		b.WriteString(u.Query)
	}
	return b.String()
}

func (u *URL) writeCredentials(b *strings.Builder) {
	if u.User == "" && u.Password == "" {
		return
	}
	b.WriteString(u.User)
	if u.Password != "" {
		b.WriteByte(':')
		b.WriteString(u.Password)
	}
	b.WriteByte('@')
}

// String returns the URL (clause 4.5).
func (u *URL) String() string {
	if u.hasFragment {
		return u.Resource() + "#" + u.Fragment
	}
	return u.Resource()
}

// Normal returns a URL in the form in which browsers request it, without its fragment. It returns
// false if the standard does not accept the text.
func Normal(text string) (string, bool) {
	u, err := Parse(text, nil, nil)
	if err != nil {
		return "", false
	}
	return u.Resource(), true
}

// Redirected returns the target of a redirect, without its fragment: the Location of the response,
// relative to the requested URL (Fetch Standard, 4.3, location URL). It returns false if that is
// not a URL.
func Redirected(from, location string) (string, bool) {
	base, _ := Parse(from, nil, nil) // even if from is invalid, Location can be an absolute URL
	u, err := Parse(location, base, nil)
	if err != nil {
		return "", false
	}
	return u.Resource(), true
}

// shorten removes the last segment, unless it is the drive of a file (clause 4.1, shorten a URL's
// path).
func shorten(scheme string, path []byte) []byte {
	i := bytes.LastIndexByte(path, '/')
	if i < 0 || scheme == "file" && i == 0 && isDrive(string(path[1:])) && path[2] == ':' {
		return path
	}
	return path[:i]
}

// isDrive reports whether s is a letter and a colon or bar (clause 4.1, Windows drive letter).
func isDrive(s string) bool { return len(s) == 2 && isAlpha(s[0]) && (s[1] == ':' || s[1] == '|') }

// beginsWithDrive reports whether a path begins with a drive.
func beginsWithDrive(s string) bool {
	return len(s) >= 2 && isDrive(s[:2]) && (len(s) == 2 || strings.IndexByte(`/\?#`, s[2]) >= 0)
}

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// port parses a port (clause 4.4, port state).
func port(scheme, s string) (string, bool) {
	n := 0
	for i := range len(s) {
		if !isDigit(s[i]) {
			return "", false
		}
		if n = n*10 + int(s[i]-'0'); n > 65535 {
			return "", false
		}
	}
	if s == "" || strconv.Itoa(n) == special[scheme] {
		return "", true
	}
	return strconv.Itoa(n), true
}
