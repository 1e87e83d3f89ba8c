// Package postgres opens schemas of PostgreSQL databases in the same way for all of Quire, and holds locks
// that end with their process.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// Place is a schema of a database.
type Place struct {
	Address string // postgres://[USER@]HOST[:PORT]/DATABASE[?OPTION=VALUE…]
	Schema  string
}

// String returns the address, which has no password, and the schema.
func (p Place) String() string { return p.Address + " (schema " + p.Schema + ")" }

// IsAddress reports whether a text is the address of a database.
func IsAddress(text string) bool {
	scheme, _, ok := strings.Cut(text, "://")
	return ok && (scheme == "postgres" || scheme == "postgresql")
}

// CheckForm returns an error for a text that is not the address of a database, or that has a password: addresses are
// stored and printed. It reads no file, so it answers the same on each machine.
func CheckForm(address string) error {
	if !IsAddress(address) {
		// The text may have a password, so it is not printed.
		return errors.New("this is not the address of a database: postgres://USER@HOST/DATABASE")
	}
	u, err := url.Parse(address)
	if err != nil {
		return errors.New("the address of the database is not a URL: postgres://USER@HOST/DATABASE")
	}
	_, secret := u.User.Password()
	if secret || u.Query().Has("password") || u.Query().Has("sslpassword") {
		return errors.New("the address of the database has a password: give it by PGPASSWORD, or in ~/.pgpass")
	}
	return nil
}

// Check is CheckForm, and also returns an error for an address that cannot be used on this machine: it reads the
// certificates and service files that the address names.
func Check(address string) error {
	if err := CheckForm(address); err != nil {
		return err
	}
	if _, err := pgx.ParseConfig(address); err != nil {
		return fmt.Errorf("the address of the database: %w", err)
	}
	return nil
}

// config returns the settings of connections to a place. Times are UTC, and texts are compared by their bytes,
// because the tables say so.
func (p Place) config(name string, readOnly bool) (*pgx.ConnConfig, error) {
	if err := Check(p.Address); err != nil {
		return nil, err
	}
	c, err := pgx.ParseConfig(p.Address)
	if err != nil {
		return nil, fmt.Errorf("the address of the database: %w", err)
	}
	c.RuntimeParams["search_path"] = pgx.Identifier{p.Schema}.Sanitize()
	c.RuntimeParams["application_name"] = name
	c.RuntimeParams["timezone"] = "UTC"
	c.RuntimeParams["tcp_user_timeout"] = "30000" // milliseconds; the server gives up a machine that is gone
	// An account may have other defaults.
	c.RuntimeParams["synchronous_commit"] = "on"
	c.RuntimeParams["default_transaction_isolation"] = "read committed"
	if readOnly {
		c.RuntimeParams["default_transaction_read_only"] = "on"
		return c, nil
	}
	c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite // a standby has locks of its own
	return c, nil
}

// connections is the maximum number of connections of one process, without that of its locks. A server takes
// some hundred in all.
const connections = 8

// Open returns the database of a place. It connects with the first query.
func Open(p Place, name string, readOnly bool) (*sql.DB, error) {
	c, err := p.config(name, readOnly)
	if err != nil {
		return nil, err
	}
	db := stdlib.OpenDB(*c)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	db.SetConnMaxIdleTime(time.Minute)
	return db, nil
}

// Create makes the schema, if it is missing.
func Create(ctx context.Context, db *sql.DB, schema string) error {
	_, err := db.ExecContext(ctx, "CREATE SCHEMA IF NOT EXISTS "+pgx.Identifier{schema}.Sanitize())
	return err
}

// Drop removes a schema with all its tables, if it is there.
func Drop(ctx context.Context, db *sql.DB, schema string) error {
	_, err := db.ExecContext(ctx, "DROP SCHEMA IF EXISTS "+pgx.Identifier{schema}.Sanitize()+" CASCADE")
	return err
}

// Replace puts one schema in the place of another one, which is removed, in one transaction.
func Replace(ctx context.Context, db *sql.DB, old, by string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, statement := range []string{
		"DROP SCHEMA IF EXISTS " + pgx.Identifier{old}.Sanitize() + " CASCADE",
		"ALTER SCHEMA " + pgx.Identifier{by}.Sanitize() + " RENAME TO " + pgx.Identifier{old}.Sanitize(),
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			_ = tx.Rollback() // the first error is more useful
			return err
		}
	}
	return tx.Commit()
}

// Numbered returns a statement with $1, $2, … in the place of each question mark. No text in the statement may
// have one.
func Numbered(statement string) string {
	if !strings.Contains(statement, "?") {
		return statement
	}
	var b strings.Builder
	b.Grow(len(statement) + 16)
	n := 0
	for i := range len(statement) {
		if statement[i] != '?' {
			b.WriteByte(statement[i])
			continue
		}
		n++
		fmt.Fprintf(&b, "$%d", n)
	}
	return b.String()
}

// Clean returns values in which each text can be stored: PostgreSQL takes neither NUL nor bytes that are not
// UTF-8. U+FFFD takes their place.
func Clean(values []any) []any {
	var out []any
	for i, v := range values {
		text, ok := v.(string)
		if !ok || utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
			continue
		}
		if out == nil {
			out = slices.Clone(values)
		}
		out[i] = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
	}
	if out == nil {
		return values
	}
	return out
}

// Codes of errors (PostgreSQL, appendix A).
const (
	insufficientPrivilege = "42501"
	readOnlyTransaction   = "25006"
	lockNotAvailable      = "55P03"
	deadlockDetected      = "40P01"
	serializationFailure  = "40001"
)

func code(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Busy reports whether an error means that another session holds a lock for longer than this one waited.
func Busy(err error) bool { return code(err) == lockNotAvailable }

// Repeatable reports whether an error means that the transaction met another one, and can be repeated.
func Repeatable(err error) bool {
	return code(err) == deadlockDetected || code(err) == serializationFailure
}

// Denied reports whether an error means that this account may not do this.
func Denied(err error) bool {
	return code(err) == insufficientPrivilege || code(err) == readOnlyTransaction
}

// Unreachable reports whether an error means that no connection to the server could be made.
func Unreachable(err error) bool {
	var e *pgconn.ConnectError
	return errors.As(err, &e)
}

// Refuses reports whether the server takes no connection or work now: it starts, stops, has no room, or refuses this
// account (classes 08, 28, 53 and 57 of SQLSTATE).
func Refuses(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && len(e.Code) == 5 && slices.Contains([]string{"08", "28", "53", "57"}, e.Code[:2])
}

// Failed reports whether an error is one of the server, or of the connection to it.
func Failed(err error) bool {
	var e *pgconn.PgError
	return Unreachable(err) || errors.As(err, &e)
}

// CopyIn writes rows into a table with the COPY protocol, on a connection with an open transaction.
func CopyIn(ctx context.Context, conn *sql.Conn, table string, columns []string, rows [][]any) error {
	return conn.Raw(func(driver any) error {
		c, ok := driver.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("%T is no connection to PostgreSQL", driver)
		}
		_, err := c.Conn().CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromRows(rows))
		return err
	})
}
