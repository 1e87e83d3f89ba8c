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

// capture serves the capture nearest to the moment in the address.
func (c *call) capture() error {
	c.prefer()
	found, err := c.choose(c.q.Timestamp)
	if err != nil {
		return err
	}
	defer func() { drain(found.Body) }() // drain the final Body: decoding replaces it
	if err := c.describe(found); err != nil {
		return err
	}
	if c.misplaced(found) && c.shows() {
		c.keepReferrer()
		c.lead(c.home(found))
		return nil
	}
	if found.Timestamp != c.q.Timestamp && c.navigates() {
		// Redirect page visits to the address of exactly this capture: it can be cited, and
		// embedded resources get its date.
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

// describe sets headers that identify the capture and its neighbours (RFC 7089, 2.1.1 and 2.2).
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

// document reports whether the request may be for a page, not a part of one: pages name the
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

// navigates reports whether a reader visits the address, rather than a page loading its parts.
// Browsers state this to trusted hosts; for others the Accept header shows it.
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

// framed reports whether the response appears in a frame.
func (c *call) framed() bool {
	switch c.dest() {
	case "iframe", "frame", "object", "embed":
		return true
	}
	return c.q.Modifier == address.Frame
}

// raw reports whether the client wants the unmodified bytes.
func (c *call) raw() bool {
	return c.q.Modifier == address.Identity || c.q.Modifier == address.Redirected
}

// moved returns the target of an archived redirect: the same moment of its URL, never the live web.
// Unmodified bytes have no target.
func (c *call) moved(found *chosen, rw *rewrite.Rewriter) (to string, ok bool) {
	location := field(found.Header, "Location")
	if !redirects(found.Status) || location == "" || c.q.Modifier == address.Identity {
		return "", false
	}
	return rw.Location(rewrite.Kind(c.shape()), location)
}

// status returns the archived status, unless it would make browsers change the connection or repeat
// the request.
func (c *call) status(found *chosen) int {
	switch s := found.Status; {
	case s == 206: // the whole, sent as a range; with id_ only a range that this client did not request
		return http.StatusOK
	case s == http.StatusProxyAuthRequired || s == http.StatusRequestTimeout || s == http.StatusMisdirectedRequest ||
		s == http.StatusTooEarly || s == http.StatusUpgradeRequired:
		return http.StatusBadRequest
	case s < 200 || s > 599 || s == 304 || s == 416:
		return http.StatusOK
	case s > 400 && s != 404 && c.engine():
		// wabac.js replaces these responses by its own message, unless this header states the
		// status (docs/reference/545_replay.md).
		c.w.Header().Set("X-Redirect-Status", fmt.Sprint(s))
		return http.StatusOK
	default:
		return s
	}
}

// engine reports whether a replay engine in the browser requests data for its own page.
func (c *call) engine() bool {
	return c.q.Modifier == address.Redirected && strings.Contains(c.r.Referer(), wabac.Path)
}

// etag identifies the response for cache validation. Rewritten output changes with the program.
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

// open reports whether the capture is open to the public.
func (c *call) open(found *chosen) bool {
	return found.Verdict == holdings.Open && c.q.In.Capability == ""
}
