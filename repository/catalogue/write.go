package catalogue

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Put writes a complete package record in one transaction, and replaces the earlier one.
func (c *Catalogue) Put(ctx context.Context, r Record) error {
	err := c.inTx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM packages WHERE id = ?", r.Package.ID); err != nil {
			return err
		}
		if err := putPackage(ctx, tx, r.Package); err != nil {
			return err
		}
		for _, v := range r.Versions {
			if err := putVersion(ctx, tx, r.Package.ID, v); err != nil {
				return err
			}
		}
		if err := putContent(ctx, tx, r.Package.ID, r.Versions); err != nil {
			return err
		}
		for _, k := range r.Copies {
			if err := putCopy(ctx, tx, r.Package.ID, k); err != nil {
				return err
			}
		}
		for _, e := range r.Events {
			if err := putEvent(ctx, tx, r.Package.ID, e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("catalogue: writing package %s: %w", r.Package.ID, err)
	}
	return nil
}

func putPackage(ctx context.Context, tx *sql.Tx, p Package) error {
	_,
		err := tx.ExecContext(ctx,
		`INSERT INTO packages (id, object, path, title, profile, mets, head, inventory, created,
		stored, first, last, containers, records, files, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		p.ID, p.Object, p.Path, p.Title, p.Profile, p.METS, p.Head, p.Inventory, stamp(p.Created),
		stamp(p.Stored), stamp(p.First), stamp(p.Last), p.Containers, p.Records, p.Files, p.Bytes)
	return err
}

func putVersion(ctx context.Context, tx *sql.Tx, id string, v Version) error {
	if _, err := tx.ExecContext(ctx, `INSERT INTO versions (package, number, created, message, inventory, files, bytes)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		id, v.Number, stamp(v.Created), v.Message, v.Inventory, len(v.Files), v.Bytes); err != nil {
		return err
	}
	return nil
}

func putCopy(ctx context.Context, tx *sql.Tx, id string, k Copy) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO copies (package, name, status, since, checked) VALUES (?, ?, ?, ?, ?)`,
		id, k.Name, string(k.Status), stamp(k.Since), stamp(k.Checked))
	return err
}

func putEvent(ctx context.Context, tx *sql.Tx, id string, e Event) error {
	_, err := tx.ExecContext(ctx, insertEvent, id, e.File, e.ID, e.Type, stamp(e.Time), e.Outcome, e.Detail, e.Copy)
	return err
}

const (
	insertEvent = `INSERT INTO events (package, file, id, type, time, outcome, detail, copy)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
	setStatus = `INSERT INTO copies (package, name, status, since, checked) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (package, name) DO UPDATE SET status = excluded.status, since = excluded.since,
		checked = max(checked, excluded.checked)`
)

// SetStatus records that the state of a package in a copy has changed, with the event.
func (c *Catalogue) SetStatus(ctx context.Context, id, copyName string, s Status, when time.Time, e Event) error {
	var checked time.Time
	if s.WasRead() {
		checked = when
	}
	err := c.inTx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, setStatus, id, copyName, string(s), stamp(when), stamp(checked)); err != nil {
			return err
		}
		return putEvent(ctx, tx, id, e)
	})
	if err != nil {
		return fmt.Errorf("catalogue: writing the state of %s in %s: %w", id, copyName, err)
	}
	return nil
}

// State is a new state of a package in a copy, with the event that says so.
type State struct {
	Package, Copy string
	Status        Status
	Event         Event
}

// SetStates records states as SetStatus does, from the times of their events, in one transaction.
func (c *Catalogue) SetStates(ctx context.Context, states []State) error {
	err := c.inTx(ctx, func(tx *sql.Tx) error {
		status, err := tx.PrepareContext(ctx, setStatus)
		if err != nil {
			return err
		}
		defer func() { _ = status.Close() }() // every Exec is checked; the transaction decides
		event, err := tx.PrepareContext(ctx, insertEvent)
		if err != nil {
			return err
		}
		defer func() { _ = event.Close() }()
		for _, k := range states {
			checked := ""
			if k.Status.WasRead() {
				checked = stamp(k.Event.Time)
			}
			if _, err := status.ExecContext(ctx, k.Package, k.Copy, string(k.Status), stamp(k.Event.Time),
				checked); err != nil {
				return err
			}
			e := k.Event
			if _, err := event.ExecContext(ctx, k.Package, e.File, e.ID, e.Type, stamp(e.Time), e.Outcome, e.Detail,
				e.Copy); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("catalogue: writing %d states: %w", len(states), err)
	}
	return nil
}

// AddEvent records an event that changed no stored content, such as an export. It waits for other
// writers, also if the catalogue was opened for reading.
func (c *Catalogue) AddEvent(ctx context.Context, id string, e Event) error {
	return c.inTxAfter(ctx, max(c.patience, c.forEvents), func(tx *sql.Tx) error { return putEvent(ctx, tx, id, e) })
}

// Remove removes a package with all its versions, files, states and events. It then writes the file anew, so
// that no free page and no log has their text. Another process that reads keeps the log until it ends.
func (c *Catalogue) Remove(ctx context.Context, id string) error {
	err := c.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM packages WHERE id = ?", id)
		return err
	})
	if err == nil {
		_, err = c.db.ExecContext(ctx, "VACUUM")
	}
	if err == nil {
		_, err = c.db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	}
	if err != nil {
		return fmt.Errorf("catalogue: removing package %s: %w", id, c.busy(err, c.patience))
	}
	return nil
}
