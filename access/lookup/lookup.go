package lookup

import (
	"context"
	"io"
	"iter"
	"strings"

	"quire/access/address"
	"quire/holdings"
	"quire/holdings/captures"
)

// Archive is the source of captures and contents: *holdings.Holdings.
type Archive interface {
	Captures(ctx context.Context, who holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged, error]
	Read(ctx context.Context, who holdings.Reader, c *captures.Capture) (*holdings.Content, error)
}

// MaxExamined limits the captures examined for one that is wanted.
const MaxExamined = 2000

// First returns the first wanted capture of a query, or nil if there is none.
func First(ctx context.Context, a Archive, who holdings.Reader, q captures.Query,
	wanted func(*holdings.Judged) bool) (*holdings.Judged, error) {
	n := 0
	for c, err := range a.Captures(ctx, who, q) {
		if err != nil {
			return nil, err
		}
		if wanted(&c) {
			return &c, nil
		}
		if n++; n == MaxExamined {
			break
		}
	}
	return nil, nil
}

// Open returns the first captures of a query that are open to the reader, at most a number of them.
func Open(ctx context.Context, a Archive, who holdings.Reader, q captures.Query, most int) (all []*holdings.Judged,
	err error) {
	_, err = First(ctx, a, who, q, func(c *holdings.Judged) bool {
		if c.Allowed {
			kept := *c.Capture // the query may use its place again
			all = append(all, &holdings.Judged{Capture: &kept, Decision: c.Decision})
		}
		return len(all) == most
	})
	return all, err
}

// At returns the capture for a timestamp of 1 to 14 digits. The first choice is a capture of exactly
// this second, open or closed. The second choice is the closest open capture, and the third is the
// closest closed capture. It returns nil if there is no capture that the reader may know of.
func At(ctx context.Context, a Archive, who holdings.Reader, q captures.Query, timestamp string) (*holdings.Judged,
	error) {
	t, ok := address.Time(timestamp)
	if !ok {
		return nil, nil
	}
	q.Closest = address.Timestamp(t)
	var denied *holdings.Judged
	c, err := First(ctx, a, who, q, func(c *holdings.Judged) bool {
		if !c.Allowed && denied == nil {
			denied = c
		}
		return c.Allowed || c.Timestamp == timestamp
	})
	if c == nil && err == nil {
		c = denied
	}
	return c, err
}

// Beside returns the open captures before and after a timestamp, the nearest first, at most a number
// of each.
func Beside(ctx context.Context, a Archive, who holdings.Reader, q captures.Query, timestamp string,
	most int) (before, after []*holdings.Judged, err error) {
	t, ok := address.Time(timestamp)
	if !ok {
		return nil, nil, nil
	}
	back, on := q, q
	back.To, back.Reverse = address.Timestamp(t.Add(-1e9)), true
	on.From = address.Timestamp(t.Add(1e9))
	if before, err = Open(ctx, a, who, back, most); err != nil {
		return nil, nil, err
	}
	after, err = Open(ctx, a, who, on, most)
	return before, after, err
}

// Body returns the beginning of the content of a capture, decoded, at most a number of bytes, and its
// Content-Type. If a part is readable, it is the result, as browsers show it.
func Body(ctx context.Context, a Archive, who holdings.Reader, c *captures.Capture, most int64) (body []byte,
	contentType string, err error) {
	content, err := a.Read(ctx, who, c)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = content.Body.Close() }() // only read
	contentType, _ = Header(content, "Content-Type")
	body, err = io.ReadAll(io.LimitReader(holdings.Decoded(content), most))
	if len(body) > 0 {
		err = nil
	}
	return body, contentType, err
}

// Header returns the last value of a header field of a content.
func Header(c *holdings.Content, name string) (value string, ok bool) {
	for _, f := range c.Header {
		if strings.EqualFold(f.Name, name) {
			value, ok = strings.TrimSpace(f.Value), true
		}
	}
	return value, ok
}
