package site

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/jimsmart/grobotstxt"

	"quire/format/htmllink"
)

// robotsName is the name of this program in robots.txt, and in meta elements.
const robotsName = "quire-crate"

// maxRobots is how many bytes of robots.txt are read (RFC 9309, 2.5: at least 500 KiB).
const maxRobots = 500 << 10

// robots are the rules of a site for programs that follow its links. The zero value allows all.
type robots struct {
	text   string
	closed bool // nothing is allowed
}

// allow reports whether the rules allow to request a URL.
func (r *robots) allow(url string) bool {
	return !r.closed && (r.text == "" || grobotstxt.AgentAllowed(r.text, robotsName, url))
}

// readRobots reads the rules. A site without rules allows all; one that cannot answer allows nothing (RFC 9309,
// 2.3.1.4). Sites below a path have no rules of their own: the file is at the root of a host.
func (c *scan) readRobots(ctx context.Context) error {
	if c.find.IgnoreRobots || c.urls.path != "/" {
		return nil
	}
	root, err := url.Parse(c.urls.root)
	if err != nil {
		return err
	}
	address := root.ResolveReference(&url.URL{Path: "/robots.txt"}).String()
	a, err := c.asker.ask(ctx, http.MethodGet, address)
	if err == nil {
		defer func() { _ = a.Close() }() // never fails
		var text []byte
		switch {
		case a.status == http.StatusOK:
			text, err = io.ReadAll(io.LimitReader(a, maxRobots))
			c.robots.text = string(text)
		case transient(a.status):
			err = fmt.Errorf("the status is %d %s", a.status, http.StatusText(a.status))
		}
	}
	if err != nil && ctx.Err() == nil {
		c.robots.closed = true
		c.incomplete(fmt.Sprintf("%s: %v: no link is followed until it can be read", address, err))
	}
	return ctx.Err()
}

// forbidsLinks reports whether values of X-Robots-Tag, a line each, or the content of a meta element, forbid to follow
// the links of a page: "noindex, nofollow", "none", "quire-crate: nofollow". Rules behind the name of another program
// are not for this one.
func forbidsLinks(values string) bool {
	for value := range strings.SplitSeq(strings.ToLower(values), "\n") {
		others := false
		for rule := range strings.SplitSeq(value, ",") {
			name, own, named := strings.Cut(rule, ":")
			if named && !valued[strings.TrimSpace(name)] {
				rule, others = own, strings.TrimSpace(name) != robotsName
			}
			if rule = strings.TrimSpace(rule); !others && (rule == "nofollow" || rule == "none") {
				return true
			}
		}
	}
	return false
}

// valued are the rules with a value behind a colon. Other names before a colon are names of programs.
var valued = map[string]bool{"max-snippet": true, "max-image-preview": true, "max-video-preview": true,
	"unavailable_after": true}

// metaForbidsLinks reports whether an element is a meta element that forbids to follow the links of its page.
func metaForbidsLinks(e *htmllink.Element) bool {
	if e.Name != "meta" {
		return false
	}
	name, _, _ := e.Attribute("name")
	switch strings.ToLower(strings.TrimSpace(string(name))) {
	case "robots", robotsName:
		content, _, _ := e.Attribute("content")
		return forbidsLinks(string(htmllink.Unescape(content)))
	}
	return false
}
