package pictures

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"quire/access/thumbnail"
	"quire/holdings/captures"
	"quire/internal/sqlite"
)

// sampled is how many unreadable captures of a package are tried again at a time.
const sampled = 20

// again tries a sample of the captures that could not be read: a copy may be back, or a rule gone. It takes the state
// from packages where one can be read now, so that they are read anew: pages name pictures, and a picture
// alone would lack their words.
func (p *Pictures) again(ctx context.Context, have map[string]string) error {
	if time.Since(p.tried) < p.limits.retry {
		return nil
	}
	p.tried = time.Now()
	for name, state := range have {
		if state == "" {
			continue
		}
		all, err := p.unread(ctx, name)
		if err != nil {
			return err
		}
		for _, q := range all {
			readable, err := p.readableNow(ctx, q)
			if err != nil {
				return err
			}
			if readable {
				have[name] = ""
				break
			}
		}
	}
	return nil
}

// unread returns queries for some captures of a package that could not be read.
func (p *Pictures) unread(ctx context.Context, name string) (all []captures.Query, err error) {
	rows, err := p.db.QueryContext(ctx, `SELECT url, time FROM again WHERE package = (SELECT id FROM package `+
		`WHERE name = ?) ORDER BY random() LIMIT ?`, name, sampled)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // only read
	for rows.Next() {
		q := captures.Query{Packages: []string{name}}
		if err := rows.Scan(&q.URL, &q.From); err != nil {
			return nil, err
		}
		q.To = q.From
		all = append(all, q)
	}
	return all, rows.Err()
}

// readableNow reports whether a capture can be read. A fault of a reader of archived bytes must not end the server.
func (p *Pictures) readableNow(ctx context.Context, q captures.Query) (readableNow bool, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			readableNow, err = false, nil
		}
	}()
	for c, err := range p.h.Captures(ctx, curator, q) {
		if err != nil {
			return false, err
		}
		if c.URL != q.URL || !readable(c) {
			continue
		}
		if _, _, err := p.payload(ctx, c.Capture); err == nil {
			return true, nil
		}
	}
	return false, ctx.Err()
}

// payload reads the payload of a capture.
func (p *Pictures) payload(ctx context.Context, c *captures.Capture) (payload []byte, contentType string, err error) {
	content, err := p.h.Read(ctx, curator, c)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = content.Body.Close() }() // only read
	contentType = c.MIME
	for _, f := range content.Header {
		if strings.EqualFold(f.Name, "content-type") {
			contentType = f.Value
		}
	}
	payload, err = thumbnail.Payload(content)
	return payload, contentType, err
}

// forgetChanged removes the content of packages that have changed, or whose reading was interrupted: it may be that of
// an earlier state. An update reads them anew.
func (p *Pictures) forgetChanged(ctx context.Context, there, have map[string]string) error {
	for name, state := range there {
		if old, known := have[name]; !known || state == "" || old == state {
			continue
		}
		if err := errors.Join(p.forget(ctx, name, true), p.forgetLeaning(ctx, name, have)); err != nil {
			return err
		}
	}
	return nil
}

// forgetLeaning removes the content of packages with payloads of a package that is gone or has changed: a purged page
// must leave no words by a revisit elsewhere. An update reads them anew.
func (p *Pictures) forgetLeaning(ctx context.Context, on string, have map[string]string) error {
	names, err := p.leaning(ctx, on)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := p.forget(ctx, name, true); err != nil {
			return err
		}
		have[name] = ""
	}
	return nil
}

// leaning returns the packages with payloads of another one.
func (p *Pictures) leaning(ctx context.Context, on string) (names []string, err error) {
	rows, err := p.db.QueryContext(ctx, `SELECT name FROM package JOIN leaning ON package = id WHERE other = ?`, on)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // only read
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// forget removes the content of a package. If it is to be read anew, its row stays, without a state.
func (p *Pictures) forget(ctx context.Context, name string, again bool) error {
	return sqlite.InTx(ctx, p.db, func(tx *sql.Tx) error {
		for _, statement := range []string{
			`INSERT INTO package (name, state) VALUES (?1, '') ON CONFLICT (name) DO UPDATE SET state = ''`,
			`DELETE FROM words WHERE rowid IN (SELECT m.id FROM mention m JOIN picture p ON p.id = m.picture
				WHERE p.package = (SELECT id FROM package WHERE name = ?1))`,
			`DELETE FROM mention WHERE picture IN (SELECT id FROM picture WHERE package = (SELECT id FROM package
				WHERE name = ?1))`,
			`DELETE FROM picture WHERE package = (SELECT id FROM package WHERE name = ?1)`,
			`DELETE FROM page WHERE package = (SELECT id FROM package WHERE name = ?1)`,
			`DELETE FROM again WHERE package = (SELECT id FROM package WHERE name = ?1)`,
			`DELETE FROM leaning WHERE package = (SELECT id FROM package WHERE name = ?1)`,
		} {
			if _, err := tx.ExecContext(ctx, statement, name); err != nil {
				return err
			}
		}
		if again {
			return nil
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM package WHERE name = ?`, name)
		return err
	})
}
