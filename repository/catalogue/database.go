package catalogue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"quire/internal/postgres"
)

// ErrNoSchema reports a database, which answers, without the schema of a catalogue.
var ErrNoSchema = errors.New("the database has no catalogue of this repository")

// ErrMayNotWrite reports that the account of the database may not write to the catalogue.
var ErrMayNotWrite = errors.New("the account may not write to the catalogue")

// inDatabase is a catalogue in a schema of PostgreSQL.
type inDatabase struct {
	db    *sql.DB
	place postgres.Place
	slot  int // see ending

	lines atomic.Bool // the schema is known to have lines of records
}

// OpenDatabase opens the catalogue in a schema of PostgreSQL, and migrates it to the current version. It
// returns an error that is [ErrNoSchema] for a schema that does not exist.
func OpenDatabase(ctx context.Context, p postgres.Place, m Mode) (*Catalogue, error) {
	c, err := connected(p, m == ReadOnly)
	if err != nil {
		return nil, err
	}
	if m != ForWriting {
		c.patience, c.forEvents = 0, patience
	}
	e := &inDatabase{db: c.db, place: p}
	behind, err := e.behind(ctx)
	if err == nil && m != ReadOnly {
		err = e.writable(ctx)
	}
	if err != nil || !behind || m != ForWriting {
		return c.checked(err)
	}
	return c.checked(e.migrate(ctx))
}

// CreateDatabase makes a schema with an empty catalogue, in the place of an earlier one.
func CreateDatabase(ctx context.Context, p postgres.Place) (*Catalogue, error) {
	c, err := connected(p, false)
	if err != nil {
		return nil, err
	}
	err = postgres.Drop(ctx, c.db, p.Schema)
	if err == nil {
		err = postgres.Create(ctx, c.db, p.Schema)
	}
	if err == nil {
		err = c.engine.migrate(ctx)
	}
	return c.checked(err)
}

// DropDatabase removes the schema of a catalogue. A missing one is not an error.
func DropDatabase(ctx context.Context, p postgres.Place) error {
	db, err := postgres.Open(p, application, false)
	if err != nil {
		return err
	}
	return errors.Join(postgres.Drop(ctx, db, p.Schema), db.Close())
}

// ReplaceDatabase puts the catalogue in the schema made in the place of that in p, at once for all processes.
func ReplaceDatabase(ctx context.Context, p postgres.Place, made string) error {
	db, err := postgres.Open(p, application, false)
	if err != nil {
		return err
	}
	return errors.Join(postgres.Replace(ctx, db, p.Schema, made), db.Close())
}

// Mode is the way in which a catalogue is opened.
type Mode int

// The modes.
const (
	ForWriting Mode = iota // see [Open]
	ForReading             // see [OpenForReading]
	ReadOnly               // see [OpenReadOnly]
)

// application names the sessions of Quire in the database.
const application = "quire"

func connected(p postgres.Place, readOnly bool) (*Catalogue, error) {
	db, err := postgres.Open(p, application, readOnly)
	if err != nil {
		return nil, err
	}
	const slots = 64
	return &Catalogue{db: db, path: p.String(), patience: patience,
		engine: &inDatabase{db: db, place: p, slot: rand.IntN(slots)}}, nil //nolint:gosec // only spreads
}

// steps returns the migrations of goose, with their state in the schema.
func (e *inDatabase) steps() (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations/postgres")
	if err != nil {
		return nil, err
	}
	store, err := database.NewStore(goose.DialectPostgres, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider("", e.db, files, goose.WithStore(store), goose.WithDisableGlobalRegistry(true))
}

// readable also reports a schema that is missing.
func (e *inDatabase) readable(ctx context.Context) error {
	_, err := e.behind(ctx)
	return err
}

// writable returns [ErrMayNotWrite] for an account that may only read.
func (e *inDatabase) writable(ctx context.Context) error {
	var may bool
	err := e.db.QueryRowContext(ctx, "SELECT has_table_privilege($1, 'INSERT') AND has_table_privilege($1, 'DELETE')",
		e.place.Schema+".packages").Scan(&may)
	if err != nil {
		return fmt.Errorf("catalogue: %w", err)
	}
	if !may {
		return ErrMayNotWrite
	}
	return nil
}

// behind reports whether migrations are missing. It returns an error for a schema that is missing, or newer than
// this program.
func (e *inDatabase) behind(ctx context.Context) (bool, error) {
	var there bool
	err := e.db.QueryRowContext(ctx, "SELECT to_regclass($1) IS NOT NULL", e.place.Schema+".migrations").Scan(&there)
	if err != nil {
		return false, fmt.Errorf("catalogue: %w", err)
	}
	if !there {
		return false, fmt.Errorf("catalogue: %w", ErrNoSchema)
	}
	var done int
	err = e.db.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM migrations WHERE is_applied").Scan(&done)
	if err != nil {
		return false, fmt.Errorf("catalogue: reading the schema version: %w", err)
	}
	files, err := migrations.ReadDir("migrations/postgres")
	if err != nil {
		return false, fmt.Errorf("catalogue: reading the embedded migrations: %w", err)
	}
	return done < len(files), tooNew(done, len(files)) // numbered from 1
}

// migrate applies the migrations that are missing. A lock of the session makes processes wait for each other.
func (e *inDatabase) migrate(ctx context.Context) error {
	defer migrating(ctx)()
	conn, err := e.db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("catalogue: %w", err)
	}
	defer func() { _ = conn.Close() }() // goes back to the pool
	const turn = "hashtextextended(current_schema() || ' migration', 0)"
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock("+turn+")"); err != nil {
		return fmt.Errorf("catalogue: waiting for a migration: %w", err)
	}
	p, err := e.steps()
	if err == nil {
		_, err = p.Up(ctx)
	}
	_, free := conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock("+turn+")")
	if err = errors.Join(err, free); err != nil {
		return fmt.Errorf("catalogue: migration: %w", err)
	}
	return nil
}

// content is true: the first schema has the tables.
func (e *inDatabase) content(context.Context, bool) bool { return true }

// copying asks once: no schema loses the column again.
func (e *inDatabase) copying(ctx context.Context, _ bool) bool {
	if !e.lines.Load() {
		var has bool
		err := e.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM information_schema.columns WHERE "+
			"table_schema = current_schema() AND table_name = 'events' AND column_name = 'run')").Scan(&has)
		e.lines.Store(err == nil && has) // the query that follows fails, too
	}
	return e.lines.Load()
}

func (e *inDatabase) changes(ctx context.Context) (n int64, err error) {
	return n, e.db.QueryRowContext(ctx, "SELECT coalesce(sum(number), 0)::bigint FROM changes").Scan(&n)
}

func (e *inDatabase) patience(context.Context, *sql.Conn, time.Duration) error { return nil }

func (e *inDatabase) begun(ctx context.Context, tx *sql.Tx, d time.Duration) error {
	// The end of another transaction may take a moment, and 0 waits for ever.
	const least = 100 * time.Millisecond
	_, err := tx.ExecContext(ctx, fmt.Sprintf("SET LOCAL lock_timeout = %d", max(d, least).Milliseconds()))
	return err
}

// ending counts the change, so that it is seen by changes exactly when the transaction is. Each process counts
// in one of some rows, at the end: two processes seldom wait for each other, and only for an end.
func (e *inDatabase) ending(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO changes (slot, number) VALUES ($1, 1) "+
		"ON CONFLICT (slot) DO UPDATE SET number = changes.number + 1", e.slot)
	return err
}

// erase makes the room of removed rows free. Their bytes remain in files and logs of the database until it
// writes over them.
func (e *inDatabase) erase(ctx context.Context) error {
	_, err := e.db.ExecContext(ctx,
		"VACUUM packages, versions, content, copies, events, lines, counted, numbers, sums, members")
	return err
}

func (e *inDatabase) busy(err error, waited time.Duration) error {
	if !postgres.Busy(err) {
		return err
	}
	return &BusyError{Path: e.place.String(), Waited: waited}
}

func (e *inDatabase) repeatable(err error) bool { return postgres.Repeatable(err) }

func (e *inDatabase) statement(text string) string { return postgres.Numbered(text) }

func (e *inDatabase) values(all []any) []any { return postgres.Clean(all) }

func (e *inDatabase) digest(hex string) any { return hex }

func (e *inDatabase) counting(ctx context.Context, tx *transaction, members bool) error {
	lock := "pg_advisory_xact_lock_shared"
	if members {
		lock = "pg_advisory_xact_lock"
	}
	_, err := tx.ExecContext(ctx, "SELECT "+lock+"(hashtextextended(current_schema() || ' numbers', 0))")
	return err
}

func (e *inDatabase) locked() string { return " FOR UPDATE" }

func (e *inDatabase) numbers(ctx context.Context) (there bool) {
	err := e.db.QueryRowContext(ctx, "SELECT to_regclass($1) IS NOT NULL", e.place.Schema+".numbers").Scan(&there)
	return err == nil && there
}

// copied is the least number of rows for which COPY is faster than single statements.
const copied = 8

func (e *inDatabase) insert(ctx context.Context, tx *transaction, table string, columns []string, rows [][]any) error {
	clean := make([][]any, 0, len(rows))
	for _, row := range rows {
		clean = append(clean, e.values(row))
	}
	if len(rows) < copied {
		return insertEach(ctx, tx, table, columns, clean)
	}
	return postgres.CopyIn(ctx, tx.conn, table, columns, clean)
}

func (e *inDatabase) close() error { return nil }
