package replay

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"

	"quire/access/address"
	"quire/access/rewrite"
	"quire/access/wabac"
	"quire/holdings"
)

// capture shows the capture nearest to the moment in the address.
func (c *call) capture() error {
	c.prefer()
	found, err := c.choose(c.q.Timestamp)
	if err != nil {
		return err
	}
	defer func() { drain(found.Body) }() // the one that it has then: decoding puts another in its place
	if err := c.describe(found); err != nil {
		return err
	}
	if c.misplaced(found) && c.shows() {
		c.lead(c.home(found))
		return nil
	}
	if found.Timestamp != c.q.Timestamp && c.navigates() {
		// Who goes to a page comes to the address of just that capture: it can be cited, and what
		// the page asks for gets its date.
		c.lead(c.memento(&found.Judged))
		return nil
	}
	if found.Timestamp != c.q.Timestamp {
		c.w.Header().Set("Content-Location", headerSafe(c.memento(&found.Judged)))
	}
	kind := c.kind()
	rw := c.rewriter(found)
	c.originals(found, rw, kind)
	if to, ok := c.moved(found, rw); ok {
		c.shown(found, kind)
		c.redirect(found.Status, to)
		return nil
	}
	return c.body(found, rw, kind)
}

// describe says which capture it is, and what is around it (RFC 7089, 2.1.1 and 2.2).
func (c *call) describe(found *chosen) error {
	h := c.w.Header()
	h.Set("Memento-Datetime", httpDate(found.Timestamp))
	c.private(found.Verdict)
	a := around{this: &found.Judged}
	if c.document() {
		var err error
		if a, err = c.neighbours(found.Judged); err != nil {
			return err
		}
	}
	h.Set("Link", c.links(found.URL, a))
	if found.Note != "" {
		h.Set("X-Archive-Note", headerSafe(found.Note))
	}
	return nil
}

// document says whether what is asked for may be a page, and not a part of one: pages name the
// captures around them.
func (c *call) document() bool {
	switch c.q.Modifier {
	case address.Image, address.Style, address.Script, address.Worker, address.Module, address.Redirected:
		return false
	}
	switch c.dest() {
	case "", "document", "iframe", "frame", "object", "embed", "empty":
		return true
	}
	return false
}

// navigates says whether a reader goes to an address, as against a page that asks for its parts.
// Browsers say so to hosts that they trust; of others it is known by what they would like best.
func (c *call) navigates() bool {
	switch c.q.Modifier {
	case address.Image, address.Style, address.Script, address.Worker, address.Module, address.Redirected:
		return false
	}
	if c.r.Header.Get("Sec-Fetch-Mode") != "" || c.dest() != "" {
		switch c.dest() {
		case "document", "iframe", "frame", "object", "embed":
			return true
		}
		return false
	}
	return strings.Contains(c.r.Header.Get("Accept"), "text/html")
}

// framed says whether the answer is shown in a frame.
func (c *call) framed() bool {
	switch c.dest() {
	case "iframe", "frame", "object", "embed":
		return true
	}
	return c.q.Modifier == address.Frame
}

// raw says whether the bytes are wanted as they are.
func (c *call) raw() bool {
	return c.q.Modifier == address.Identity || c.q.Modifier == address.Redirected
}

// moved is where an archived redirect leads: the same moment of the URL that it names, never the
// live web. What is given as it was leads nowhere.
func (c *call) moved(found *chosen, rw *rewrite.Rewriter) (to string, ok bool) {
	location := field(found.Header, "Location")
	if !redirects(found.Status) || location == "" || c.q.Modifier == address.Identity {
		return "", false
	}
	return rw.Location(rewrite.Kind(c.shape()), location)
}

// status is that of the answer: the archived one, but for those that have browsers do something
// about the connection or ask again.
func (c *call) status(found *chosen) int {
	switch s := found.Status; {
	case s == 206: // the whole, as a piece; or with id_ just a piece, for which this reader did not ask
		return http.StatusOK
	case s == http.StatusProxyAuthRequired || s == http.StatusRequestTimeout || s == http.StatusMisdirectedRequest ||
		s == http.StatusTooEarly || s == http.StatusUpgradeRequired:
		return http.StatusBadRequest
	case s < 200 || s > 599 || s == 304 || s == 416:
		return http.StatusOK
	case s > 400 && s != 404 && c.engine():
		// wabac.js has a message of its own for these, in place of what was archived, unless it is
		// told the status so (docs/reference/545_replay.md).
		c.w.Header().Set("X-Redirect-Status", fmt.Sprint(s))
		return http.StatusOK
	default:
		return s
	}
}

// engine says whether an engine in the browser asks, for a page of its own.
func (c *call) engine() bool {
	return c.q.Modifier == address.Redirected && strings.Contains(c.r.Referer(), wabac.Path)
}

// etag names the answer, for caches that ask whether theirs is still good. What rewriting makes of
// a capture changes with the program.
func (c *call) etag(found *chosen, form string) string {
	p := found.Record
	if found.Payload != nil {
		p = *found.Payload
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{
		c.nonce, found.Package, found.Record.Container, fmt.Sprint(found.Record.Order), p.SHA256, c.q.In.Collection,
		string(c.shape()), form,
	}, "\x00")))
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// open says whether everybody may have it.
func (c *call) open(found *chosen) bool {
	return found.Verdict == holdings.Open && c.q.In.Capability == ""
}
