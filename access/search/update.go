package search

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/sqlite"
)

// Progress tells how far an update has come.
type Progress struct {
	Package   string // that is read now; "" when all are
	Packages  int    // still to be read, this one too
	Captures  int64  // of it that were looked at
	Documents int64  // that were read in this update
}

// Update brings the index up to date with holdings: what came is read, what is gone is forgotten.
// It can be stopped at any time, and goes on at the next call with the package at which it was.
// What cannot be read is noted, and does not stop it.
func (s *Search) Update(ctx context.Context) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	todo, err := s.todo(ctx)
	if err != nil {
		return err
	}
	defer s.tell("")
	u := &update{s: s}
	for i, p := range todo {
		u.at = Progress{Package: p.name, Packages: len(todo) - i, Documents: u.at.Documents}
		s.tell(fmt.Sprintf("%d of the packages are still being read", len(todo)-i))
		if err := u.take(ctx, p); err != nil {
			return fmt.Errorf("indexing the text of package %s: %w", p.name, err)
		}
	}
	if s.options.Progress != nil {
		s.options.Progress(Progress{Documents: u.at.Documents})
	}
	err = u.again(ctx)
	s.mu.Lock()
	s.readAt = time.Time{} // all is there: the next question reads it, however lately the last did
	s.mu.Unlock()
	return err
}

// Run keeps the index up to date until the context ends: whenever woken says that something
// changed, and now and then.
func (s *Search) Run(ctx context.Context, woken <-chan struct{}) {
	const lookAfter = time.Minute
	for {
		// who writes it then brings it up to date
		if err := s.Update(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, ErrBusy) {
			s.problem(err)
		}
		timer := time.NewTimer(lookAfter)
		select {
		case <-ctx.Done():
		case <-woken:
		case <-timer.C:
		}
		timer.Stop()
		if ctx.Err() != nil {
			return
		}
	}
}

// Missing counts the packages that are not in the index yet, or not as they are now.
func (s *Search) Missing(ctx context.Context) (int, error) {
	todo, err := s.todo(ctx)
	return len(todo), err
}

// Clear forgets everything: the next update makes the index anew.
func (s *Search) Clear(ctx context.Context) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	err = sqlite.InTx(ctx, s.db, func(tx *sql.Tx) error {
		for _, table := range []string{"capture", "document", "url", "package", "words"} {
			statement := `DELETE FROM ` + table
			if table == "words" {
				statement = `INSERT INTO words (words) VALUES ('delete-all')`
			}
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return changed(ctx, tx)
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reread(ctx)
}

func (s *Search) tell(indexing string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.indexing = indexing
}

// changed says in the database that it is not as it was.
func changed(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `UPDATE meta SET value = value + 1 WHERE name = 'changes'`)
	return err
}

// work is a package that is to be read, or forgotten.
type work struct {
	name, state string // state is "" when it is gone
}

// todo compares the packages of the index with those of holdings.
func (s *Search) todo(ctx context.Context) (todo []work, err error) {
	there, err := s.house.Indexed(ctx)
	if err != nil {
		return nil, err
	}
	have := map[string]string{}
	err = each(ctx, s.db, `SELECT name, state FROM package`, func(rows *sql.Rows) error {
		var name, state string
		err := rows.Scan(&name, &state)
		have[name] = state
		return err
	})
	for name := range have {
		if _, ok := there[name]; !ok {
			todo = append(todo, work{name: name})
		}
	}
	for name, state := range there {
		if state != "" && have[name] != state {
			todo = append(todo, work{name, state})
		}
	}
	return todo, err
}

// update is one going through of packages.
type update struct {
	s  *Search
	at Progress
}

// take reads a package, or forgets it. Its captures of an earlier reading stay until all of it is
// read.
func (u *update) take(ctx context.Context, p work) error {
	var id, pass int64
	err := sqlite.InTx(ctx, u.s.db, func(tx *sql.Tx) error {
		_,
			err := tx.ExecContext(ctx,
			`INSERT INTO package (name, state, pass) VALUES (?, '', 1) ON CONFLICT (name) DO UPDATE SET state = '', `+
				`pass = pass + 1`, p.name)
		if err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `SELECT id, pass FROM package WHERE name = ?`, p.name).Scan(&id, &pass)
	})
	if err != nil {
		return err
	}
	if p.state != "" {
		if err := u.read(ctx, p.name, id, pass); err != nil {
			return err
		}
	}
	if err := u.forget(ctx, id, pass); err != nil {
		return err
	}
	return sqlite.InTx(ctx, u.s.db, func(tx *sql.Tx) error {
		if p.state == "" {
			_, err := tx.ExecContext(ctx, `DELETE FROM package WHERE id = ?`, id)
			return errors.Join(err, changed(ctx, tx))
		}
		_, err := tx.ExecContext(ctx, `UPDATE package SET state = ? WHERE id = ?`, p.state, id)
		return errors.Join(err, changed(ctx, tx))
	})
}

// read reads the captures of a package, some at a time.
func (u *update) read(ctx context.Context, name string, id, pass int64) error {
	const some = 256
	b := &batch{s: u.s, pkg: id, pass: pass}
	flush := func() error {
		n, err := b.write(ctx)
		u.at.Documents += n
		if u.s.options.Progress != nil {
			u.s.options.Progress(u.at)
		}
		b.captures = b.captures[:0]
		return err
	}
	for c, err := range u.s.house.Captures(ctx, holdings.Reader{Class: holdings.Staff},
		captures.Query{Packages: []string{name}}) {
		if err != nil {
			return err
		}
		u.at.Captures++
		if !indexable(c) {
			continue
		}
		if b.captures = append(b.captures, kept(c.Capture)); len(b.captures) == some {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// kept is a copy: the index may use what it gives again for the next.
func kept(c *captures.Capture) *captures.Capture {
	out := *c
	if c.Payload != nil {
		payload := *c.Payload
		out.Payload = &payload
	}
	return &out
}

// forget removes what a package had before, and has no more: captures, and the documents and URLs
// that were theirs alone.
func (u *update) forget(ctx context.Context, pkg, pass int64) error {
	const some = 1000
	for {
		var gone []oldCapture
		err := each(ctx, u.s.db, `SELECT url, time, document FROM capture WHERE package = ? AND pass < ? LIMIT ?`,
			func(rows *sql.Rows) error {
				var c oldCapture
				err := rows.Scan(&c.url, &c.time, &c.document)
				gone = append(gone, c)
				return err
			}, pkg, pass, some)
		if err != nil || len(gone) == 0 {
			return err
		}
		if err := sqlite.InTx(ctx, u.s.db, func(tx *sql.Tx) error { return forget(ctx, tx, pkg, gone) }); err != nil {
			return err
		}
	}
}

type oldCapture struct{ url, time, document int64 }

func forget(ctx context.Context, tx *sql.Tx, pkg int64, gone []oldCapture) error {
	for _, c := range gone {
		for _, step := range []struct {
			statement string
			values    []any
		}{
			{`DELETE FROM capture WHERE url = ? AND time = ? AND package = ? AND document = ?`,
				[]any{c.url, c.time, pkg, c.document}},
			{`DELETE FROM words WHERE rowid = ?1 AND NOT EXISTS (SELECT 1 FROM capture WHERE document = ?1)`,
				[]any{c.document}},
			{`DELETE FROM document WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM capture WHERE document = ?1)`,
				[]any{c.document}},
			{`DELETE FROM url WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM capture WHERE url = ?1)`, []any{c.url}},
		} {
			if _, err := tx.ExecContext(ctx, step.statement, step.values...); err != nil {
				return err
			}
		}
	}
	return changed(ctx, tx)
}
