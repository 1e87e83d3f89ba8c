package archive

import (
	"container/heap"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"quire/oai/protocol"
	"quire/oai/provider"
)

// headersAtOnce is the number of headers read at a time: a page and a few more.
const headersAtOnce = 128

// List implements provider.Index. It starts at any position in constant time, whatever the length
// of the list.
func (a *Archive) List(ctx context.Context, q provider.Query) iter.Seq2[protocol.Header, error] {
	return func(yield func(protocol.Header, error) bool) {
		for settled, err := a.ask(ctx); ; {
			var headers []protocol.Header
			if err == nil {
				headers, err = a.some(ctx, q)
			}
			for i := range headers {
				there := settled
				if !there {
					there, err = a.stillListed(ctx, &headers[i])
				}
				if err != nil {
					break
				}
				if there && !yield(headers[i], nil) {
					return
				}
			}
			if err != nil {
				yield(protocol.Header{}, err)
				return
			}
			if len(headers) == 0 {
				return
			}
			last := headers[len(headers)-1]
			q.After = provider.Position{Datestamp: last.Datestamp, Identifier: last.Identifier}
		}
	}
}

// stillListed reports whether the current rules allow listing a record that older rules published.
// A list omits records that are now closed; they get a deleted header after all lists answered so
// far. While no decision is possible, published records stay listed.
func (a *Archive) stillListed(ctx context.Context, h *protocol.Header) (bool, error) {
	if h.Deleted {
		return true, nil
	}
	of, err := ParseIdentifier(h.Identifier)
	if err != nil {
		return false, err
	}
	c, err := a.find(ctx, h.Identifier, &of)
	switch {
	case errors.Is(err, provider.ErrNotFound):
		return false, nil
	case errors.As(err, new(*unknownError)):
		return true, nil
	case err != nil:
		return false, err
	}
	d := a.holdings.Judge(a.reader, c)
	return d.Allowed || d.Unknown, nil
}

// ask must be called before any answer about the records. From then on no record with an older
// datestamp appears. Settled reports whether lists are settled.
func (a *Archive) ask(ctx context.Context) (settled bool, err error) {
	if settled, err = a.current(ctx); err != nil {
		return false, err
	}
	return settled, a.answered.reach(a.now())
}

// snapshot reads the index at one point in time.
func (a *Archive) snapshot(ctx context.Context, read func(*sql.Tx) error) error {
	tx, err := a.index.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // read only
	return read(tx)
}

// some returns the next headers of a list.
func (a *Archive) some(ctx context.Context, q provider.Query) (headers []protocol.Header, err error) {
	err = a.snapshot(ctx, func(tx *sql.Tx) error {
		sel, err := a.selected(ctx, tx, q.Set)
		if err != nil || sel.none {
			return err
		}
		l := newLister(ctx, tx, a.now())
		l.sel = sel
		l.from, l.until = bounds(q, l.now)
		headers, err = l.read(q.After)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the index: %w", err)
	}
	return headers, nil
}

// bounds returns the requested datestamps in seconds. It excludes future datestamps.
func bounds(q provider.Query, now int64) (from, until int64) {
	until = now
	if !q.Until.IsZero() {
		until = min(now, q.Until.Unix())
	}
	if !q.From.IsZero() {
		from = q.From.Unix()
	}
	return from, until
}

// lister reads a section of a list.
type lister struct {
	ctx         context.Context
	tx          *sql.Tx
	sel         selection
	from, until int64              // datestamps, in seconds
	now         int64              // time of the listed state
	specs       map[int64]string   // their names, cached
	groups      map[int64][]string // collections of packages
}

func newLister(ctx context.Context, tx *sql.Tx, now int64) *lister {
	return &lister{ctx: ctx, tx: tx, now: now, specs: map[int64]string{}, groups: map[int64][]string{}}
}

// listedBatch is a batch that is valid now.
type listedBatch struct {
	id, pkg int64
	n       int64
	deleted bool
}

// read returns the next headers after a position.
func (l *lister) read(after provider.Position) (headers []protocol.Header, err error) {
	stamp, identifier := l.from, ""
	if !after.Datestamp.IsZero() || after.Identifier != "" {
		if at := after.Datestamp.Unix(); at >= stamp {
			stamp, identifier = at, after.Identifier
		}
	}
	for len(headers) < headersAtOnce {
		next, batches, err := l.batches(stamp)
		if err != nil || len(batches) == 0 {
			return headers, err
		}
		if next != stamp {
			identifier = ""
		}
		if headers, err = l.merge(headers, next, batches, identifier); err != nil {
			return nil, err
		}
		stamp, identifier = next+1, ""
	}
	return headers, nil
}

// batches returns the batches of the first datestamp at or after from that has any.
func (l *lister) batches(from int64) (stamp int64, all []listedBatch, err error) {
	query := " FROM batch b"
	if l.sel.spec != 0 {
		query += " CROSS JOIN tally t ON t.batch = b.id AND t.spec = ?4"
	}
	query += " WHERE b.stamp >= ?1 AND b.stamp <= ?2 AND b.until > ?3"
	err = l.tx.QueryRowContext(l.ctx, "SELECT b.stamp"+query+" ORDER BY b.stamp LIMIT 1",
		l.args(from, l.until)...).Scan(&stamp)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, err
	}
	err = each(l.ctx, l.tx, func(scan func(...any) error) error {
		var b listedBatch
		err := scan(&b.id, &b.pkg, &b.n, &b.deleted)
		all = append(all, b)
		return err
	}, "SELECT b.id, b.package, b.n, b.deleted"+query+" ORDER BY b.id", l.args(stamp, stamp)...)
	return stamp, all, err
}

func (l *lister) args(from, until int64) []any {
	args := []any{from, until, l.now}
	if l.sel.spec != 0 {
		args = append(args, l.sel.spec)
	}
	return args
}

// merge appends the headers of batches of one datestamp after an identifier, in order, until the
// page is full.
func (l *lister) merge(headers []protocol.Header, stamp int64, batches []listedBatch,
	identifier string) ([]protocol.Header, error) {
	enough := headersAtOnce - len(headers)
	var open cursors
	for _, b := range batches {
		c := &cursor{lister: l, batch: b, some: min(enough, max(8, 4*headersAtOnce/len(batches)))}
		if err := c.start(identifier); err != nil {
			return nil, err
		}
		if err := c.next(); err != nil {
			return nil, err
		}
		if c.at != nil {
			open = append(open, c)
		}
	}
	heap.Init(&open)
	datestamp := time.Unix(stamp, 0).UTC()
	for ; enough > 0 && len(open) > 0; enough-- {
		c := open[0]
		h, err := l.header(c.at, &c.batch)
		if err != nil {
			return nil, err
		}
		h.Datestamp = datestamp
		headers = append(headers, h)
		if err := c.next(); err != nil {
			return nil, err
		}
		if c.at == nil {
			heap.Pop(&open)
		} else {
			heap.Fix(&open, 0)
		}
	}
	return headers, nil
}

// entry is a record in a batch.
type entry struct {
	ordinal    int64
	identifier string
	sets       [3]int64 // media type, host, year
}

// header returns the header of an entry.
func (l *lister) header(e *entry, b *listedBatch) (protocol.Header, error) {
	h := protocol.Header{Identifier: e.identifier, Deleted: b.deleted}
	groups, ok := l.groups[b.pkg]
	if !ok {
		err := each(l.ctx, l.tx, func(scan func(...any) error) error {
			var spec string
			err := scan(&spec)
			groups = append(groups, spec)
			return err
		}, "SELECT s.spec FROM grouped g JOIN spec s ON s.id = g.spec WHERE g.package = ?", b.pkg)
		if err != nil {
			return h, err
		}
		l.groups[b.pkg] = groups
	}
	h.Sets = append(h.Sets, groups...)
	for _, id := range e.sets {
		if id == 0 {
			continue
		}
		spec, ok := l.specs[id]
		if !ok {
			if err := l.tx.QueryRowContext(l.ctx, "SELECT spec FROM spec WHERE id = ?", id).Scan(&spec); err != nil {
				return h, err
			}
			l.specs[id] = spec
		}
		h.Sets = append(h.Sets, spec)
	}
	slices.Sort(h.Sets)
	return h, nil
}
