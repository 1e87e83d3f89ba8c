package provider

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quire/oai/protocol"
)

// list answers ListIdentifiers and ListRecords (clauses 4.3 and 4.5).
func (p *Provider) list(ctx context.Context, a *answer) ([]condition, error) {
	q := a.request.query
	var wrong []condition
	if !p.format(q.Prefix) {
		wrong = append(wrong, noFormat(q.Prefix))
	}
	if q.Set != "" && !a.request.resumed {
		has, err := p.hasSets(ctx)
		if err != nil {
			return nil, err
		}
		if !has {
			wrong = append(wrong, noSets)
		}
	}
	if len(wrong) > 0 {
		return wrong, nil
	}
	g := &page{p: p, a: a, began: time.Now()}
	return g.fill(ctx)
}

// page is one page of a list.
type page struct {
	p       *Provider
	a       *answer
	began   time.Time
	n       int64    // records in it
	bytes   int64    // of its records
	left    []string // identifiers of the records omitted before the first one
	leftOut int
	last    Position
}

// maxEmptyBatches is the maximum number of pages' worth of unusable records that are tried for one page.
const maxEmptyBatches = 10

// fill adds records until the page is full. It omits a record that cannot be disseminated and
// continues after it. It returns an error only if all of a large number fail.
func (g *page) fill(ctx context.Context) ([]condition, error) {
	q := g.a.request.query
	for range maxEmptyBatches {
		headers, more, err := g.p.headers(ctx, q, g.most())
		if err != nil {
			return nil, err
		}
		full, err := g.take(ctx, headers)
		switch {
		case err != nil:
			return nil, err
		case g.n > 0:
			return nil, g.end(ctx, full || more)
		case !more:
			return []condition{g.nothing()}, nil
		}
		q.After = g.last
	}
	return nil, fmt.Errorf("%s of %q: %d records in a row cannot be disseminated", g.a.request.verb, q.Prefix,
		g.leftOut)
}

func (g *page) most() int {
	if g.a.request.verb == protocol.ListRecords {
		return g.p.opt.Records
	}
	return g.p.opt.Headers
}

// nothing returns the error for a page without records.
func (g *page) nothing() condition {
	c := condition{protocol.NoRecordsMatch, "no record matches"}
	switch {
	case g.leftOut > 0:
		c.text = fmt.Sprintf("all %d matching records are currently unavailable in this format", g.leftOut)
	case g.a.request.resumed:
		c.text = "the list has no more records: the remaining ones have changed since"
	}
	return c
}

// headers reads the headers of a page and reports whether more follow. It runs before rendering, so
// that a slow client does not block the index.
func (p *Provider) headers(ctx context.Context, q Query, most int) (list []protocol.Header, more bool, err error) {
	for h, err := range p.backend.List(ctx, q) {
		if err != nil {
			return nil, false, err
		}
		if len(list) == most {
			return list, true, nil
		}
		if list == nil {
			list = make([]protocol.Header, 0, min(most, 128))
		}
		list = append(list, h)
	}
	return list, false, ctx.Err()
}

// take writes the records that fit the page. Full reports whether some remain.
func (g *page) take(ctx context.Context, headers []protocol.Header) (full bool, err error) {
	if g.a.request.verb == protocol.ListIdentifiers {
		return g.takeHeaders(headers)
	}
	ctx, cancel := context.WithCancel(ctx)
	records := &renderQueue{p: g.p, ctx: ctx, prefix: g.a.request.query.Prefix, todo: headers}
	defer records.stop()
	defer cancel()
	for it := records.next(); it != nil; it = records.next() {
		if err := it.await(ctx, g.a); err != nil {
			records.under = append(records.under, it) // it may still finish and use memory
			return false, err
		}
		if err := g.add(ctx, it); err != nil {
			return false, err
		}
		records.given = g.bytes
		if g.n > 0 && (g.bytes >= g.p.opt.Bytes || time.Since(g.began) >= g.p.opt.Time) {
			return len(records.todo)+len(records.under) > 0, nil
		}
	}
	return false, nil
}

// takeHeaders is take for ListIdentifiers.
func (g *page) takeHeaders(headers []protocol.Header) (full bool, err error) {
	for i := range headers {
		h := &headers[i]
		g.last = Position{h.Datestamp, h.Identifier}
		if err := checkHeader(h); err != nil {
			g.omit(h, err)
			continue
		}
		g.open()
		g.a.header(h)
		g.a.flushFull()
		if g.a.err != nil {
			return false, g.a.err
		}
		g.n++
		if g.bytes += int64(len(h.Identifier)); g.bytes >= g.p.opt.Bytes {
			return i+1 < len(headers), nil
		}
	}
	return false, nil
}

// add writes a rendered record, or omits it.
func (g *page) add(ctx context.Context, it *rendering) error {
	defer it.spool.release()
	if it.err != nil && ctx.Err() != nil {
		return ctx.Err() // the record is not the cause
	}
	g.last = Position{it.header.Datestamp, it.header.Identifier}
	if it.err != nil {
		g.omit(&it.header, it.err)
		return nil
	}
	g.open()
	if err := g.a.record(&it.header, it.spool); err != nil {
		return err
	}
	g.n++
	if it.spool != nil {
		g.bytes += it.spool.size
	}
	return nil
}

// open starts the list with its first record.
func (g *page) open() {
	if g.n > 0 {
		return
	}
	g.a.beginVerb()
	for _, id := range g.left {
		g.a.comment(leftOut + id)
	}
	g.left = nil
}

const leftOut = "left out: "

// omit omits a record and reports this at its position. A record that lacks this format, or was
// just deleted, is not a problem.
func (g *page) omit(h *protocol.Header, err error) {
	g.leftOut++
	if !errors.Is(err, ErrNoFormat) && !errors.Is(err, ErrNotFound) {
		g.p.problem(Problem{h.Identifier, g.a.request.query.Prefix, err})
	}
	id := short(h.Identifier)
	if g.n > 0 {
		g.a.comment(leftOut + id)
	} else {
		g.left = append(g.left, id)
	}
}

// end writes the token of the next page, the empty token of the last, or none if the list has one
// page.
func (g *page) end(ctx context.Context, more bool) error {
	r := g.a.request
	if more && !r.resumed {
		r.size = g.p.count(ctx, r.query)
	}
	switch {
	case more:
		g.a.resumption(g.p.token(r, g.last, r.cursor+g.n), r.cursor, r.size)
	case r.resumed:
		g.a.resumption("", r.cursor, r.size)
	}
	return nil
}

// count returns the length of the list, or 0 if it is unknown. It counts only once; afterwards the
// resumption token contains the number.
func (p *Provider) count(ctx context.Context, q Query) int64 {
	n, ok, err := p.backend.Count(ctx, q)
	if err != nil && ctx.Err() == nil {
		p.problem(Problem{Err: fmt.Errorf("counting the records of a list: %w", err)})
	}
	if err != nil || !ok {
		return 0
	}
	return n
}
