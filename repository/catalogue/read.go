package catalogue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
)

const packageColumns = `id, object, path, title, profile, mets, head, inventory, created, stored, first, last,
	containers, records, files, bytes`

type scanner interface{ Scan(...any) error }

func scanPackage(row scanner) (Package, error) {
	var p Package
	var created, stored, first, last string
	err := row.Scan(&p.ID, &p.Object, &p.Path, &p.Title, &p.Profile, &p.METS, &p.Head, &p.Inventory, &created, &stored,
		&first, &last, &p.Containers, &p.Records, &p.Files, &p.Bytes)
	p.Created, p.Stored, p.First, p.Last = unstamp(created), unstamp(stored), unstamp(first), unstamp(last)
	return p, err
}

// Package returns the row of one package, or an error that is [ErrNotFound].
func (c *Catalogue) Package(ctx context.Context, id string) (Package, error) {
	return c.one(ctx, "id", id)
}

// AtPath returns the package with its object at path below a storage root, or an error that is
// [ErrNotFound].
func (c *Catalogue) AtPath(ctx context.Context, path string) (Package, error) {
	return c.one(ctx, "path", path)
}

func (c *Catalogue) one(ctx context.Context, column, value string) (Package, error) {
	p, err := scanPackage(c.row(ctx, "SELECT "+packageColumns+" FROM packages WHERE "+column+" = ?",
		value))
	if errors.Is(err, sql.ErrNoRows) {
		return Package{}, fmt.Errorf("%s: %w", value, ErrNotFound)
	}
	if err != nil {
		return Package{}, fmt.Errorf("catalogue: reading package %s: %w", value, err)
	}
	return p, nil
}

// Packages yields the row of every package, sorted by id. It reads in pages and holds no lock
// between them: a package written meanwhile may be included or not. The error is the last value
// yielded.
func (c *Catalogue) Packages(ctx context.Context) iter.Seq2[Package, error] {
	return paged("", func(after string) ([]Package, error) {
		return collect(ctx, c, scanPackage, "SELECT "+packageColumns+" FROM packages WHERE id > ? ORDER BY id LIMIT ?",
			after, pageSize)
	}, func(p Package) string { return p.ID })
}

// Head is the newest version of a package.
type Head struct {
	ID        string
	Object    string // id of the OCFL object
	Inventory string // SHA-512 of the root inventory.json, lower-case hex
}

// Heads yields the newest version of every package, as [Catalogue.Packages] does, but with fewer columns: for
// callers that look for changes.
func (c *Catalogue) Heads(ctx context.Context) iter.Seq2[Head, error] {
	return paged("", func(after string) ([]Head, error) {
		return collect(ctx, c, func(row scanner) (n Head, err error) {
			err = row.Scan(&n.ID, &n.Object, &n.Inventory)
			return n, err
		}, "SELECT id, object, inventory FROM packages WHERE id > ? ORDER BY id LIMIT ?", after, pageSize)
	}, func(n Head) string { return n.ID })
}

// Listed is a package in a list.
type Listed struct {
	Package
	Status Status // the worst last known state of its copies
}

// List yields the packages after an id, sorted by id, as [Catalogue.Packages] does.
func (c *Catalogue) List(ctx context.Context, after string) iter.Seq2[Listed, error] {
	return paged(after, func(after string) ([]Listed, error) {
		return collect(ctx, c, scanListed, "SELECT "+packageColumns+", "+worst+
			" FROM packages WHERE id > ? ORDER BY id LIMIT ?", after, pageSize)
	}, func(p Listed) string { return p.ID })
}

// worst selects the worst state of the copies of a package: missing, then damaged, owed, good.
const worst = `(SELECT CASE min(CASE status WHEN 'missing' THEN 0 WHEN 'owed' THEN 2 WHEN 'good' THEN 3
		WHEN 'listed' THEN 3 ELSE 1 END)
	WHEN 0 THEN 'missing' WHEN 1 THEN 'damaged' WHEN 2 THEN 'owed' ELSE 'good' END
	FROM copies WHERE package = packages.id)`

func scanListed(row scanner) (l Listed, err error) {
	l.Package, err = scanPackage(&more{row, []any{&l.Status}})
	return l, err
}

// more scans further columns after those that its caller knows.
type more struct {
	row scanner
	to  []any
}

func (m *more) Scan(to ...any) error { return m.row.Scan(append(to, m.to...)...) }

// pageSize is the number of packages that are read at once. Without pages, a long audit would hold
// one read transaction, and SQLite could not shorten its log.
const pageSize = 256

// Get returns the full record of one package, or an error that is [ErrNotFound].
func (c *Catalogue) Get(ctx context.Context, id string) (Record, error) {
	p, err := c.Package(ctx, id)
	if err != nil {
		return Record{}, err
	}
	r := Record{Package: p}
	if r.Versions, err = c.versions(ctx, id); err != nil {
		return Record{}, fmt.Errorf("catalogue: reading the versions of %s: %w", id, err)
	}
	if r.Copies, err = c.Copies(ctx, id); err != nil {
		return Record{}, err
	}
	if r.Events, err = c.events(ctx, id); err != nil {
		return Record{}, fmt.Errorf("catalogue: reading the events of %s: %w", id, err)
	}
	return r, nil
}

func (c *Catalogue) versions(ctx context.Context, id string) ([]Version, error) {
	vs, err := collect(ctx, c, func(row scanner) (Version, error) {
		var v Version
		var created string
		err := row.Scan(&v.Number, &created, &v.Message, &v.Inventory, &v.Bytes)
		v.Created = unstamp(created)
		return v, err
	}, "SELECT number, created, message, inventory, bytes FROM versions WHERE package = ? ORDER BY number", id)
	if err != nil {
		return nil, err
	}
	return vs, c.files(ctx, id, vs)
}

// VersionInventories returns the SHA-512 of vN/inventory.json of each version of a package, version
// 1 first.
func (c *Catalogue) VersionInventories(ctx context.Context, id string) ([]string, error) {
	sums, err := collect(ctx, c, func(row scanner) (string, error) {
		var s string
		err := row.Scan(&s)
		return s, err
	}, "SELECT inventory FROM versions WHERE package = ? ORDER BY number", id)
	if err != nil {
		return nil, fmt.Errorf("catalogue: reading the versions of %s: %w", id, err)
	}
	return sums, nil
}

// Copies returns the last known state of a package in each copy, sorted by copy name.
func (c *Catalogue) Copies(ctx context.Context, id string) ([]Copy, error) {
	ks, err := collect(ctx, c, func(row scanner) (Copy, error) {
		var k Copy
		var since, checked string
		err := row.Scan(&k.Name, &k.Status, &since, &checked)
		k.Since, k.Checked = unstamp(since), unstamp(checked)
		return k, err
	}, "SELECT name, status, since, checked FROM copies WHERE package = ? ORDER BY name", id)
	if err != nil {
		return nil, fmt.Errorf("catalogue: reading the copies of %s: %w", id, err)
	}
	return ks, nil
}

func (c *Catalogue) events(ctx context.Context, id string) ([]Event, error) {
	all, err := c.eventsBy(ctx, id)
	// Another process may have migrated the catalogue since it was opened.
	if err == nil && !c.engine.copying(ctx, false) && c.engine.copying(ctx, true) {
		all, err = c.eventsBy(ctx, id)
	}
	return all, err
}

func (c *Catalogue) eventsBy(ctx context.Context, id string) ([]Event, error) {
	run := "run"
	if !c.engine.copying(ctx, false) {
		run = "''"
	}
	return collect(ctx, c, func(row scanner) (Event, error) {
		var e Event
		var when string
		err := row.Scan(&e.File, &e.ID, &e.Type, &when, &e.Outcome, &e.Detail, &e.Copy, &e.Run)
		e.Time = unstamp(when)
		return e, err
	}, "SELECT file, id, type, time, outcome, detail, copy, "+run+" FROM events WHERE package = ? ORDER BY file", id)
}

// PackagesWith returns the packages and documents with an event of a type whose detail begins with a text,
// sorted by id, at most limit. It reads all events.
func (c *Catalogue) PackagesWith(ctx context.Context, kind, prefix string, limit int) ([]string, error) {
	ids, err := collect(ctx, c, func(row scanner) (id string, err error) { return id, row.Scan(&id) },
		"SELECT DISTINCT package FROM events WHERE type = ? AND substr(detail, 1, length(?)) = ? ORDER BY package "+
			"LIMIT ?", kind, prefix, prefix, limit)
	if err != nil {
		return nil, fmt.Errorf("catalogue: reading the events of type %s: %w", kind, err)
	}
	return ids, nil
}

// collect runs a query and scans every row.
func collect[T any](ctx context.Context, c *Catalogue, scan func(scanner) (T, error), query string, args ...any) ([]T,
	error) {
	rows, err := c.db.QueryContext(ctx, c.engine.statement(query), c.engine.values(args)...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err below reports the error
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}
