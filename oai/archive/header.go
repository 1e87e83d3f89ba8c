package archive

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"quire/oai/protocol"
	"quire/oai/provider"
)

// Earliest implements provider.Index.
func (a *Archive) Earliest(ctx context.Context) (time.Time, error) {
	if _, err := a.current(ctx); err != nil {
		return time.Time{}, err
	}
	var stamp sql.NullInt64
	now := a.now()
	err := a.index.db.QueryRowContext(ctx, "SELECT min(stamp) FROM batch WHERE stamp <= ? AND until > ?", now,
		now).Scan(&stamp)
	if !stamp.Valid {
		stamp.Int64 = now
	}
	return time.Unix(stamp.Int64, 0).UTC(), err
}

// Count implements provider.Index. The batches hold the number of records of each set.
func (a *Archive) Count(ctx context.Context, q provider.Query) (n int64, ok bool, err error) {
	if settled, err := a.ask(ctx); err != nil || !settled {
		return 0, false, err
	}
	err = a.snapshot(ctx, func(tx *sql.Tx) error {
		sel, err := a.selected(ctx, tx, q.Set)
		if err != nil || sel.none {
			return err
		}
		now := a.now()
		from, until := bounds(q, now)
		query, args := "SELECT coalesce(sum(b.n), 0) FROM batch b WHERE", []any{from, until, now}
		if sel.spec != 0 {
			query,
				args = "SELECT coalesce(sum(t.n), 0) FROM tally t JOIN batch b ON b.id = t.batch WHERE t.spec = ?4 AND",
				append(args, sel.spec)
		}
		return tx.QueryRowContext(ctx, query+" b.stamp >= ?1 AND b.stamp <= ?2 AND b.until > ?3", args...).Scan(&n)
	})
	return n, err == nil, err
}

// Header implements provider.Index.
func (a *Archive) Header(ctx context.Context, identifier string) (h protocol.Header, err error) {
	c, err := ParseIdentifier(identifier)
	if err != nil {
		return h, fmt.Errorf("%w: %w", provider.ErrNotFound, err)
	}
	settled, err := a.current(ctx)
	if err != nil {
		return h, err
	}
	err = a.snapshot(ctx, func(tx *sql.Tx) error {
		h, err = a.header(ctx, tx, identifier, &c)
		return err
	})
	if err != nil || settled {
		return h, err
	}
	there, err := a.stillListed(ctx, &h)
	if err == nil && !there {
		err = provider.ErrNotFound
	}
	return h, err
}

// header returns the header of a record.
func (a *Archive) header(ctx context.Context, tx *sql.Tx, identifier string, c *Capture) (h protocol.Header,
	err error) {
	l := newLister(ctx, tx, a.now())
	// Without statistics, SQLite does not know the smaller table. CROSS JOIN sets the order of
	// reading.
	err = each(ctx, tx, func(scan func(...any) error) error {
		var e entry
		var b listedBatch
		var stamp int64
		if err := scan(&e.identifier, &e.sets[0], &e.sets[1], &e.sets[2], &b.pkg, &stamp, &b.deleted); err != nil ||
			e.identifier != identifier {
			return err
		}
		found, err := l.header(&e, &b)
		found.Datestamp = time.Unix(stamp, 0).UTC()
		h = found
		return err
	},
		`SELECT r.identifier, r.mime, r.host, r.year, b.package, b.stamp, b.deleted FROM record r CROSS JOIN `+
			`listed l ON l.record = r.id CROSS JOIN batch b ON b.id = l.batch
		WHERE r.mark = ?1 AND b.stamp <= ?2 AND b.until > ?2`, int64(c.Mark), l.now)
	if err == nil && h.Identifier == "" {
		err = provider.ErrNotFound
	}
	return h, err
}
