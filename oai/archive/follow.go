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

// catchUp indexes each package that differs from the catalogue, and returns when to look again. If
// the rules change, or a capture is found to be infected, it decides all packages again. Meanwhile
// lists check each record individually.
func (a *Archive) catchUp(ctx context.Context) (again time.Duration, err error) {
	for {
		if err := a.follower.Look(ctx); err != nil {
			return 0, err
		}
		if err := a.holdings.Ready(ctx); err != nil {
			return 0, err
		}
		epoch, known := a.epoch()
		if !known { // published records stay, checked individually
			a.follower.Looked(func() { a.working, a.behind = "", time.Time{} })
			return follow.LookAfter, nil
		}
		if err := a.startEpoch(ctx, epoch); err != nil {
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

// errEpochChanged means that the decision on a package belongs to an earlier epoch.
var errEpochChanged = errors.New("the rules changed meanwhile")

// lookAtAll indexes packages until their epoch ends.
func (a *Archive) lookAtAll(ctx context.Context, todo []catalogue.Package, epoch string) error {
	for i, card := range todo {
		err := a.lookAt(ctx, card, len(todo)-i, epoch)
		if errors.Is(err, errEpochChanged) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// startEpoch marks all packages for indexing if the epoch is a new one.
func (a *Archive) startEpoch(ctx context.Context, epoch string) error {
	turned, err := a.index.setting(ctx, "turned")
	if err != nil || turned == epoch {
		return err
	}
	return a.index.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE package SET inventory = ''")
		return errors.Join(err, set(ctx, tx, "turned", epoch))
	})
}

// caughtUp records that the index holds all packages of the last look at the catalogue, as decided
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
	a.reportProgress(Progress{})
	a.follower.Looked(func() { a.filled, a.settled, a.working, a.behind = true, epoch, "", time.Time{} })
	return nil
}

// due lists the packages to index. Others reports whether indexing them may change the records of
// packages that are not new.
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

// lookAt indexes a package. It reports a problem with the package and retries later. It returns
// only errors of the index or of ctx.
func (a *Archive) lookAt(ctx context.Context, card catalogue.Package, left int, epoch string) error {
	a.follower.Change(func() { a.working = card.ID })
	a.reportProgress(Progress{Package: card.ID, Packages: left})
	failed := a.look(ctx, card, epoch)
	if failed == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if now, known := a.epoch(); now != epoch || !known {
		return errEpochChanged
	}
	a.problem(fmt.Errorf("package %s: %w; its earlier records stay listed but are not served, and Quire "+
		"retries",
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

// packageRow returns the row of a package, and creates it if it is missing.
func packageRow(ctx context.Context, tx *sql.Tx, name string) (id int64, err error) {
	err = tx.QueryRowContext(ctx,
		`INSERT INTO package (name, inventory, published, problem, tries, retry, shown, hidden, unstated, left_out)
		VALUES (?, '', '', '', 0, 0, 0, 0, 0, '') ON CONFLICT (name) DO UPDATE SET name = name RETURNING id`,
		name).Scan(&id)
	return id, err
}

// current waits, for a limited time, until the index has all packages of the catalogue. If the time
// ends first, a list has all records indexed until then. Records indexed later get a datestamp
// later than the lists already answered. Only an index that was never complete causes an error, a
// *provider.BusyError.
//
// Settled reports whether the list agrees with the current decisions. It is false if the rules
// changed, or if a package has a newer version, because that version may close the package. While
// the rules are unreadable, no list is answered.
func (a *Archive) current(ctx context.Context) (settled bool, err error) {
	if !a.holdings.RulesReadable() {
		return false, &provider.BusyError{Why: "the access rules are unreadable", After: 30 * time.Second}
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
			return false, ctx.Err() // unsettled records are checked individually
		}
	}
	_, known := a.epoch()
	return known && !changed, nil
}

func (a *Archive) busy() error {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return &provider.BusyError{Why: "the index of the repository is incomplete; now reading package " + a.working,
		After: 30 * time.Second}
}

// patience returns how long a list may still wait. All lists that wait for one package share one
// time limit. The caller holds the lock.
func (a *Archive) patience() time.Duration {
	if a.behind.IsZero() {
		a.behind = time.Now()
	}
	return max(0, a.options.Wait-time.Since(a.behind))
}

// Ready waits until the index holds the whole repository.
func (a *Archive) Ready(ctx context.Context) error {
	due, err := a.follower.Due(ctx)
	if err != nil {
		return err
	}
	return a.follower.Await(ctx, func() bool { return a.follower.Shown() >= due && a.isSettled() })
}

// isSettled reports whether all published records were decided in the current epoch, or no decision
// is possible. The caller holds the lock.
func (a *Archive) isSettled() bool {
	epoch, known := a.epoch() // it changes while packages are read
	return !known || a.settled == epoch
}
