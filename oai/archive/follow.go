package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"quire/holdings/follow"
	"quire/oai/provider"
	"quire/repository/catalogue"
)

// catchUp looks at each package that is not in the index as the catalogue has it, and says when to
// look again. When the rules changed, or something was found to be infected, all packages are
// decided anew; meanwhile what is listed is looked at one by one.
func (a *Archive) catchUp(ctx context.Context) (again time.Duration, err error) {
	for {
		if err := a.follower.Look(ctx); err != nil {
			return 0, err
		}
		if err := a.holdings.Ready(ctx); err != nil {
			return 0, err
		}
		epoch, known := a.epoch()
		if !known { // what was published stays, and is looked at one by one
			a.follower.Looked(func() { a.working, a.behind = "", time.Time{} })
			return follow.LookAfter, nil
		}
		if err := a.turn(ctx, epoch); err != nil {
			return 0, err
		}
		todo, _, err := a.due(ctx)
		if err != nil {
			return 0, err
		}
		if len(todo) == 0 {
			return follow.LookAfter, a.caughtUp(ctx, epoch)
		}
		if err := a.lookAtAll(ctx, todo, epoch); err != nil {
			return 0, err
		}
	}
}

// errTurned says that what was decided of a package is of an epoch that is over.
var errTurned = errors.New("the rules changed meanwhile")

// lookAtAll looks at packages, as long as their epoch lasts.
func (a *Archive) lookAtAll(ctx context.Context, todo []catalogue.Package, epoch string) error {
	for i, card := range todo {
		err := a.lookAt(ctx, card, len(todo)-i, epoch)
		if errors.Is(err, errTurned) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// turn has all packages looked at again, when an epoch is not that in which they were.
func (a *Archive) turn(ctx context.Context, epoch string) error {
	turned, err := a.index.setting(ctx, "turned")
	if err != nil || turned == epoch {
		return err
	}
	return a.index.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE package SET inventory = ''")
		return errors.Join(err, set(ctx, tx, "turned", epoch))
	})
}

// caughtUp notes that the index has all that the catalogue had at the last look, as it is decided
// in an epoch.
func (a *Archive) caughtUp(ctx context.Context, epoch string) error {
	a.mu.RLock()
	filled, settled := a.filled, a.settled
	a.mu.RUnlock()
	if !filled || settled != epoch {
		err := a.index.write(ctx, func(tx *sql.Tx) error {
			return errors.Join(set(ctx, tx, "filled", "yes"), set(ctx, tx, "epoch", epoch))
		})
		if err != nil {
			return err
		}
	}
	a.tell(Progress{})
	a.follower.Looked(func() { a.filled, a.settled, a.working, a.behind = true, epoch, "", time.Time{} })
	return nil
}

// due lists the packages that have to be looked at. Others says whether that may change what is
// listed of others than those that are new.
func (a *Archive) due(ctx context.Context) (todo []catalogue.Package, others bool, err error) {
	type seen struct {
		inventory, published string
		retry                int64
	}
	indexed := map[string]seen{}
	err = each(ctx, a.index.db, func(scan func(...any) error) error {
		var name string
		var s seen
		err := scan(&name, &s.inventory, &s.published, &s.retry)
		indexed[name] = s
		return err
	}, "SELECT name, inventory, published, retry FROM package")
	if err != nil {
		return nil, false, fmt.Errorf("reading the index: %w", err)
	}
	now := a.now()
	for p, err := range a.store.Packages(ctx) {
		if err != nil {
			return nil, false, err
		}
		if s := indexed[p.ID]; s.inventory != p.Inventory && s.retry <= now {
			todo = append(todo, p)
			others = others || s.published != "" || p.IsCollection()
		}
	}
	follow.Order(todo)
	return todo, others, nil
}

// lookAt takes a package into the index. What is wrong with it is told, and tried again later; the
// error is one of the index, or of ctx.
func (a *Archive) lookAt(ctx context.Context, card catalogue.Package, left int, epoch string) error {
	a.follower.Change(func() { a.working = card.ID })
	a.tell(Progress{Package: card.ID, Packages: left})
	failed := a.look(ctx, card, epoch)
	if failed == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if now, known := a.epoch(); now != epoch || !known {
		return errTurned
	}
	a.problem(fmt.Errorf("package %s: %w; what it had before is listed and not handed out, and it is tried again",
		card.ID, failed))
	return a.index.write(ctx, func(tx *sql.Tx) error {
		var tries int
		row, err := packageRow(ctx, tx, card.ID)
		if err == nil {
			err = tx.QueryRowContext(ctx, "SELECT tries FROM package WHERE id = ?", row).Scan(&tries)
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE package SET problem = ?, tries = tries + 1, retry = ? WHERE id = ?",
			failed.Error(), a.now()+int64(follow.RetryIn(tries)/time.Second), row)
		return err
	})
}

// packageRow gives the row of a package, which is made when there is none.
func packageRow(ctx context.Context, tx *sql.Tx, name string) (id int64, err error) {
	err = tx.QueryRowContext(ctx,
		`INSERT INTO package (name, inventory, published, problem, tries, retry, shown, hidden, unstated, left_out)
		VALUES (?, '', '', '', 0, 0, 0, 0, 0, '') ON CONFLICT (name) DO UPDATE SET name = name RETURNING id`,
		name).Scan(&id)
	return id, err
}

// current waits, for a bounded time, until the index has followed the catalogue to where it is now.
// A list that is given before has all that was there before: what comes later gets a later
// datestamp than those that were answered. Only when the index was never whole there is an error, a
// *provider.BusyError.
//
// Settled says whether what is listed is what is decided at this moment: otherwise the rules are
// others, or a package has a newer version, which may close it. While the rules cannot be read
// there is no list.
func (a *Archive) current(ctx context.Context) (settled bool, err error) {
	if !a.holdings.RulesReadable() {
		return false, &provider.BusyError{Why: "the rules of access cannot be read", After: 30 * time.Second}
	}
	there, err := a.follower.Current(ctx, a.patience)
	changed := false
	if err == nil && !there {
		_, changed, err = a.due(ctx)
	}
	if err != nil {
		return false, err
	}
	a.mu.RLock()
	filled, settled := a.filled, a.isSettled()
	a.mu.RUnlock()
	if !filled {
		return false, a.busy()
	}
	if !settled {
		a.mu.Lock()
		wait := a.patience()
		a.mu.Unlock()
		waiting, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		if a.follower.Await(waiting, a.isSettled) != nil {
			return false, ctx.Err() // what was not settled in time is looked at one by one
		}
	}
	_, known := a.epoch()
	return known && !changed, nil
}

func (a *Archive) busy() error {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return &provider.BusyError{Why: "the index of the repository is being made; at package " + a.working,
		After: 30 * time.Second}
}

// patience is how long a list may wait still: all of those that ask while one package is read wait
// for it together, and not each anew. It is called under the lock.
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
	return a.follower.Await(ctx, func() bool { return a.follower.Shown() >= due && a.isSettled() })
}

// isSettled reports whether all that is published was decided in the epoch of this moment, or
// nobody can decide. It is called under the lock.
func (a *Archive) isSettled() bool {
	epoch, known := a.epoch() // which changes while packages are read
	return !known || a.settled == epoch
}
