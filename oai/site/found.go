package site

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
)

// found is the list of what one scan comes across, in the order in which it does, each once. It
// lies in a temporary table beside the index, so that memory does not grow with the site.
type found struct {
	mu      sync.Mutex
	conn    *sql.Conn
	n       int64 // in the list
	pending int   // not yet committed
	err     error
	tell    func(n int64)
}

// finding is one of them.
type finding struct {
	place    int64
	url      string
	evidence string // what says that it has not changed since it was last asked for; "" when nothing does
	other    string // a URL that is the resource's when url is none: the file's own, of the start page of a folder
	depth    int    // links from a seed; -1 when its own links are not followed
}

// newFound begins an empty list on a connection of its own.
func newFound(ctx context.Context, db *sql.DB) (*found, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	_, err = conn.ExecContext(ctx, `DROP TABLE IF EXISTS temp.found;
		CREATE TEMP TABLE found (place INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, evidence TEXT NOT NULL, other TEXT NOT NULL, depth INTEGER NOT NULL);`)
	if err != nil {
		_ = conn.Close() // the error in hand says more
		return nil, fmt.Errorf("the list of what is found: %w", err)
	}
	return &found{conn: conn, tell: func(int64) {}}, nil
}

// maxPending is after how many additions they are committed.
const maxPending = 2000

// add puts something into the list, unless it is there. The first error stays.
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

// flush commits what is pending.
func (f *found) flush(ctx context.Context) {
	if f.pending > 0 && f.err == nil {
		_, f.err = f.conn.ExecContext(ctx, "COMMIT")
	}
	f.pending = 0
}

// done commits what was added.
func (f *found) done(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.flush(ctx)
	f.tell(f.n)
	return f.err
}

// next gives some behind a place, each with what the index knows of it.
func (f *found) next(ctx context.Context, place int64, n int) (list []finding, known []*row, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	rows, err := f.conn.QueryContext(ctx,
		`SELECT place, f.url, f.evidence, other, depth, r.url IS NOT NULL, coalesce(deleted, 0), coalesce(mime, ''), modified,
		coalesce(etag, ''), coalesce(r.evidence, ''), coalesce(checked, 0)
		FROM temp.found f LEFT JOIN resource r ON r.url = f.url WHERE place > ? ORDER BY place LIMIT ?`, place, n)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = rows.Close() }() // the error of reading is that of Err
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

// missing gives some resources behind a URL that the index has, and the list has not.
func (f *found) missing(ctx context.Context, after string, n int) (urls []string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	rows, err := f.conn.QueryContext(ctx, `SELECT url FROM resource r WHERE url > ? AND deleted = 0
		AND NOT EXISTS (SELECT 1 FROM temp.found f WHERE f.url = r.url) ORDER BY url LIMIT ?`, after, n)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // the error of reading is that of Err
	for rows.Next() {
		var url string
		if err := rows.Scan(&url); err != nil {
			return nil, err
		}
		urls = append(urls, url)
	}
	return urls, rows.Err()
}

// close gives the connection back, and the list up. A transaction that an error left open is rolled
// back.
func (f *found) close() {
	ctx := context.Background() // also when the scan was stopped
	if f.pending > 0 {
		_, _ = f.conn.ExecContext(ctx, "ROLLBACK") // nothing in it is wanted
	}
	_, _ = f.conn.ExecContext(ctx, "DROP TABLE IF EXISTS temp.found") // the next list begins with that
	_ = f.conn.Close()
}
