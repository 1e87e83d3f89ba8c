package catalogue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Put writes a complete package record in one transaction, and replaces the earlier one. Events that are lines of
// records stay, and those that the record has, too, are added.
func (c *Catalogue) Put(ctx context.Context, r Record) error {
	copying := c.engine.copying(ctx, false)
	err := c.inTx(ctx, func(tx *transaction) error {
		if err := putPackage(ctx, tx, r.Package); err != nil {
			return err
		}
		for _, table := range []string{"versions", "content", "copies", "events"} {
			where := " WHERE package = ?"
			if table == "events" && copying {
				where += " AND run = ''" // no file can bring the others back
			}
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+where, r.Package.ID); err != nil {
				return err
			}
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
		if err := putEvents(ctx, tx, r.Package.ID, r.Events); err != nil {
			return err
		}
		if err := putNumbers(ctx, tx, &r); err != nil {
			return err
		}
		return also(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("catalogue: writing package %s: %w", r.Package.ID, err)
	}
	return nil
}

// putPackage writes the row of a package. It stays the same row, because another transaction may add an event to
// it meanwhile.
func putPackage(ctx context.Context, tx *transaction, p Package) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO packages (id, object, path, title, profile, mets, head, inventory,
		created, stored, first, last, containers, records, files, bytes)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET object = excluded.object, path = excluded.path, title = excluded.title,
		profile = excluded.profile, mets = excluded.mets, head = excluded.head, inventory = excluded.inventory,
		created = excluded.created, stored = excluded.stored, first = excluded.first, last = excluded.last,
		containers = excluded.containers, records = excluded.records, files = excluded.files, bytes = excluded.bytes`,
		p.ID, p.Object, p.Path, p.Title, p.Profile, p.METS, p.Head, p.Inventory, stamp(p.Created),
		stamp(p.Stored), stamp(p.First), stamp(p.Last), p.Containers, p.Records, p.Files, p.Bytes)
	return err
}

func putVersion(ctx context.Context, tx *transaction, id string, v Version) error {
	if _, err := tx.ExecContext(ctx, `INSERT INTO versions (package, number, created, message, inventory, files, bytes)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		id, v.Number, stamp(v.Created), v.Message, v.Inventory, len(v.Files), v.Bytes); err != nil {
		return err
	}
	return nil
}

func putCopy(ctx context.Context, tx *transaction, id string, k Copy) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO copies (package, name, status, since, checked) VALUES (?, ?, ?, ?, ?)`,
		id, k.Name, string(k.Status), stamp(k.Since), stamp(k.Checked))
	return err
}

var (
	eventColumns = []string{"package", "file", "id", "type", "time", "outcome", "detail", "copy"}
	lineColumns  = append(slices.Clone(eventColumns), "run")
)

func eventRow(id string, e Event) []any {
	return []any{id, e.File, e.ID, e.Type, stamp(e.Time), e.Outcome, e.Detail, e.Copy}
}

func putEvents(ctx context.Context, tx *transaction, id string, es []Event) error {
	rows := make([][]any, 0, len(es))
	for _, e := range es {
		if e.Run != "" {
			if err := putLine(ctx, tx, id, e); err != nil {
				return err
			}
			continue
		}
		rows = append(rows, eventRow(id, e))
	}
	return tx.engine.insert(ctx, tx, "events", eventColumns, rows)
}

// putLine writes an event that is a line of a record, unless the package has it.
func putLine(ctx context.Context, tx *transaction, id string, e Event) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO events ("+strings.Join(lineColumns, ", ")+
		") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", append(eventRow(id, e), e.Run)...)
	return err
}

func putEvent(ctx context.Context, tx *transaction, id string, e Event) error {
	return putEvents(ctx, tx, id, []Event{e})
}

const setStatus = `INSERT INTO copies (package, name, status, since, checked) VALUES (?, ?, ?, ?, ?)
	ON CONFLICT (package, name) DO UPDATE SET status = excluded.status, since = excluded.since,
	checked = CASE WHEN copies.checked > excluded.checked THEN copies.checked ELSE excluded.checked END`

// SetStatus records that the state of a package in a copy has changed, with the event.
func (c *Catalogue) SetStatus(ctx context.Context, id, copyName string, s Status, when time.Time, e Event) error {
	var checked time.Time
	if s.WasRead() {
		checked = when
	}
	err := c.inTx(ctx, func(tx *transaction) error {
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
	err := c.inTx(ctx, func(tx *transaction) error { return setStates(ctx, tx, states) })
	if err != nil {
		return fmt.Errorf("catalogue: writing %d states: %w", len(states), err)
	}
	return nil
}

// setStates writes states with their events, which are all files or all lines of a record.
func setStates(ctx context.Context, tx *transaction, states []State) error {
	status, err := tx.PrepareContext(ctx, setStatus)
	if err != nil {
		return err
	}
	defer func() { _ = status.Close() }() // every Exec is checked; the transaction decides
	columns := eventColumns
	events := make([][]any, 0, len(states))
	for _, k := range states {
		checked := ""
		if k.Status.WasRead() {
			checked = stamp(k.Event.Time)
		}
		if _, err := status.ExecContext(ctx, tx.engine.values([]any{k.Package, k.Copy, string(k.Status),
			stamp(k.Event.Time), checked})...); err != nil {
			return err
		}
		row := eventRow(k.Package, k.Event)
		if k.Event.Run != "" {
			columns, row = lineColumns, append(row, k.Event.Run)
		}
		events = append(events, row)
	}
	return tx.engine.insert(ctx, tx, "events", columns, events)
}

// AddEvent records an event that changed no stored content, such as an export. It waits for other
// writers, also if the catalogue was opened for reading.
func (c *Catalogue) AddEvent(ctx context.Context, id string, e Event) error {
	return c.inTxAfter(ctx, max(c.patience, c.forEvents), func(tx *transaction) error {
		return putEvent(ctx, tx, id, e)
	})
}

// Remove removes a package with all its versions, files, states, events and numbers. It then writes
// a file anew, so that no free page and no log has their text. Another process that reads keeps the log until it
// ends. A database writes over their text when it needs the room.
func (c *Catalogue) Remove(ctx context.Context, id string) error {
	err := c.inTx(ctx, func(tx *transaction) error {
		if err := removeNumbers(ctx, tx, id); err != nil {
			return err
		}
		for _, from := range []string{"packages WHERE id = ?", "lines WHERE package = ?"} {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+from, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = c.engine.erase(ctx)
	}
	if err != nil {
		return fmt.Errorf("catalogue: removing package %s: %w", id, c.engine.busy(err, c.patience))
	}
	return nil
}
