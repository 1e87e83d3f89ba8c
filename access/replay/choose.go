package replay

import (
	"errors"
	"fmt"

	"quire/access/address"
	"quire/holdings"
	"quire/holdings/captures"
)

// Limits of the search: captures examined, failed reads, and redirects followed in the index.
const (
	maxLooked = 2000
	maxReads  = 8
	maxHops   = 8
)

// chosen is the capture that answers a request.
type chosen struct {
	holdings.Judged
	*holdings.Content
	looped bool   // nearer captures were skipped: redirect loops
	asked  string // requested URL, if this capture is only similar; else ""

	callbacks []string // arguments of such a request that name a function
}

// none explains why no capture can be shown.
type none struct {
	denied  *holdings.Judged // the first closed to the reader
	looped  *holdings.Judged // one in a redirect loop
	partial *holdings.Judged // one captured only in part
	broken  error            // the read error of one
	at      *holdings.Judged // the partial or broken capture
}

// Error implements error.
func (n *none) Error() string { return "no capture can be shown" }

// closest returns the timestamp for the search.
func closest(timestamp string) string {
	if t, ok := address.Time(timestamp); ok {
		return address.Timestamp(t)
	}
	return "99991231235959"
}

func (c *call) query(archived string) captures.Query {
	return captures.Query{URL: archived, Packages: c.packages}
}

// choose finds the nearest capture that is open to the reader and can be shown. A denied capture,
// requested to the second, is not replaced by another: the reader must see the denial.
func (c *call) choose(timestamp string) (*chosen, error) {
	q := c.query(c.q.URL)
	q.Closest = closest(timestamp)
	if err := c.sent(&q); err != nil {
		return nil, err
	}
	n, looked, reads := &none{}, 0, 0
	for j, err := range speltFirst(c.archive.Captures(c.r.Context(), c.who, q), c.q.URL) {
		if err != nil {
			return nil, err
		}
		if looked++; looked > maxLooked || reads >= maxReads {
			break
		}
		if n.denied != nil && n.denied.Timestamp == timestamp && j.Timestamp != timestamp {
			return nil, n // exactly this one was requested
		}
		if !j.Allowed {
			n.denied = first(n.denied, j)
			continue
		}
		exact := c.q.Modifier == address.Identity && j.Timestamp == timestamp
		if circle, err := c.circle(j, exact); err != nil {
			return nil, err
		} else if circle {
			n.looped = first(n.looped, j)
			continue
		}
		reads++
		content, err := c.archive.Read(c.r.Context(), c.who, j.Capture)
		switch denied := (*holdings.DeniedError)(nil); {
		case errors.As(err, &denied): // the rules have just changed
			j.Decision = denied.Decision
			n.denied = first(n.denied, j)
		case err != nil:
			if c.r.Context().Err() != nil {
				return nil, err
			}
			c.o.Problem(fmt.Errorf("%s %s: %w", j.Timestamp, j.URL, err))
			n.broken, n.at = err, first(n.at, j)
		case !exact && useless(content):
			drain(content.Body)
			n.partial = first(n.partial, j)
		default:
			return &chosen{Judged: *kept(j), Content: content, looped: n.looped != nil}, nil
		}
	}
	if looked == 0 && c.mayBeAlike() {
		if like, err := c.alike(q); like != nil || err != nil {
			return like, err
		}
	}
	return nil, n
}

func first(old *holdings.Judged, j holdings.Judged) *holdings.Judged {
	if old != nil {
		return old
	}
	return kept(j)
}

// kept returns a copy of a capture that outlives the query.
func kept(j holdings.Judged) *holdings.Judged {
	c := *j.Capture
	return &holdings.Judged{Capture: &c, Decision: j.Decision}
}

// circle reports whether a capture redirects the reader back: to its own URL with another scheme or
// www, directly or through others.
func (c *call) circle(j holdings.Judged, exact bool) (bool, error) {
	if exact || !redirects(j.Status) || j.Location == "" {
		return false, nil
	}
	for at, hops := *kept(j), 0; hops < maxHops; hops++ {
		q := c.query(at.Location)
		q.Closest = at.Timestamp
		next, err := c.nearest(q)
		if err != nil || next == nil {
			return false, err
		}
		if next.Key == j.Key {
			// Back at the URL: but another moment may have other content.
			return redirects(next.Status) || next.Timestamp == j.Timestamp, nil
		}
		if !redirects(next.Status) || next.Location == "" {
			return false, nil
		}
		at = *next
	}
	return true, nil
}

// nearest returns the first open capture of a query, or nil if there is none.
func (c *call) nearest(q captures.Query) (*holdings.Judged, error) {
	looked := 0
	for j, err := range c.archive.Captures(c.r.Context(), c.who, q) {
		if err != nil {
			return nil, err
		}
		if j.Allowed {
			return kept(j), nil
		}
		if looked++; looked > maxLooked {
			break
		}
	}
	return nil, nil
}

func redirects(status int) bool {
	switch status {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

// useless reports whether a response makes no sense for another request: 304, or a partial
// response. A part that covers the whole is useful.
func useless(content *holdings.Content) bool {
	switch content.Status {
	case 304, 416:
		return true
	case 206:
		return !isComplete(content)
	}
	return false
}

// isComplete reports whether a range covers everything: Content-Range: bytes 0-99/100 (RFC 9110, 14.4).
func isComplete(content *holdings.Content) bool {
	var from, to, length int64
	n, err := fmt.Sscanf(field(content.Header, "Content-Range"), "bytes %d-%d/%d", &from, &to, &length)
	return err == nil && n == 3 && from == 0 && to == length-1
}
