package search

import (
	"context"
	"database/sql"
)

// Summary is the content of the index, for operators: without access control.
type Summary struct {
	Documents int64  `json:"documents"` // payloads
	Captures  int64  `json:"captures"`
	URLs      int64  `json:"urls"`
	Notes     []Note `json:"notes"` // the most frequent first
}

// Note is a reason for missing text, with its frequency.
type Note struct {
	Why       string `json:"why"`
	Documents int64  `json:"documents"`
}

// Summary returns the counts of the index's content.
func (s *Search) Summary(ctx context.Context) (sum Summary, err error) {
	sum.Notes = []Note{}
	err = s.lean(func(db *sql.DB) error { return sum.read(ctx, db) })
	return sum, err
}

func (sum *Summary) read(ctx context.Context, db *sql.DB) error {
	const most = 10
	err := db.QueryRowContext(ctx,
		`SELECT (SELECT count(*) FROM document), (SELECT count(*) FROM capture), (SELECT count(*) FROM url)`).
		Scan(&sum.Documents, &sum.Captures, &sum.URLs)
	if err != nil {
		return err
	}
	return each(ctx, db,
		`SELECT note, count(*) FROM document WHERE note <> '' GROUP BY note ORDER BY 2 DESC, 1 LIMIT ?`,
		func(rows *sql.Rows) error {
			var n Note
			err := rows.Scan(&n.Why, &n.Documents)
			sum.Notes = append(sum.Notes, n)
			return err
		}, most)
}
