package archive

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"quire/holdings/follow"
	"quire/oai/provider"
	"quire/repository/catalogue"
)

// catchUp looks at each package that is not in the index as the catalogue has it, and says when to look again.
func (a *Archive) catchUp(ctx context.Context) (again time.Duration, err error) {
	for {
		if err := a.follower.Look(ctx); err != nil {
			return 0, err
		}
		todo, err := a.due(ctx)
		if err != nil {
			return 0, err
		}
		if len(todo) == 0 {
			return follow.LookAfter, a.caughtUp(ctx)
		}
		for i, card := range todo {
			if err := a.lookAt(ctx, card, len(todo)-i); err != nil {
				return 0, err
			}
		}
	}
}

// caughtUp notes that the index has all that the catalogue had at the last look.
func (a *Archive) caughtUp(ctx context.Context) error {
	a.mu.RLock()
	filled := a.filled
	a.mu.RUnlock()
	if !filled {
		if _, err := a.index.db.ExecContext(ctx, "INSERT INTO setting (name, value) VALUES ('filled', 'yes') ON CONFLICT DO NOTHING"); err != nil {
			return err
		}
	}
	a.progress.begin(Progress{})
	a.follower.Looked(func() { a.filled, a.working, a.behind = true, "", time.Time{} })
	return nil
}

// due lists the packages that have to be looked at.
func (a *Archive) due(ctx context.Context) ([]catalogue.Package, error) {
	type seen struct {
		inventory string
		retry     int64
	}
	indexed := map[string]seen{}
	err := each(ctx, a.index.db, func(scan func(...any) error) error {
		var name string
		var s seen
		err := scan(&name, &s.inventory, &s.retry)
		indexed[name] = s
		return err
	}, "SELECT name, inventory, retry FROM package")
	if err != nil {
		return nil, fmt.Errorf("reading the index: %w", err)
	}
	var todo []catalogue.Package
	now := a.now()
	for p, err := range a.store.Packages(ctx) {
		if err != nil {
			return nil, err
		}
		if s := indexed[p.ID]; s.inventory != p.Inventory && s.retry <= now {
			todo = append(todo, p)
		}
	}
	follow.Order(todo)
	return todo, nil
}

// lookAt takes a package into the index. What is wrong with it is told, and tried again later; the error is one of the index, or of ctx.
func (a *Archive) lookAt(ctx context.Context, card catalogue.Package, left int) error {
	a.follower.Change(func() { a.working = card.ID })
	a.progress.begin(Progress{Package: card.ID, Packages: left})
	failed := a.take(ctx, card)
	if failed == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	a.problem(fmt.Errorf("package %s: %w; what it had before is listed and not handed out, and it is tried again", card.ID, failed))
	return a.index.write(ctx, func(tx *sql.Tx) error {
		var tries int
		row, err := packageRow(ctx, tx, card.ID)
		if err == nil {
			err = tx.QueryRowContext(ctx, "SELECT tries FROM package WHERE id = ?", row).Scan(&tries)
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE package SET problem = ?, tries = tries + 1, retry = ? WHERE id = ?", failed.Error(), a.now()+int64(follow.RetryIn(tries)/time.Second), row)
		return err
	})
}

// packageRow gives the row of a package, which is made when there is none.
func packageRow(ctx context.Context, tx *sql.Tx, name string) (id int64, err error) {
	err = tx.QueryRowContext(ctx, `INSERT INTO package (name, inventory, problem, tries, retry, shown, hidden, unstated, left_out)
		VALUES (?, '', '', 0, 0, 0, 0, 0, '') ON CONFLICT (name) DO UPDATE SET name = name RETURNING id`, name).Scan(&id)
	return id, err
}

// current waits, for a bounded time, until the index has followed the catalogue to where it is now. A list that is given before has all
// that was there before: what comes later gets a later datestamp than those that were answered. Only when the index was never whole
// there is an error, a *provider.BusyError.
func (a *Archive) current(ctx context.Context) error {
	there, err := a.follower.Current(ctx, a.patience)
	if there || err != nil {
		return err
	}
	a.mu.RLock()
	defer a.mu.RUnlock()
	if a.filled {
		return nil
	}
	return &provider.BusyError{Why: "the index of the repository is being made; at package " + a.working, After: 30 * time.Second}
}

// patience is how long a list may wait still: all of those that ask while one package is read wait for it together, and not each anew. It is
// called under the lock.
func (a *Archive) patience() time.Duration {
	if a.behind.IsZero() {
		a.behind = time.Now()
	}
	return max(0, a.options.Wait-time.Since(a.behind))
}

// Ready waits until all that is in the repository is in the index.
func (a *Archive) Ready(ctx context.Context) error {
	due, err := a.follower.Due(ctx)
	if err != nil {
		return err
	}
	return a.follower.Await(ctx, func() bool { return a.follower.Shown() >= due })
}
