package site

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
)

// found is the list of resources found by one scan, in order and without repetition. The list is in
// a temporary table next to the index, so its memory does not grow with the site.
type found struct {
	mu      sync.Mutex
	conn    *sql.Conn
	n       int64 // in the list
	pending int   // not yet committed
	err     error
	tell    func(n int64)
}

// finding is a resource in the list.
type finding struct {
	place    int64
	url      string
	evidence string // a value that is equal if it has not changed since the last request; may be ""
	other    string // alternative URL if url is invalid: the file's own URL, for a folder's start page
	depth    int    // links from a seed; -1 if its links are not followed
}

// newFound creates an empty list on its own connection.
func newFound(ctx context.Context, db *sql.DB) (*found, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	_, err = conn.ExecContext(ctx, `DROP TABLE IF EXISTS temp.found;
		CREATE TEMP TABLE found (place INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, evidence TEXT NOT NULL, `+
		`other TEXT NOT NULL, depth INTEGER NOT NULL);`)
	if err != nil {
		_ = conn.Close() // the first error has more information
		return nil, fmt.Errorf("creating the list of found resources: %w", err)
	}
	return &found{conn: conn, tell: func(int64) {}}, nil
}

// maxPending is the number of additions between commits.
const maxPending = 2000

// add adds a resource, unless it is in the list. The first error is permanent.
func (f *found) add(ctx context.Context, it finding) (added bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return false, f.err
	}
	if f.pending == 0 {
		if _, f.err = f.conn.ExecContext(ctx, "BEGIN"); f.err != nil {
			return false, f.err
		}
	}
	f.pending++
	var r sql.Result
	r, f.err = f.conn.ExecContext(ctx,
		"INSERT OR IGNORE INTO temp.found (url, evidence, other, depth) VALUES (?, ?, ?, ?)", it.url, it.evidence,
		it.other, it.depth)
	if f.err != nil {
		return false, f.err
	}
	n, err := r.RowsAffected()
	if err != nil {
		return false, err
	}
	f.n += n
	if f.pending >= maxPending {
		f.flush(ctx)
		f.tell(f.n)
	}
	return n > 0, f.err
}

// flush commits pending additions.
func (f *found) flush(ctx context.Context) {
	if f.pending > 0 && f.err == nil {
		_, f.err = f.conn.ExecContext(ctx, "COMMIT")
	}
	f.pending = 0
}

// done commits the additions.
func (f *found) done(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.flush(ctx)
	f.tell(f.n)
	return f.err
}

// next returns some resources after a position, each with its row in the index.
func (f *found) next(ctx context.Context, place int64, n int) (list []finding, known []*row, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	rows, err := f.conn.QueryContext(ctx,
		`SELECT place, f.url, f.evidence, other, depth, r.url IS NOT NULL, coalesce(deleted, 0), `+
			`coalesce(mime, ''), modified,
		coalesce(etag, ''), coalesce(r.evidence, ''), coalesce(checked, 0)
		FROM temp.found f LEFT JOIN resource r ON r.url = f.url WHERE place > ? ORDER BY place LIMIT ?`, place, n)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = rows.Close() }() // Err returns the reading error
	for rows.Next() {
		var it finding
		var r row
		var there bool
		if err := rows.Scan(&it.place, &it.url, &it.evidence, &it.other, &it.depth, &there, &r.deleted, &r.mime,
			&r.modified, &r.etag, &r.evidence, &r.checked); err != nil {
			return nil, nil, err
		}
		list = append(list, it)
		if there {
			known = append(known, &r)
		} else {
			known = append(known, nil)
		}
	}
	return list, known, rows.Err()
}

// missing returns some resources after a URL that are in the index but not in the list.
func (f *found) missing(ctx context.Context, after string, n int) (urls []string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	rows, err := f.conn.QueryContext(ctx, `SELECT url FROM resource r WHERE url > ? AND deleted = 0
		AND NOT EXISTS (SELECT 1 FROM temp.found f WHERE f.url = r.url) ORDER BY url LIMIT ?`, after, n)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err returns the reading error
	for rows.Next() {
		var url string
		if err := rows.Scan(&url); err != nil {
			return nil, err
		}
		urls = append(urls, url)
	}
	return urls, rows.Err()
}

// close releases the connection and deletes the list. It rolls back a transaction left open by an
// error.
func (f *found) close() {
	ctx := context.Background() // also after a cancelled scan
	if f.pending > 0 {
		_, _ = f.conn.ExecContext(ctx, "ROLLBACK") // discard its content
	}
	_, _ = f.conn.ExecContext(ctx, "DROP TABLE IF EXISTS temp.found") // the next list also drops it
	_ = f.conn.Close()
}
