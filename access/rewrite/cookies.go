package rewrite

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Cookie is the name and the value of a cookie.
type Cookie [2]string

// The bounds on the cookies of a page. They are within its markup.
const (
	maxCookies     = 50
	maxCookieBytes = 8 << 10
)

// Cookies returns the cookies of a captured answer that scripts of its page see: those that a browser would have kept
// at that time (RFC 6265, 5.3 and 5.4). page.js keeps them. No browser gets them as cookies, since they could reach
// other archived pages.
func Cookies(page string, at time.Time, header []Field) (all []Cookie) {
	u, err := url.Parse(page)
	if err != nil {
		return nil
	}
	size := 0
	for _, f := range header {
		if !strings.EqualFold(f.Name, "Set-Cookie") || len(all) == maxCookies {
			continue
		}
		c, err := http.ParseSetCookie(f.Value)
		if err != nil || !visible(c, u, at) {
			continue
		}
		if c.Quoted {
			c.Value = `"` + c.Value + `"`
		}
		if size += len(c.Name) + len(c.Value); size > maxCookieBytes {
			break
		}
		all = append(all, Cookie{c.Name, c.Value})
	}
	return all
}

// visible reports whether a page sees a cookie that its answer sets.
func visible(c *http.Cookie, u *url.URL, at time.Time) bool {
	host, domain := strings.ToLower(u.Hostname()), strings.ToLower(strings.TrimPrefix(c.Domain, "."))
	_, notIP := netip.ParseAddr(host)
	switch {
	case c.HttpOnly, c.Secure && u.Scheme != "https":
		return false
	case c.MaxAge < 0, c.MaxAge == 0 && !c.Expires.IsZero() && !c.Expires.After(at):
		return false
	case domain != "" && domain != host && (notIP == nil || !strings.HasSuffix(host, "."+domain)):
		return false
	case strings.HasPrefix(c.Name, "__Secure-") && !c.Secure,
		strings.HasPrefix(c.Name, "__Host-") && (!c.Secure || domain != "" || c.Path != "/"):
		return false
	}
	path := u.EscapedPath()
	return !strings.HasPrefix(c.Path, "/") || path == c.Path ||
		strings.HasPrefix(path, strings.TrimSuffix(c.Path, "/")+"/") || c.Path == "/"
}
