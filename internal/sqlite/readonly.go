package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
)

// OpenReadOnly opens a database file for reading. It writes neither to the file nor to its folder.
// In this mode SQLite does not notice changes by other processes. A long-running caller must
// compare [State] and call [Renew] after a change.
func OpenReadOnly(path string, o Options) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	registered, err := sql.Open("sqlite", "")
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(&readOnly{path, o, registered.Driver()}), registered.Close()
}

// readOnly opens the connections of a read-only database.
type readOnly struct {
	path    string
	options Options
	driver  driver.Driver
}

// Driver implements [driver.Connector].
func (r *readOnly) Driver() driver.Driver { return r.driver }

// Connect implements [driver.Connector]. While a writer has the file open, the write-ahead log is
// next to the file, and SQLite reads it too. If there is no log, SQLite would create one, unless it
// is configured to assume that the file does not change (https://sqlite.org/wal.html#readonly).
func (r *readOnly) Connect(context.Context) (driver.Conn, error) {
	q := url.Values{"mode": {"ro"}}
	if _, err := os.Stat(r.path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		q.Set("immutable", "1")
	}
	return r.driver.Open(name(r.path, q, r.options))
}

// State returns a value that changes when the database is written to. It depends on the times and
// sizes of the files.
func State(path string) (string, error) {
	var state string
	for _, end := range []string{"", "-wal"} {
		info, err := os.Stat(path + end)
		if errors.Is(err, fs.ErrNotExist) && end != "" {
			continue
		}
		if err != nil {
			return "", err
		}
		state += fmt.Sprint(end, " ", info.ModTime().UnixNano(), " ", info.Size(), " ")
	}
	return state, nil
}

// Renew makes later queries use new connections.
func Renew(db *sql.DB) {
	db.SetMaxIdleConns(0)
	db.SetMaxIdleConns(idle)
}

// idle is the default number of idle connections in database/sql.
const idle = 2
