package pictures

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"quire/internal/filelock"
	"quire/internal/sqlite"
)

// DirName is the folder of the index, in the folder of derived access data.
const DirName = "pictures"

const (
	fileName      = "pictures.db"
	schemaVersion = 5 // 5: with SVG
)

const schema = `
CREATE TABLE package (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	state TEXT NOT NULL       -- of the package when it was read; '' while it is
);
CREATE TABLE picture (
	id INTEGER PRIMARY KEY,
	package INTEGER NOT NULL,
	key TEXT NOT NULL,        -- of the URL, as the index of captures has it
	url TEXT NOT NULL,
	time INTEGER NOT NULL,    -- of its first capture, 14 digits
	digest TEXT NOT NULL,     -- SHA-256 of the payload as sent, and its coding
	bytes INTEGER NOT NULL,
	width INTEGER NOT NULL,
	height INTEGER NOT NULL,
	colour INTEGER NOT NULL,  -- index in Colours; 0 for an unknown one
	UNIQUE (package, key, url, digest)
);
CREATE INDEX picture_digest ON picture (digest);
CREATE INDEX picture_time ON picture (time);
CREATE TABLE mention (        -- of a picture, by the page that shows it, or by its own address
	id INTEGER PRIMARY KEY,
	picture INTEGER NOT NULL,
	page TEXT NOT NULL,       -- its URL; '' for the picture's own address
	time INTEGER NOT NULL,    -- of the page
	alt TEXT NOT NULL,
	near TEXT NOT NULL,
	UNIQUE (picture, page)
);
CREATE TABLE page (package INTEGER NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (package, digest)) WITHOUT ROWID;
CREATE TABLE leaning (        -- packages with revisits of payloads that are elsewhere
	package INTEGER NOT NULL,
	other TEXT NOT NULL,      -- its name
	PRIMARY KEY (package, other)
) WITHOUT ROWID;
CREATE INDEX leaning_other ON leaning (other);
CREATE TABLE again (          -- captures that could not be read: they are tried again
	package INTEGER NOT NULL,
	url TEXT NOT NULL,
	time TEXT NOT NULL,
	PRIMARY KEY (package, url, time)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5 (text, content = '', contentless_delete = 1, ` + tokenizer + `);
PRAGMA user_version = 5;
`

// purgesTable counts the purges, so that a process that gathers facts sees one of another process. Earlier programs
// made databases of this version without it.
const purgesTable = `CREATE TABLE IF NOT EXISTS purges (n INTEGER PRIMARY KEY);`

var errOther = errors.New("the index of pictures belongs to another version of quire")

// Exists reports whether a folder has an index of pictures.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, fileName))
	return err == nil
}

// openDatabase opens the index in a folder. It creates an empty one if there is none, or an unusable one.
func openDatabase(ctx context.Context, dir string) (*sql.DB, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, fileName)
	for range 2 {
		db, err := sqlite.Open(path, sqlite.Options{Immediate: true, Pragmas: []string{"journal_mode(WAL)",
			"synchronous(NORMAL)", "cache_size(-8192)"}})
		if err == nil {
			if err = prepare(ctx, db); err == nil {
				db.SetMaxIdleConns(2)
				return db, nil
			}
			_ = db.Close() // the error at hand is more specific
		}
		if !errors.Is(err, errOther) && !sqlite.Damaged(err) {
			return nil, fmt.Errorf("opening the index of pictures %s: %w", path, err)
		}
		if err := sqlite.Remove(path); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("creating the index of pictures %s failed twice", path)
}

// prepare creates the tables, if missing.
func prepare(ctx context.Context, db *sql.DB) error {
	return sqlite.InTx(ctx, db, func(tx *sql.Tx) error {
		var version int
		if err := tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version); err != nil {
			return err
		}
		statement := purgesTable
		switch version {
		case schemaVersion:
		case 0:
			statement = schema + purgesTable
		default:
			return errOther
		}
		_, err := tx.ExecContext(ctx, statement)
		return err
	})
}

// ErrBusy reports that another process is writing the index.
var ErrBusy = errors.New("another process is writing it: wait for it, or stop it")

// lock gets the exclusive right to write: in this process, and on this machine.
func (p *Pictures) lock() (unlock func(), err error) {
	p.updating.Lock()
	f, err := os.OpenFile(filepath.Join(p.dir, "lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err == nil {
		if err = filelock.Try(f); err != nil {
			_ = f.Close() // nothing was written
		}
	}
	if err != nil {
		p.updating.Unlock()
		if errors.Is(err, filelock.ErrHeld) {
			err = fmt.Errorf("the index of pictures %s: %w", p.dir, ErrBusy)
		}
		return nil, err
	}
	return func() {
		_ = f.Close() // this also releases the lock
		p.updating.Unlock()
	}, nil
}

// Clear removes the content of all packages. An update reads them anew.
func (p *Pictures) Clear(ctx context.Context) error {
	unlock, err := p.lock()
	if err != nil {
		return err
	}
	defer unlock()
	have, err := p.states(ctx)
	for name := range have {
		err = errors.Join(err, p.forget(ctx, name, false))
	}
	return err
}

// purges returns how many purges the index has seen.
func (p *Pictures) purges(ctx context.Context) (n int64, err error) {
	err = p.db.QueryRowContext(ctx, `SELECT coalesce(max(n), 0) FROM purges`).Scan(&n)
	return n, err
}

// Compact removes packages that are gone, and the content of changed ones. It writes the database anew, so
// that no free page, no list of words and no log has their content. It reads no package.
func (p *Pictures) Compact(ctx context.Context) error {
	unlock, err := p.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := p.db.ExecContext(ctx, `INSERT INTO purges DEFAULT VALUES`); err != nil {
		return err
	}
	there, have, err := p.forgetGone(ctx)
	if err == nil {
		err = p.forgetChanged(ctx, there, have)
	}
	if err != nil {
		return err
	}
	for _, statement := range []string{`INSERT INTO words (words) VALUES ('optimize')`, `VACUUM`,
		`PRAGMA wal_checkpoint(TRUNCATE)`} {
		if _, err := p.db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("compacting the index of pictures: %w", err)
		}
	}
	return nil
}
