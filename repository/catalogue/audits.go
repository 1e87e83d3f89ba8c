package catalogue

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Kind is the way in which an audit run chose its packages.
type Kind string

// The kinds of audit runs.
const (
	Full   Kind = "full"   // all packages
	Sample Kind = "sample" // a share of them
	Aged   Kind = "age"    // those that were not read for some time
	Named  Kind = "named"  // those that the caller named
)

// Complete is [Run].Ended of a run that read all the packages that it chose.
const Complete = "complete"

// Run is an audit run.
type Run struct {
	Run      string    `json:"run"`
	Kind     Kind      `json:"kind"`
	Share    float64   `json:"share,omitempty"`   // of the packages, for a sample
	Choice   string    `json:"-"`                 // JSON of the store
	Resumes  string    `json:"resumes,omitempty"` // the run that this one goes on with
	Began    time.Time `json:"began"`             // start of the first of the runs that go on with each other
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished"` // zero while it is under way
	Ended    string    `json:"ended"`    // Complete, or the reason for an early end; "" while it is under way
	Whole    bool      `json:"whole"`    // whether every copy of the repository was read
	Chosen   int64     `json:"chosen"`   // packages to read
	Done     int64     `json:"done"`     // packages read
	Place    string    `json:"-"`        // JSON of the store: the place to go on from
}

// Check is one reading of a package in one copy.
type Check struct {
	Package, Copy string
	At            time.Time
}

// PutChecks records the times at which packages were read, in one transaction. With a run, it also
// records its progress.
func (c *Catalogue) PutChecks(ctx context.Context, run *Run, checks []Check) error {
	if run == nil && len(checks) == 0 {
		return nil
	}
	err := c.inTx(ctx, func(tx *transaction) error {
		if run != nil {
			if err := putRun(ctx, tx, *run); err != nil {
				return err
			}
		}
		update, err := tx.PrepareContext(ctx,
			"UPDATE copies SET checked = CASE WHEN checked > ? THEN checked ELSE ? END WHERE package = ? AND name = ?")
		if err != nil {
			return err
		}
		defer func() { _ = update.Close() }() // every Exec is checked; the transaction decides
		// All processes take the rows in one order, so that none waits for the other in a circle.
		for _, k := range slices.SortedFunc(slices.Values(checks), inOrder) {
			if _, err := update.ExecContext(ctx, stamp(k.At), stamp(k.At), k.Package, k.Copy); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("catalogue: recording the results of an audit: %w", err)
	}
	return nil
}

func inOrder(a, b Check) int {
	return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Copy, b.Copy), a.At.Compare(b.At))
}

// EndRun records the end of an audit run, with a row for each copy.
func (c *Catalogue) EndRun(ctx context.Context, run Run, sums []Audit) error {
	err := c.inTx(ctx, func(tx *transaction) error {
		for _, a := range sums {
			if _, err := tx.ExecContext(ctx, `INSERT INTO audits
				(run, copy, scope, started, finished, objects, files, bytes, problems)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run, copy) DO UPDATE SET scope = excluded.scope,
				started = excluded.started, finished = excluded.finished, objects = excluded.objects,
				files = excluded.files, bytes = excluded.bytes, problems = excluded.problems`,
				a.Run, a.Copy, a.Scope, stamp(a.Started), stamp(a.Finished), a.Objects, a.Files, a.Bytes,
				a.Problems); err != nil {
				return err
			}
		}
		return putRun(ctx, tx, run)
	})
	if err != nil {
		return fmt.Errorf("catalogue: writing audit %s: %w", run.Run, err)
	}
	return nil
}

func putRun(ctx context.Context, tx *transaction, r Run) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO runs ("+runColumns+
		") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run) DO UPDATE SET kind = excluded.kind, "+
		"share = excluded.share, choice = excluded.choice, resumes = excluded.resumes, began = excluded.began, "+
		"started = excluded.started, finished = excluded.finished, ended = excluded.ended, whole = excluded.whole, "+
		"chosen = excluded.chosen, done = excluded.done, place = excluded.place",
		r.Run, string(r.Kind), r.Share, r.Choice, r.Resumes,
		stamp(r.Began), stamp(r.Started), stamp(r.Finished), r.Ended, r.Whole, r.Chosen, r.Done, r.Place)
	return err
}

const runColumns = "run, kind, share, choice, resumes, began, started, finished, ended, whole, chosen, done, place"

func scanRun(row scanner) (Run, error) {
	var r Run
	var began, started, finished string
	err := row.Scan(&r.Run, &r.Kind, &r.Share, &r.Choice, &r.Resumes, &began, &started, &finished, &r.Ended, &r.Whole,
		&r.Chosen, &r.Done, &r.Place)
	r.Began, r.Started, r.Finished = unstamp(began), unstamp(started), unstamp(finished)
	return r, err
}

// Runs returns the audit runs, the newest first. A schema that is older than this table has none.
func (c *Catalogue) Runs(ctx context.Context) ([]Run, error) {
	if !c.engine.content(ctx, false) {
		return nil, nil
	}
	runs, err := collect(ctx, c, scanRun, "SELECT "+runColumns+" FROM runs ORDER BY started DESC, run")
	if err != nil {
		return nil, fmt.Errorf("catalogue: reading the audit runs: %w", err)
	}
	return runs, nil
}

// Run returns one audit run, or an error that is [ErrNotFound].
func (c *Catalogue) Run(ctx context.Context, id string) (Run, error) {
	r, err := scanRun(c.row(ctx, "SELECT "+runColumns+" FROM runs WHERE run = ?", id))
	if errors.Is(err, sql.ErrNoRows) {
		return r, fmt.Errorf("audit run %s: %w", id, ErrNotFound)
	}
	if err != nil {
		return r, fmt.Errorf("catalogue: reading audit run %s: %w", id, err)
	}
	return r, nil
}

// Problems returns the number of problems that an audit run found, and the runs that it went on with.
func (c *Catalogue) Problems(ctx context.Context, run string) (n int64, err error) {
	err = c.row(ctx, `WITH RECURSIVE chain (run) AS (
			SELECT resumes FROM runs WHERE run = ? AND resumes <> ''
			UNION SELECT resumes FROM runs JOIN chain USING (run) WHERE resumes <> '')
		SELECT CAST(coalesce(sum(problems), 0) AS BIGINT) FROM audits
		WHERE run = ? OR run IN (SELECT run FROM chain)`, run, run).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("catalogue: reading the problems of audit run %s: %w", run, err)
	}
	return n, nil
}

// Ended returns the ids of the audit runs with their sums in the catalogue.
func (c *Catalogue) Ended(ctx context.Context) (map[string]bool, error) {
	ids, err := collect(ctx, c, func(row scanner) (id string, err error) { return id, row.Scan(&id) },
		"SELECT DISTINCT run FROM audits")
	if err != nil {
		return nil, fmt.Errorf("catalogue: reading the audits: %w", err)
	}
	known := make(map[string]bool, len(ids))
	for _, id := range ids {
		known[id] = true
	}
	return known, nil
}

// atMost returns the number of rows of a limit; a negative one is none.
func atMost(limit int) int64 {
	if limit < 0 {
		return math.MaxInt64
	}
	return int64(limit)
}

// Audits returns at most limit rows of ended audit runs, the newest first, with one row per run and
// copy.
func (c *Catalogue) Audits(ctx context.Context, limit int) ([]Audit, error) {
	as, err := collect(ctx, c, func(row scanner) (Audit, error) {
		var a Audit
		var started, finished string
		err := row.Scan(&a.Run, &a.Copy, &a.Scope, &started, &finished, &a.Objects, &a.Files, &a.Bytes, &a.Problems)
		a.Started, a.Finished = unstamp(started), unstamp(finished)
		return a, err
	}, `SELECT run, copy, scope, started, finished, objects, files, bytes, problems FROM audits
		ORDER BY started DESC, run, copy LIMIT ?`, atMost(limit))
	if err != nil {
		return nil, fmt.Errorf("catalogue: reading the audits: %w", err)
	}
	return as, nil
}

// Newest returns the time at which each copy of the packages was last read. The key of the result is
// [Check] without a time.
func (c *Catalogue) Newest(ctx context.Context, ids []string) (map[Check]time.Time, error) {
	args := make([]any, 0, len(ids))
	for _, id := range ids {
		args = append(args, id)
	}
	rows, err := collect(ctx, c, func(row scanner) (k Check, err error) {
		var at string
		err = row.Scan(&k.Package, &k.Copy, &at)
		k.At = unstamp(at)
		return k, err
	}, "SELECT package, name, checked FROM copies WHERE package IN (?"+strings.Repeat(", ?", max(len(ids)-1, 0))+")",
		args...)
	if err != nil {
		return nil, fmt.Errorf("catalogue: reading the copies: %w", err)
	}
	newest := make(map[Check]time.Time, len(rows))
	for _, k := range rows {
		newest[Check{Package: k.Package, Copy: k.Copy}] = k.At
	}
	return newest, nil
}
