package archive

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"quire/repository/catalogue"
)

// look updates the index for one package. It reads all versions: records of older versions that the
// newest one lacks are listed as deleted.
func (a *Archive) look(ctx context.Context, card catalogue.Package, epoch string) error {
	history, err := a.store.History(ctx, card.ID)
	if err != nil {
		return err
	}
	var pkg int64
	if err := a.index.write(ctx, func(tx *sql.Tx) error {
		pkg, err = packageRow(ctx, tx, card.ID)
		return err
	}); err != nil {
		return err
	}
	versions, err := a.versions(ctx, &history)
	if err != nil {
		return err
	}
	if len(versions) > 0 && versions[len(versions)-1].IsCollection {
		return a.lookAtCollection(ctx, pkg, &history, versions)
	}
	left, indexed, err := a.holdings.HasIndexed(ctx, card.ID, card.Inventory)
	if err != nil {
		return err
	}
	if !indexed {
		return errors.New("its captures are not in the CDXJ index: one of its containers is unreadable")
	}
	versions, titles, err := a.constrain(ctx, card.ID, versions)
	if err != nil {
		return err
	}
	g, err := a.gather(ctx, card.ID, versions, left)
	if err != nil {
		return err
	}
	if err := a.options.pause("read"); err != nil {
		return errors.Join(err, g.close())
	}
	err = a.publish(ctx, &history, pkg, versions, titles, g, epoch)
	return errors.Join(err, g.close())
}

// publish adds the records of a package to the lists.
func (a *Archive) publish(ctx context.Context, history *catalogue.Record, pkg int64, versions []*version,
	titles map[string]string, g *gatherer, epoch string) error {
	a.mu.Lock()
	filled := a.filled
	a.mu.Unlock()
	tx, err := a.index.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no effect after Commit
	p := &publication{Archive: a, tx: tx, pkg: pkg, versions: versions, now: a.now(), history: !filled, titles: titles,
		specs: newSpecs(tx)}
	p.next = max(p.now, a.answered.last()+1)
	if err := p.publish(ctx, g); err != nil {
		return err
	}
	if err := g.note(ctx, tx, pkg, history.Package.Inventory); err != nil {
		return err
	}
	left, err := json.Marshal(g.leftOut)
	if err != nil {
		return err
	}
	_,
		err = tx.ExecContext(ctx,
		"UPDATE package SET inventory = ?, problem = '', tries = 0, retry = 0, shown = ?, hidden = ?, unstated = ?, "+
			"left_out = ? WHERE id = ?",
		history.Package.Inventory, p.counts.shown, p.counts.hidden, p.counts.unstated, string(left), pkg)
	if err != nil {
		return err
	}
	if err := a.options.pause("publish"); err != nil {
		return err
	}
	if now, known := a.epoch(); now != epoch || !known {
		return errEpochChanged
	}
	// Until the commit, no list is answered for a later second than before.
	a.answered.mu.Lock()
	defer a.answered.mu.Unlock()
	if err := p.settle(ctx, a.answered.at); err != nil {
		return err
	}
	return tx.Commit()
}

// note stores the digests that revisits wait for. It marks packages for indexing if their revisits
// depend on this package.
func (g *gatherer) note(ctx context.Context, tx *sql.Tx, pkg int64, inventory string) error {
	do := func(query string, args ...any) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	}
	err := errors.Join(do("DELETE FROM waiting WHERE package = ?", pkg),
		do("DELETE FROM refers WHERE package = ?", pkg))
	for digest := range g.waiting {
		err = errors.Join(err, do("INSERT INTO waiting (package, digest) VALUES (?, ?)", pkg, digest))
	}
	for name := range g.refers {
		err = errors.Join(err, do("INSERT INTO refers (package, name) VALUES (?, ?)", pkg, name))
	}
	for digest := range g.digests {
		err = errors.Join(err,
			do("UPDATE package SET inventory = '' WHERE id <> ? AND id IN (SELECT package FROM waiting WHERE digest "+
				"= ?)", pkg, digest))
	}
	// Only a version that was not listed yet changes the payloads of other packages. So indexing
	// comes to an end even if two packages refer to each other.
	return errors.Join(err,
		do(`UPDATE package SET inventory = '' WHERE id <> ?1 AND id IN (SELECT package FROM refers WHERE name = ?2)
		AND (SELECT published FROM package WHERE id = ?1) <> ?3`, pkg, g.pkg, inventory),
		do("UPDATE package SET published = ? WHERE id = ?", inventory, pkg))
}

// lookAtCollection stores the packages that a collection names. They are decided again, because the
// collection's rights apply to them too.
func (a *Archive) lookAtCollection(ctx context.Context, pkg int64, history *catalogue.Record,
	versions []*version) error {
	newest := versions[len(versions)-1]
	return a.index.write(ctx, func(tx *sql.Tx) error {
		for _, query := range []string{
			"UPDATE package SET inventory = '' WHERE name IN (SELECT name FROM member_of WHERE collection = ?)",
			"DELETE FROM member_of WHERE collection = ?",
		} {
			if _, err := tx.ExecContext(ctx, query, pkg); err != nil {
				return err
			}
		}
		for _, name := range slices.Sorted(maps.Keys(newest.Members)) {
			if _, err := tx.ExecContext(ctx,
				"INSERT INTO member_of (collection, name, harvest, since, title) VALUES (?, ?, ?, ?, ?)",
				pkg, name, newest.Members[name], newest.since, newest.Title); err != nil {
				return err
			}
			const again = "UPDATE package SET inventory = '' WHERE name = ?1 OR id IN (SELECT package FROM refers " +
				"WHERE name = ?1)"
			if _, err := tx.ExecContext(ctx, again, name); err != nil {
				return err
			}
		}
		_,
			err := tx.ExecContext(ctx,
			"UPDATE package SET inventory = ?, problem = '', tries = 0, retry = 0 WHERE id = ?",
			history.Package.Inventory, pkg)
		return err
	})
}

// specs returns the rows of sets.
type specs struct {
	tx    *sql.Tx
	known map[string]int64
}

func newSpecs(tx *sql.Tx) *specs { return &specs{tx: tx, known: map[string]int64{}} }

// maxKnown limits the cache: a crawl can have a million hosts.
const maxKnown = 10_000

// id returns the row of a set, and creates it if it is missing. It returns 0 for "".
func (s *specs) id(ctx context.Context, spec, title string) (id int64, err error) {
	if id, ok := s.known[spec]; ok || spec == "" {
		return id, nil
	}
	err = s.tx.QueryRowContext(ctx,
		"INSERT INTO spec (spec, title) VALUES (?, ?) ON CONFLICT (spec) DO UPDATE SET title = CASE excluded.title "+
			"WHEN '' THEN title ELSE excluded.title END RETURNING id",
		spec, title).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("set %s: %w", spec, err)
	}
	if len(s.known) >= maxKnown {
		clear(s.known)
	}
	s.known[spec] = id
	return id, nil
}
