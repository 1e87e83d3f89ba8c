package archive

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"quire/oai/provider"
	"quire/repository/catalogue"
)

// follow keeps the index up to date with the catalogue until the context ends.
func (a *Archive) follow(ctx context.Context) {
	defer close(a.done)
	for {
		again, err := a.catchUp(ctx)
		if err != nil && ctx.Err() == nil {
			a.problem(err)
			again = retryAfter
		}
		timer := time.NewTimer(again)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-a.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// How often the catalogue is looked at when nobody asks, and when a package that could not be read is tried again.
const (
	lookAfter  = time.Minute
	retryAfter = 10 * time.Second
	retryMost  = time.Hour
)

// catchUp looks at each package that is not in the index as the catalogue has it, and says when to look again.
func (a *Archive) catchUp(ctx context.Context) (again time.Duration, err error) {
	for {
		state, err := a.store.Changes(ctx)
		if err != nil {
			return 0, err
		}
		todo, err := a.due(ctx)
		if err != nil {
			return 0, err
		}
		if len(todo) == 0 {
			return lookAfter, a.caughtUp(ctx, state)
		}
		for i, card := range todo {
			if err := a.lookAt(ctx, card, len(todo)-i); err != nil {
				return 0, err
			}
		}
	}
}

// caughtUp notes that the index has followed the catalogue to a state.
func (a *Archive) caughtUp(ctx context.Context, state int64) error {
	a.mu.Lock()
	filled := a.filled
	a.mu.Unlock()
	if !filled {
		if _, err := a.index.db.ExecContext(ctx, "INSERT INTO setting (name, value) VALUES ('filled', 'yes') ON CONFLICT DO NOTHING"); err != nil {
			return err
		}
	}
	a.progress.begin(Progress{})
	a.move(func() { a.filled, a.state, a.known, a.working, a.behind = true, state, true, "", time.Time{} })
	return nil
}

// move changes what those who wait look at.
func (a *Archive) move(change func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change()
	close(a.moved)
	a.moved = make(chan struct{})
}

// due lists the packages that have to be looked at: collections first, whose rights are those of packages too, then by age.
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
	slices.SortFunc(todo, func(a, b catalogue.Package) int {
		return cmp.Or(-cmp.Compare(isCollection(a), isCollection(b)), a.Stored.Compare(b.Stored), cmp.Compare(a.ID, b.ID))
	})
	return todo, nil
}

// lookAt takes a package into the index. What is wrong with it is told, and tried again later; the error is one of the index, or of ctx.
func (a *Archive) lookAt(ctx context.Context, card catalogue.Package, left int) error {
	a.move(func() { a.working = card.ID })
	a.progress.begin(Progress{Package: card.ID, Packages: left})
	failed := a.take(ctx, card)
	if failed == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	a.problem(fmt.Errorf("package %s: %w; what it had before is listed and not handed out, and it is tried again", card.ID, failed))
	return a.index.write(ctx, func(tx *sql.Tx) error {
		var tries int64
		row, err := packageRow(ctx, tx, card.ID)
		if err == nil {
			err = tx.QueryRowContext(ctx, "SELECT tries FROM package WHERE id = ?", row).Scan(&tries)
		}
		if err != nil {
			return err
		}
		wait := min(retryAfter<<min(tries, 10), retryMost)
		_, err = tx.ExecContext(ctx, "UPDATE package SET problem = ?, tries = tries + 1, retry = ? WHERE id = ?", failed.Error(), a.now()+int64(wait/time.Second), row)
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
	state, err := a.store.Changes(ctx)
	if err != nil {
		return err
	}
	timer := time.NewTimer(a.patience(state))
	defer timer.Stop()
	for asked := false; ; {
		a.mu.Lock()
		there, filled, working, moved := a.known && a.state == state, a.filled, a.working, a.moved
		a.mu.Unlock()
		if there {
			return nil
		}
		if !asked {
			asked = true
			select {
			case a.wake <- struct{}{}:
			default: // it is awake
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-a.done:
			return errors.New("the repository is not followed any more")
		case <-moved:
		case <-timer.C:
			if filled {
				return nil
			}
			return &provider.BusyError{Why: "the index of the repository is being made; at package " + working, After: 30 * time.Second}
		}
	}
}

// patience is how long a list may wait still: all of those that ask while one package is read wait for it together, and not each anew.
func (a *Archive) patience(state int64) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known && a.state == state {
		return a.options.Wait
	}
	if a.behind.IsZero() {
		a.behind = time.Now()
	}
	return max(0, a.options.Wait-time.Since(a.behind))
}

// Ready waits until all that is in the repository is in the index.
func (a *Archive) Ready(ctx context.Context) error {
	for {
		state, err := a.store.Changes(ctx)
		if err != nil {
			return err
		}
		a.mu.Lock()
		there, moved := a.known && a.state == state, a.moved
		a.mu.Unlock()
		if there {
			return nil
		}
		select {
		case a.wake <- struct{}{}:
		default: // it is awake
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-a.done:
			return errors.New("the repository is not followed any more")
		case <-moved:
		}
	}
}
