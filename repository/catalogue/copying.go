package catalogue

import (
	"context"
	"fmt"
	"strings"
)

// A run of copying leaves a record of many packages, and no event file of each. Each of its lines is an event here,
// with the run as its source. So a package has one history, and a copy its state, whatever it is from.

// copyingSchema is the version of the schema since which an event may be a line of a record.
const copyingSchema = 4

// Line is a line of the record of a run of copying: an event of a package, which the catalogue may not have.
type Line struct {
	Package string
	Event
	Leaf int64 // of the run, in the register; 0 if the package has the event already
}

// PutCopying records the states that a run of copying left, as [Catalogue.SetStates] does. Each event names the run.
func (c *Catalogue) PutCopying(ctx context.Context, run string, states []State) error {
	err := c.inTx(ctx, func(tx *transaction) error {
		if err := setStates(ctx, tx, states); err != nil {
			return err
		}
		return putCopying(ctx, tx, run)
	})
	if err != nil {
		return fmt.Errorf("catalogue: writing the copying %s: %w", run, err)
	}
	return nil
}

func putCopying(ctx context.Context, tx *transaction, run string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO copyings (run) VALUES (?) ON CONFLICT DO NOTHING", run)
	return err
}

// StageLines keeps lines of records until [Catalogue.EndCopying]. Lines that it has already stay as they are.
func (c *Catalogue) StageLines(ctx context.Context, lines []Line) error {
	err := c.inTx(ctx, func(tx *transaction) error {
		for _, l := range lines {
			values := append(eventRow(l.Package, l.Event), l.Run, l.Leaf)
			if _, err := tx.ExecContext(ctx, "INSERT INTO lines ("+strings.Join(lineColumns, ", ")+
				", leaf) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", values...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("catalogue: reading the record of a copying: %w", err)
	}
	return nil
}

// EndCopying records that the packages have the lines of runs. It removes those that were kept for them.
func (c *Catalogue) EndCopying(ctx context.Context, runs ...string) error {
	err := c.inTx(ctx, func(tx *transaction) error {
		for _, run := range runs {
			if _, err := tx.ExecContext(ctx, "DELETE FROM lines WHERE run = ?", run); err != nil {
				return err
			}
			if err := putCopying(ctx, tx, run); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("catalogue: writing %d runs of copying: %w", len(runs), err)
	}
	return nil
}

// Copyings returns the ids of the runs of copying that the catalogue has.
func (c *Catalogue) Copyings(ctx context.Context) (map[string]bool, error) {
	known := map[string]bool{}
	if !c.engine.copying(ctx, true) {
		return known, nil
	}
	ids, err := collect(ctx, c, func(row scanner) (id string, err error) { return id, row.Scan(&id) },
		"SELECT run FROM copyings")
	if err != nil {
		return nil, fmt.Errorf("catalogue: reading the runs of copying: %w", err)
	}
	for _, id := range ids {
		known[id] = true
	}
	return known, nil
}

// HasCopying reports whether the catalogue has a run of copying.
func (c *Catalogue) HasCopying(ctx context.Context, run string) (has bool, err error) {
	err = c.row(ctx, "SELECT EXISTS (SELECT 1 FROM copyings WHERE run = ?)", run).Scan(&has)
	if err != nil {
		return false, fmt.Errorf("catalogue: reading the copying %s: %w", run, err)
	}
	return has, nil
}

// Lines returns the events of a package that are lines of records, those that were staged, too.
func (c *Catalogue) Lines(ctx context.Context, id string) ([]Line, error) {
	if !c.engine.copying(ctx, false) {
		return nil, nil
	}
	const columns = "file, id, type, time, outcome, detail, copy, run"
	lines, err := collect(ctx, c, func(row scanner) (Line, error) {
		l := Line{Package: id}
		var at string
		err := row.Scan(&l.File, &l.ID, &l.Type, &at, &l.Outcome, &l.Detail, &l.Copy, &l.Run, &l.Leaf)
		l.Time = unstamp(at)
		return l, err
	}, "SELECT "+columns+", 0 FROM events WHERE package = ? AND run <> '' UNION ALL SELECT "+columns+
		", leaf FROM lines WHERE package = ? AND NOT EXISTS (SELECT 1 FROM events e WHERE e.package = lines.package "+
		"AND e.file = lines.file) ORDER BY file", id, id)
	if err != nil {
		return nil, fmt.Errorf("catalogue: reading the copyings of %s: %w", id, err)
	}
	return lines, nil
}

// NewestLines returns the highest name of the lines of each of some packages that has one.
func (c *Catalogue) NewestLines(ctx context.Context, ids []string) (map[string]string, error) {
	newest := make(map[string]string, len(ids))
	if len(ids) == 0 || !c.engine.copying(ctx, false) {
		return newest, nil
	}
	in := "package IN (?" + strings.Repeat(", ?", len(ids)-1) + ")"
	var args []any
	for range 2 {
		for _, id := range ids {
			args = append(args, id)
		}
	}
	type last struct{ id, file string }
	rows, err := collect(ctx, c, func(row scanner) (l last, err error) { return l, row.Scan(&l.id, &l.file) },
		"SELECT package, max(file) FROM (SELECT package, file FROM events WHERE run <> '' AND "+in+
			" UNION ALL SELECT package, file FROM lines WHERE "+in+") AS every GROUP BY package", args...)
	if err != nil {
		return nil, fmt.Errorf("catalogue: reading the copyings: %w", err)
	}
	for _, l := range rows {
		newest[l.id] = l.file
	}
	return newest, nil
}
