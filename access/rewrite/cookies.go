package rewrite

import (
	"html"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"
)

// Cookie is the name and the value of a cookie.
type Cookie [2]string

// The bounds on the cookies of a page. They are within its markup.
const (
	maxCookies     = 50
	maxCookieBytes = 8 << 10 // as they are written there
)

// Cookies returns the cookies of a captured answer that scripts of its page see: those that a browser would have kept
// at that time (RFC 6265, 5.3 and 5.4). page.js keeps them. No browser gets them as cookies, since they could reach
// other archived pages.
func Cookies(page string, at time.Time, header []Field) (all []Cookie) {
	u, err := url.Parse(page)
	if err != nil {
		return nil
	}
	var kept []setCookie
	size := 0
	for _, f := range header {
		if !strings.EqualFold(f.Name, "Set-Cookie") {
			continue
		}
		c, ok := readCookie(f.Value)
		if !ok || !c.place(u) {
			continue
		}
		if i := slices.IndexFunc(kept, c.replaces); i >= 0 {
			size -= kept[i].size()
			kept = slices.Delete(kept, i, i+1)
		}
		if n := c.size(); c.visible(u, at) && len(kept) < maxCookies && size+n <= maxCookieBytes {
			kept, size = append(kept, c), size+n
		}
	}
	for _, c := range kept {
		all = append(all, c.Cookie)
	}
	return all
}

// setCookie is a cookie with its attributes.
type setCookie struct {
	Cookie
	of http.Cookie // its attributes
}

// readCookie splits a cookie as browsers do (RFC 6265, 5.2): they refuse controls, and keep all other characters. A
// text without an equals sign is the value of a cookie without a name.
func readCookie(field string) (c setCookie, ok bool) {
	if strings.ContainsFunc(field, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return c, false
	}
	pair, attributes, _ := strings.Cut(field, ";")
	name, value, named := strings.Cut(pair, "=")
	if !named {
		name, value = "", pair
	}
	c.Cookie = Cookie{strings.Trim(name, " \t"), strings.Trim(value, " \t")}
	given, err := http.ParseSetCookie("a=;" + attributes)
	if err != nil || c.Cookie == (Cookie{}) {
		return c, false
	}
	c.of = *given
	return c, true
}

// place completes the domain and the path (RFC 6265, 5.3). It reports whether the page may set the cookie.
func (c *setCookie) place(u *url.URL) bool {
	host, domain := strings.ToLower(u.Hostname()), strings.ToLower(strings.TrimPrefix(c.of.Domain, "."))
	_, notIP := netip.ParseAddr(host)
	suffix, _ := publicsuffix.PublicSuffix(domain)
	switch {
	case c.of.Secure && u.Scheme != "https",
		domain != "" && domain != host && (notIP == nil || suffix == domain || !strings.HasSuffix(host, "."+domain)):
		return false
	case strings.HasPrefix(c.Cookie[0], "__Secure-") && !c.of.Secure,
		strings.HasPrefix(c.Cookie[0], "__Host-") && (!c.of.Secure || domain != "" || c.of.Path != "/"):
		return false
	}
	if domain == "" {
		domain = host
	}
	c.of.Domain = domain
	if !strings.HasPrefix(c.of.Path, "/") {
		path := u.EscapedPath()
		c.of.Path = "/" + strings.TrimPrefix(path[:max(0, strings.LastIndexByte(path, '/'))], "/")
	}
	return true
}

// replaces reports whether a browser has this cookie in place of the other one.
func (c *setCookie) replaces(old setCookie) bool {
	return old.Cookie[0] == c.Cookie[0] && old.of.Domain == c.of.Domain && old.of.Path == c.of.Path
}

// visible reports whether scripts of the page see the cookie.
func (c *setCookie) visible(u *url.URL, at time.Time) bool {
	if c.of.HttpOnly || c.of.MaxAge < 0 || c.of.MaxAge == 0 && !c.of.Expires.IsZero() && !c.of.Expires.After(at) {
		return false
	}
	path := u.EscapedPath()
	return path == c.of.Path || c.of.Path == "/" || strings.HasPrefix(path, strings.TrimSuffix(c.of.Path, "/")+"/")
}

// size returns the bytes that the cookie takes in the markup.
func (c *setCookie) size() int {
	text, err := ascii(c.Cookie)
	if err != nil {
		return maxCookieBytes + 1
	}
	return len(html.EscapeString(string(text)))
}
