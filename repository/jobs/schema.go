package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/riverqueue/river/rivermigrate"
)

// schemaVersion is the version of the tables, River's and ours together.
const schemaVersion = 3

// tables are ours, beside those of River. Times are milliseconds since 1970.
const tables = `
CREATE TABLE IF NOT EXISTS jobs_submissions ( -- files of the folder jobs
    id       TEXT PRIMARY KEY,
    lines    BIGINT NOT NULL,
    inserted BIGINT NOT NULL -- how many of the lines are jobs
);
CREATE TABLE IF NOT EXISTS jobs_workers ( -- leases
    id          TEXT PRIMARY KEY,
    host        TEXT NOT NULL,
    pid         BIGINT NOT NULL,
    queues      TEXT NOT NULL,
    concurrency BIGINT NOT NULL,
    started     BIGINT NOT NULL,
    until       BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS jobs_reports ( -- the newest run of each
    job         BIGINT NOT NULL PRIMARY KEY,
    phase       TEXT NOT NULL,
    done        BIGINT NOT NULL,
    total       BIGINT NOT NULL,
    exit_status BIGINT, -- NULL while it runs, and after a kill
    output      TEXT NOT NULL,
    messages    TEXT NOT NULL,
    at          BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS jobs_periodic (name TEXT PRIMARY KEY, next BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS jobs_arrivals (path TEXT PRIMARY KEY, state TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS jobs_followers ( -- see Ended
    follower TEXT PRIMARY KEY,
    began    BIGINT NOT NULL,
    seen     BIGINT NOT NULL -- all jobs that ended before
);
CREATE TABLE IF NOT EXISTS jobs_told ( -- jobs that a follower got
    follower TEXT NOT NULL,
    job      BIGINT NOT NULL,
    ended    BIGINT NOT NULL,
    PRIMARY KEY (follower, job)
);
CREATE TABLE IF NOT EXISTS jobs_schema (version BIGINT NOT NULL);
`

// migrate makes the tables that are missing. Processes do so one after another.
func (q *Queue) migrate(ctx context.Context) error {
	done, err := q.version(ctx)
	if err == nil && done < schemaVersion {
		err = q.alone(ctx, q.makeTables)
	}
	if err != nil {
		return fmt.Errorf("the tables of the queue: %w", err)
	}
	if done > schemaVersion {
		return fmt.Errorf("the tables of the queue have version %d, newer than this program reads (%d); "+
			"use a newer quire", done, schemaVersion)
	}
	return nil
}

// version returns the version of the tables, 0 for none.
func (q *Queue) version(ctx context.Context) (n int, err error) {
	there := "SELECT count(*) FROM sqlite_schema WHERE name = 'jobs_schema'"
	if q.place.Database != nil {
		there = "SELECT CASE WHEN to_regclass('jobs_schema') IS NULL THEN 0 ELSE 1 END"
	}
	if err := q.db.QueryRowContext(ctx, there).Scan(&n); err != nil || n == 0 {
		return 0, err
	}
	return n, q.db.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM jobs_schema").Scan(&n)
}

func (q *Queue) makeTables(ctx context.Context) error {
	if done, err := q.version(ctx); err != nil || done >= schemaVersion {
		return err // another process made them meanwhile
	}
	// SQLite adds a column without asking whether it is there.
	columns := "ALTER TABLE jobs_arrivals ADD COLUMN job BIGINT;\nALTER TABLE jobs_arrivals ADD COLUMN gone BIGINT;\n"
	if err := q.row(ctx, "SELECT job FROM jobs_arrivals WHERE path IS NULL").Scan(new(sql.NullInt64)); errors.Is(err,
		sql.ErrNoRows) {
		columns = ""
	}
	m, err := rivermigrate.New(q.driver, &rivermigrate.Config{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		return err
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return err
	}
	return q.inTx(ctx, func(tx *sql.Tx) error {
		ours := tables + columns + "CREATE INDEX IF NOT EXISTS jobs_of_submission ON river_job ((" +
			q.dialect.submission + "));\nCREATE TABLE IF NOT EXISTS jobs_counts (queue TEXT NOT NULL, " +
			"state TEXT NOT NULL, n BIGINT NOT NULL" + q.dialect.counts + ");\n" + q.dialect.keepsCounts() +
			fmt.Sprintf("INSERT INTO jobs_schema (version) VALUES (%d);", schemaVersion)
		for statement := range strings.SplitSeq(ours, ";\n") {
			if _, err := tx.ExecContext(ctx, statement); err != nil && strings.TrimSpace(statement) != "" {
				return err
			}
		}
		return nil
	})
}

// inTx runs f in one transaction: everything is committed, or nothing.
func (q *Queue) inTx(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := q.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, rolledBack(tx))
	}
	return tx.Commit()
}

func rolledBack(tx *sql.Tx) error {
	if err := tx.Rollback(); !errors.Is(err, sql.ErrTxDone) {
		return err
	}
	return nil
}
