package replay

import (
	"errors"
	"fmt"

	"quire/access/address"
	"quire/holdings"
	"quire/holdings/captures"
)

// Bounds of choosing: captures that are looked at, records that are read in vain, and redirects
// that are followed in the index.
const (
	maxLooked = 2000
	maxReads  = 8
	maxHops   = 8
)

// chosen is the capture that answers a request.
type chosen struct {
	holdings.Judged
	*holdings.Content
	looped bool   // there were others, nearer, that lead in a circle
	asked  string // the URL that was asked for, where this is only like it; "" otherwise
}

// none says why there is no capture to show.
type none struct {
	denied  *holdings.Judged // the first that the reader may not have
	looped  *holdings.Judged // one that leads in a circle
	partial *holdings.Judged // of which only a piece was captured
	broken  error            // of one that could not be read
	at      *holdings.Judged // the one with the piece or that was broken
}

// Error implements error.
func (n *none) Error() string { return "no capture can be shown" }

// closest gives the timestamp by which captures are looked for.
func closest(timestamp string) string {
	if t, ok := address.Time(timestamp); ok {
		return address.Timestamp(t)
	}
	return "99991231235959"
}

func (c *call) query(archived string) captures.Query {
	return captures.Query{URL: archived, Packages: c.packages}
}

// choose finds the capture nearest to a moment that the reader may have and that can be shown. A
// capture that was asked for to the second and is denied is not replaced by another: the reader is
// to know.
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
			return nil, n // just this one was asked for
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
		case errors.As(err, &denied): // the rules changed under our hands
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

// kept is a capture that stays what it is when the query goes on, or has ended.
func kept(j holdings.Judged) *holdings.Judged {
	c := *j.Capture
	return &holdings.Judged{Capture: &c, Decision: j.Decision}
}

// circle says whether a capture sends the reader where he comes from: to its own URL with another
// scheme or www, or through others.
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
			// Back at the URL: but at another moment something else may have been there.
			return redirects(next.Status) || next.Timestamp == j.Timestamp, nil
		}
		if !redirects(next.Status) || next.Location == "" {
			return false, nil
		}
		at = *next
	}
	return true, nil
}

// nearest is the first capture of a query that the reader may have; nil where there is none.
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

// useless says whether an answer says nothing without the request that it was given to: that
// nothing had changed, or a piece of something. A piece that is the whole is as good as that.
func useless(content *holdings.Content) bool {
	switch content.Status {
	case 304, 416:
		return true
	case 206:
		return !whole(content)
	}
	return false
}

// whole says whether a piece is all there is: Content-Range: bytes 0-99/100 (RFC 9110, 14.4).
func whole(content *holdings.Content) bool {
	var from, to, length int64
	n, err := fmt.Sscanf(field(content.Header, "Content-Range"), "bytes %d-%d/%d", &from, &to, &length)
	return err == nil && n == 3 && from == 0 && to == length-1
}
