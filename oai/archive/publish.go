package archive

import (
	"context"
	"database/sql"
	"slices"
	"time"
)

// publication sorts the records of a package into batches.
type publication struct {
	*Archive
	tx       *sql.Tx
	pkg      int64 // row
	versions []*version
	now      int64
	// the first second after all lists already answered, or now if that is later; new states begin
	// at this second
	next    int64
	history bool // datestamps come from history: no list of this index was answered yet
	titles  map[string]string
	specs   *specs

	batches  map[batchKey]*batch
	families [4]int64 // the rows of the sets of all records with a collection, media type, host, year
	insert   struct{ record, listed, member *sql.Stmt }
	counts   struct{ shown, hidden, unstated int64 }
	spans    spans
}

// batchKey is the common state of the records of a batch.
type batchKey struct {
	span
	fresh bool // a new state: it must not begin before lists already answered
}

type batch struct {
	id      int64
	n       int64
	tallies map[int64]int64
}

// publish computes the published records of a package again, in one transaction. Readers see either
// all old records or all new records.
func (p *publication) publish(ctx context.Context, g *gatherer) error {
	p.batches = map[batchKey]*batch{}
	for i, family := range []string{familyCollection, familyMIME, familyHost, familyYear} {
		id, err := p.specs.id(ctx, family, "")
		if err != nil {
			return err
		}
		p.families[i] = id
	}
	if err := p.prepare(ctx); err != nil {
		return err
	}
	var old int64 // the last earlier batch
	if err := p.tx.QueryRowContext(ctx, "SELECT coalesce(max(id), 0) FROM batch").Scan(&old); err != nil {
		return err
	}
	if err := p.rows(ctx, g, func(r *row) error { return p.take(ctx, r) }); err != nil {
		return err
	}
	if err := p.remove(ctx, old); err != nil {
		return err
	}
	return p.finish(ctx)
}

// prepare prepares the statements, which end with the transaction.
func (p *publication) prepare(ctx context.Context) (err error) {
	for _, s := range []struct {
		to   **sql.Stmt
		text string
	}{
		{&p.insert.record,
			"INSERT INTO record (package, mark, identifier, mime, major, host, year) VALUES (?, ?, ?, ?, ?, ?, ?)"},
		{&p.insert.listed, "INSERT INTO listed (batch, ordinal, record) VALUES (?, ?, ?)"},
		{&p.insert.member, "INSERT INTO member (spec, batch, ordinal) VALUES (?, ?, ?)"},
	} {
		*s.to, err = p.tx.PrepareContext(ctx, s.text) //nolint:sqlclosecheck // they end with the transaction
		if err != nil {
			return err
		}
	}
	return nil
}

// take adds a record to the batches of its present and future states.
func (p *publication) take(ctx context.Context, r *row) error {
	c, err := ParseIdentifier(r.identifier)
	if err != nil {
		return err
	}
	p.spans = p.stated(p.spans[:0], p.versions, r.in, c.URL)
	if last := len(p.versions) - 1; last >= 0 && r.in[last].container != nil {
		p.spans = p.spans.decided(p.now, r.now, r.was != nil && !r.was.deleted, p.versions[last].describes(r.in[last]))
	}
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

// reconcile keeps the start of the present state if lists already have that state. Otherwise it
// returns true: the state is new.
func (p *publication) reconcile(r *row) (fresh bool) {
	var is *span
	if len(p.spans) > 0 && p.spans[0].from <= p.now {
		is = &p.spans[0]
	}
	switch {
	case is == nil && r.was == nil:
		return true
	case is == nil: // it was listed, but by current knowledge should not have been
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

// count adds a record to the number of shown or hidden records.
func (p *publication) count(r *row, address string) {
	if p.spans.shownAt(p.now) {
		p.counts.shown++
		return
	}
	last := len(p.versions) - 1
	if last < 0 || r.in[last].container == nil {
		return // infected, or not in the newest version
	}
	p.counts.hidden++
	v := p.versions[last]
	if !v.zones.Stated(address, r.in[last].container.Harvest, time.Unix(p.now, 0).In(v.location)) {
		p.counts.unstated++
	}
}

// list appends a record to a batch.
func (p *publication) list(ctx context.Context, r *row, key batchKey) error {
	b := p.batches[key]
	if b == nil {
		b = &batch{tallies: map[int64]int64{}}
		added, err := p.tx.ExecContext(ctx,
			"INSERT INTO batch (package, stamp, until, deleted, description, n) VALUES (?, ?, ?, ?, ?, 0)",
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

// remove deletes the earlier lists of the package.
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
			"DELETE FROM member WHERE batch = ?1 AND spec IN (SELECT spec FROM tally WHERE batch = ?1)",
			"DELETE FROM tally WHERE batch = ?",
			"DELETE FROM listed WHERE batch = ?", "DELETE FROM batch WHERE id = ?",
		} {
			if _, err := p.tx.ExecContext(ctx, query, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish writes the final numbers of the batches.
func (p *publication) finish(ctx context.Context) error {
	collections, err := p.collections(ctx)
	if err != nil {
		return err
	}
	for _, b := range p.batches {
		for _, c := range collections {
			b.tallies[c] = b.n // the whole package is in it: no own rows
			b.tallies[p.families[0]] = b.n
		}
		for set, n := range b.tallies {
			if _, err := p.tx.ExecContext(ctx, "INSERT INTO tally (batch, spec, n) VALUES (?, ?, ?)", b.id, set,
				n); err != nil {
				return err
			}
		}
		if _, err := p.tx.ExecContext(ctx, "UPDATE batch SET n = ? WHERE id = ?", b.n, b.id); err != nil {
			return err
		}
	}
	return nil
}

// settle sets the datestamp of new records after every list answered. While it runs, until the end
// of the transaction, no list is answered.
func (p *publication) settle(ctx context.Context, answered int64) error {
	if p.history {
		return nil
	}
	for key, b := range p.batches {
		if key.fresh && key.from <= answered {
			if _, err := p.tx.ExecContext(ctx, "UPDATE batch SET stamp = ? WHERE id = ?", answered+1,
				b.id); err != nil {
				return err
			}
		}
	}
	return nil
}

// collections returns the rows of the sets of the package's collections.
func (p *publication) collections(ctx context.Context) ([]int64, error) {
	var rows []int64
	for spec, title := range p.titles {
		id, err := p.specs.id(ctx, spec, title)
		if err != nil {
			return nil, err
		}
		rows = append(rows, id)
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	if _, err := p.tx.ExecContext(ctx, "DELETE FROM grouped WHERE package = ?", p.pkg); err != nil {
		return nil, err
	}
	for _, id := range rows {
		if _, err := p.tx.ExecContext(ctx, "INSERT INTO grouped (package, spec) VALUES (?, ?)", p.pkg, id); err != nil {
			return nil, err
		}
	}
	return rows, nil
}
