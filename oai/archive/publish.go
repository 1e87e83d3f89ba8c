package archive

import (
	"context"
	"database/sql"
	"slices"
)

// publication is a package whose records are put into batches.
type publication struct {
	*index
	tx       *sql.Tx
	pkg      int64 // row
	versions []*version
	now      int64
	history  bool // datestamps are those of history: nothing was answered of this index yet
	titles   map[string]string
	specs    *specs

	batches  map[batchKey]*batch
	families [4]int64 // the rows of the sets of all that has a collection, a media type, a host, a year
	insert   struct{ listed, member *sql.Stmt }
	counts   struct{ shown, hidden, unstated int64 }
	spans    []span
}

// batchKey is what the records of a batch have in common.
type batchKey struct {
	span
	fresh bool // their state is a new one: it must not have begun before lists that were answered
}

type batch struct {
	id      int64
	n       int64
	tallies map[int64]int64
}

// row is a record on its way into a batch.
type row struct {
	id         int64
	identifier string
	sets       [4]int64 // mime, major, host, year
	in         []presence
	was        *span // the state that it has in the index now; nil when it has none
}

// publish works out anew what is shown of a package. It is done in one transaction: readers see all of it, or what was before.
func (p *publication) publish(ctx context.Context) error {
	p.batches = map[batchKey]*batch{}
	for i, family := range []string{familyCollection, familyMIME, familyHost, familyYear} {
		id, err := p.specs.id(ctx, family, "")
		if err != nil {
			return err
		}
		p.families[i] = id
	}
	var err error
	if p.insert.listed, err = p.tx.PrepareContext(ctx, "INSERT INTO listed (batch, ordinal, record) VALUES (?, ?, ?)"); err != nil {
		return err
	}
	defer func() { _ = p.insert.listed.Close() }() // the transaction has its outcome
	if p.insert.member, err = p.tx.PrepareContext(ctx, "INSERT INTO member (spec, batch, ordinal) VALUES (?, ?, ?)"); err != nil {
		return err
	}
	defer func() { _ = p.insert.member.Close() }() // as above
	var old int64                                  // the last batch from before
	if err := p.tx.QueryRowContext(ctx, "SELECT coalesce(max(id), 0) FROM batch").Scan(&old); err != nil {
		return err
	}
	if err := p.rows(ctx, func(r *row) error { return p.take(ctx, r) }); err != nil {
		return err
	}
	if err := p.remove(ctx, old); err != nil {
		return err
	}
	return p.finish(ctx)
}

// resolved is the condition that somewhere in the repository there is a payload with the digest that the revisit v states.
const resolved = `(v.algorithm = 'sha1' AND EXISTS (SELECT 1 FROM holds o WHERE o.sha1 = v.begins)
	OR v.algorithm = 'sha256' AND EXISTS (SELECT 1 FROM holds o WHERE o.sha256 = v.begins))`

// rows goes through the records of the package in the order of their identifiers.
func (p *publication) rows(ctx context.Context, yield func(*row) error) error {
	r := row{in: make([]presence, len(p.versions))}
	tell := func() error {
		if r.id == 0 {
			return nil
		}
		return yield(&r)
	}
	err := each(ctx, p.tx, func(scan func(...any) error) error {
		var id, content, order int64
		var identifier string
		var sets [4]int64
		var stamp, deleted, description sql.NullInt64
		if err := scan(&id, &identifier, &sets[0], &sets[1], &sets[2], &sets[3], &content, &order, &stamp, &deleted, &description); err != nil {
			return err
		}
		if id != r.id {
			if err := tell(); err != nil {
				return err
			}
			r.id, r.identifier, r.sets, r.was = id, identifier, sets, nil
			clear(r.in)
			if stamp.Valid {
				r.was = &span{from: stamp.Int64, deleted: deleted.Int64 != 0, description: description.Int64}
			}
		}
		p.present(&r, content, order)
		return nil
	}, `SELECT x.id, x.identifier, x.mime, x.major, x.host, x.year, x.content, x.ord, b.stamp, b.deleted, b.description
		FROM (SELECT r.*, h.content, h.ord FROM record r CROSS JOIN holds h ON h.record = r.id WHERE r.package = ?1
			UNION ALL SELECT r.*, v.content, v.ord FROM record r CROSS JOIN revisit v ON v.record = r.id WHERE r.package = ?1 AND `+resolved+`) x
		LEFT JOIN batch b ON b.id = (SELECT l.batch FROM listed l CROSS JOIN batch c ON c.id = l.batch WHERE l.record = x.id AND c.stamp <= ?2 AND c.until > ?2)
		ORDER BY x.identifier, x.content, x.ord`, p.pkg, p.now)
	if err != nil {
		return err
	}
	return tell()
}

// present notes in which versions a place of the record can be shown.
func (p *publication) present(r *row, content, order int64) {
	for i, v := range p.versions {
		if c := v.contents[content]; c != nil && c.Never == "" && !c.Viral[order] && r.in[i].container == nil {
			r.in[i] = presence{c, order}
		}
	}
}

// take puts a record into the batches of its states, the present one and those to come.
func (p *publication) take(ctx context.Context, r *row) error {
	c, err := ParseIdentifier(r.identifier)
	if err != nil {
		return err
	}
	p.spans = states(p.spans[:0], p.versions, r.in, c.URL)
	p.count(r, c.URL)
	p.spans = slices.DeleteFunc(p.spans, func(s span) bool { return s.until <= p.now })
	fresh := p.reconcile(r)
	for i, s := range p.spans {
		if err := p.list(ctx, r, batchKey{s, fresh || i > 0}); err != nil {
			return err
		}
	}
	return nil
}

// reconcile makes the present state begin when it was told that it does, if it was; fresh says that it was not.
func (p *publication) reconcile(r *row) (fresh bool) {
	var is *span
	if len(p.spans) > 0 && p.spans[0].from <= p.now {
		is = &p.spans[0]
	}
	switch {
	case is == nil && r.was == nil:
		return true
	case is == nil: // it was told of, and by what is known now it never should have been
		until := int64(forever)
		if len(p.spans) > 0 {
			until = p.spans[0].from
		}
		gone := span{from: p.now, until: until, deleted: true}
		if r.was.deleted {
			gone.from = r.was.from
		}
		p.spans = slices.Insert(p.spans, 0, gone)
		return !r.was.deleted
	case r.was != nil && is.deleted == r.was.deleted && (is.deleted || is.description == r.was.description):
		is.from = r.was.from
		return false
	}
	return true
}

// count counts what is shown today.
func (p *publication) count(r *row, address string) {
	for _, s := range p.spans {
		if s.from <= p.now && p.now < s.until && !s.deleted {
			p.counts.shown++
			return
		}
	}
	last := len(p.versions) - 1
	if last < 0 || r.in[last].container == nil {
		return // it is infected, or not in the newest version
	}
	p.counts.hidden++
	v := p.versions[last]
	v.sets[0].harvest = r.in[last].container.Harvest
	if all := v.zones.of(v.sets, address, v.since); len(all) > 0 && all[0].unstated {
		p.counts.unstated++
	}
}

// list puts a record at the end of a batch.
func (p *publication) list(ctx context.Context, r *row, key batchKey) error {
	b := p.batches[key]
	if b == nil {
		b = &batch{tallies: map[int64]int64{}}
		added, err := p.tx.ExecContext(ctx, "INSERT INTO batch (package, stamp, until, deleted, description, n) VALUES (?, ?, ?, ?, ?, 0)",
			p.pkg, key.from, key.until, key.deleted, key.description)
		if err != nil {
			return err
		}
		if b.id, err = added.LastInsertId(); err != nil {
			return err
		}
		p.batches[key] = b
	}
	b.n++
	if _, err := p.insert.listed.ExecContext(ctx, b.id, b.n, r.id); err != nil {
		return err
	}
	for i, set := range r.sets {
		if set == 0 || i == 1 && set == r.sets[0] {
			continue
		}
		if i != 0 { // of the family: major, host, year
			b.tallies[p.families[i]]++
		}
		b.tallies[set]++
		if _, err := p.insert.member.ExecContext(ctx, set, b.id, b.n); err != nil {
			return err
		}
	}
	return nil
}

// remove takes out what was listed of the package before.
func (p *publication) remove(ctx context.Context, last int64) error {
	var ids []int64
	err := each(ctx, p.tx, func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		ids = append(ids, id)
		return err
	}, "SELECT id FROM batch WHERE package = ? AND id <= ?", p.pkg, last)
	if err != nil {
		return err
	}
	for _, id := range ids {
		for _, query := range []string{
			"DELETE FROM member WHERE batch = ?1 AND spec IN (SELECT spec FROM tally WHERE batch = ?1)", "DELETE FROM tally WHERE batch = ?",
			"DELETE FROM listed WHERE batch = ?", "DELETE FROM batch WHERE id = ?",
		} {
			if _, err := p.tx.ExecContext(ctx, query, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish writes what is known of the batches at their end.
func (p *publication) finish(ctx context.Context) error {
	collections, err := p.collections(ctx)
	if err != nil {
		return err
	}
	for _, b := range p.batches {
		for _, c := range collections {
			b.tallies[c] = b.n // the whole package is in it: it has no rows of its own
			b.tallies[p.families[0]] = b.n
		}
		for set, n := range b.tallies {
			if _, err := p.tx.ExecContext(ctx, "INSERT INTO tally (batch, spec, n) VALUES (?, ?, ?)", b.id, set, n); err != nil {
				return err
			}
		}
		if _, err := p.tx.ExecContext(ctx, "UPDATE batch SET n = ? WHERE id = ?", b.n, b.id); err != nil {
			return err
		}
	}
	return p.places(ctx)
}

// settle gives what is new its datestamp: not before any list that was answered. It is called when nobody can be answered until the
// transaction has ended.
func (p *publication) settle(ctx context.Context, answered int64) error {
	if p.history {
		return nil
	}
	for key, b := range p.batches {
		if key.fresh && key.from <= answered {
			if _, err := p.tx.ExecContext(ctx, "UPDATE batch SET stamp = ? WHERE id = ?", answered+1, b.id); err != nil {
				return err
			}
		}
	}
	return nil
}
