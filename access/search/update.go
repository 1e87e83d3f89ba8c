package search

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/humanize"
	"quire/internal/sqlite"
)

// Progress is the state of an update.
type Progress struct {
	Package   string // being read; "" at the end
	Packages  int    // left to read, including this one
	Captures  int64  // captures of it processed
	Documents int64  // documents read in this update
}

// Update updates the index from holdings: it reads new packages, and removes old packages. It can
// be interrupted at any time; the next call continues with the same package. It records unreadable
// content and continues.
func (s *Search) Update(ctx context.Context) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.addIndexes(ctx); err != nil {
		return err
	}
	todo, err := s.todo(ctx)
	if err != nil {
		return err
	}
	defer s.setIndexing("")
	u := &update{s: s}
	for i, p := range todo {
		u.at = Progress{Package: p.name, Packages: len(todo) - i, Documents: u.at.Documents}
		s.setIndexing(fmt.Sprintf("%d of the packages are still being read", len(todo)-i))
		if err := u.take(ctx, p); err != nil {
			return fmt.Errorf("indexing the text of package %s: %w", p.name, err)
		}
	}
	if s.options.Progress != nil {
		s.options.Progress(Progress{Documents: u.at.Documents})
	}
	err = u.again(ctx)
	s.mu.Lock()
	s.readAt = time.Time{} // complete: the next query must read the table, however recent the last read
	s.mu.Unlock()
	if err != nil || len(todo) == 0 {
		return err
	}
	s.saveTable(ctx)
	return nil
}

// saveTable saves the table of the updated database for the next start. It only reports errors: the
// index is complete without that file.
func (s *Search) saveTable(ctx context.Context) {
	begin := time.Now()
	var t *table
	err := s.lean(func(db *sql.DB) (err error) {
		t, err = readTable(ctx, db)
		return err
	})
	if err != nil {
		s.problem(err)
		return
	}
	t = s.savedAs(ctx, t)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.table, s.readAt, s.took = t, time.Now(), time.Since(begin)
}

// Run keeps the index up to date until the context ends: after each signal on woken, and
// periodically.
func (s *Search) Run(ctx context.Context, woken <-chan struct{}) { s.run(ctx, woken, s.Update) }

func (s *source) run(ctx context.Context, woken <-chan struct{}, update func(context.Context) error) {
	const lookAfter = time.Minute
	for {
		// on ErrBusy the other process updates it
		if err := update(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, ErrBusy) {
			s.problem(err)
		}
		if s.options.Beside != nil && ctx.Err() == nil {
			s.options.Beside.Updated(ctx)
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

// Behind describes the packages whose current state is not in the index, or returns "" if all are
// indexed. If the repository was never indexed, the text states this.
func (s *Search) Behind(ctx context.Context) (string, error) {
	there, have, err := s.states(ctx)
	if err != nil {
		return "", err
	}
	return behindOf(there, have), nil
}

func behindOf(there, have map[string]string) string {
	behind := int64(0)
	for name, state := range there {
		was, known := have[name]
		if !known || state != "" && was != state { // its content may not be known yet
			behind++
		}
	}
	switch {
	case behind == 0:
		return ""
	case len(have) == 0:
		return "the repository was never indexed, so no search can find anything"
	}
	return humanize.Number(behind, "package is", "packages are") + " not in the text index as it is now"
}

// Clear removes everything: the next update rebuilds the index.
func (s *Search) Clear(ctx context.Context) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	err = sqlite.InTx(ctx, s.db, func(tx *sql.Tx) error {
		for _, table := range []string{"capture", "document", "url", "package", "link", "link_host", "words"} {
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

func (s *Search) setIndexing(indexing string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.indexing = indexing
}

// changed increments the change counter of the database.
func changed(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `UPDATE meta SET value = value + 1 WHERE name = 'changes'`)
	return err
}

// work is a package to read or to remove.
type work struct {
	name, state string // state is "" if it was removed
}

// states returns the packages of holdings and the packages of the index, each with its state.
func (s *Search) states(ctx context.Context) (there, have map[string]string, err error) {
	if there, err = s.house.Indexed(ctx); err != nil {
		return nil, nil, err
	}
	have = map[string]string{}
	err = each(ctx, s.db, `SELECT name, state FROM package`, func(rows *sql.Rows) error {
		var name, state string
		err := rows.Scan(&name, &state)
		if now := there[name]; now == state {
			state = now // most are equal: the memory of one is enough
		}
		have[name] = state
		return err
	})
	return there, have, err
}

// todo compares the packages of the index with the packages of holdings.
func (s *Search) todo(ctx context.Context) (todo []work, err error) {
	there, have, err := s.states(ctx)
	if err != nil {
		return nil, err
	}
	return todoOf(there, have), nil
}

func todoOf(there, have map[string]string) (todo []work) {
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
	return todo
}

// update is one run over the packages.
type update struct {
	s  *Search
	at Progress
}

// take reads or removes a package. Captures from an earlier read stay until the whole package is
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
		if err := u.s.together(ctx, p.name, func() error { return u.read(ctx, p.name, id, pass) }); err != nil {
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

// together reads a package, and lets the other index read it from the same payloads.
func (s *source) together(ctx context.Context, name string, read func() error) error {
	if s.options.Beside == nil {
		return read()
	}
	s.options.Beside.Begin()
	err := read()
	s.options.Beside.End(ctx, name, err == nil)
	return err
}

// read reads the captures of a package in batches.
func (u *update) read(ctx context.Context, name string, id, pass int64) (err error) {
	const some = 256
	b := &batch{s: u.s, pkg: id, pass: pass}
	w, err := u.s.newWriter()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	flush := func() error {
		n, err := b.write(ctx, w)
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
	if err := flush(); err != nil {
		return err
	}
	return w.commit()
}

// kept returns a copy, because the index may reuse the original.
func kept(c *captures.Capture) *captures.Capture {
	out := *c
	if c.Payload != nil {
		payload := *c.Payload
		out.Payload = &payload
	}
	return &out
}

// forget removes the old content of a package: captures, and the documents and URLs that only they
// used.
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
			{`DELETE FROM link WHERE document = ?1 AND NOT EXISTS (SELECT 1 FROM capture WHERE document = ?1)`,
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
