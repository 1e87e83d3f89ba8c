package search

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"quire/internal/longwork"
	"quire/internal/sqlite"
)

// The index is one SQLite file. It can be rebuilt from the packages at any time, and is rebuilt if
// it is damaged or of another version.
//
// A document is a payload, identified by its digest, and may have many captures. Its number begins
// with its rank: FTS5 returns matches by number, so front pages come first. The words are in an
// FTS5 table without content; documents holds the compressed text for snippets. A capture links a
// URL and a time to a document.
const (
	schemaVersion = 6
	fileName      = "text.db"

	// pageSize is that of a new file, in bytes. Compressed texts and FTS5's blocks of 4 KB fill a page of
	// the default size badly.
	pageSize = 16 << 10
)

const schema = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE package (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	state TEXT NOT NULL,      -- of the package when it was read; '' while it is
	pass INTEGER NOT NULL     -- of the reading: captures of an earlier one are gone
);
CREATE TABLE url (
	id INTEGER PRIMARY KEY,
	key TEXT NOT NULL UNIQUE, -- as the index of captures has it
	url TEXT NOT NULL,        -- as it was written first
	host TEXT NOT NULL
);
CREATE TABLE document (
	id INTEGER PRIMARY KEY,   -- its worth, then a number: see documentID
	digest TEXT NOT NULL UNIQUE,
	type TEXT NOT NULL,
	language TEXT NOT NULL,
	size INTEGER NOT NULL,
	title TEXT NOT NULL,
	about TEXT NOT NULL,      -- its description
	details TEXT NOT NULL,    -- JSON, [] when there are none
	body BLOB,                -- the text, compressed by zstd; NULL when there is none
	note TEXT NOT NULL,       -- why it has no text, or less than there is
	again INTEGER NOT NULL    -- 1: it could not be read this time; it is tried again
);
CREATE INDEX document_again ON document (again) WHERE again = 1;
CREATE TABLE capture (
	url INTEGER NOT NULL,
	time INTEGER NOT NULL,    -- the timestamp as a number of 14 digits
	package INTEGER NOT NULL,
	document INTEGER NOT NULL,
	harvest INTEGER NOT NULL,
	pass INTEGER NOT NULL,
	container TEXT NOT NULL,  -- these four are for judging it
	place INTEGER NOT NULL,   -- order of the record in the container
	sha256 BLOB NOT NULL,
	mime TEXT NOT NULL,
	written TEXT NOT NULL,    -- the URL as this capture writes it, where it is not as in url; else ''
	origin TEXT NOT NULL,     -- JSON: of a revisit, the place of its payload; else ''
	PRIMARY KEY (url, time, package, document)
) WITHOUT ROWID;
CREATE INDEX capture_package ON capture (package, pass);
CREATE INDEX capture_document ON capture (document);
CREATE TABLE link_host (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE link (           -- a page links to a host; also to its own
	host INTEGER NOT NULL,    -- in link_host
	document INTEGER NOT NULL,
	PRIMARY KEY (host, document)
) WITHOUT ROWID;
CREATE INDEX link_document ON link (document, host);
CREATE VIRTUAL TABLE words USING fts5 (title, url, body, titlestems, bodystems,
	content = '', contentless_delete = 1, ` + tokenizer + `);
INSERT INTO meta VALUES ('changes', 0), ('number', 0), ('made', 1 + abs(random() >> 1));
PRAGMA user_version = 6;
`

// openDatabase opens the index in a folder. It creates an empty index if the folder has none, or if
// the index is unusable.
func openDatabase(ctx context.Context, dir string) (db *sql.DB, made bool, err error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, false, err
	}
	path := filepath.Join(dir, fileName)
	for range 2 {
		db, err = sqlite.Open(path, sqlite.Options{Immediate: true, PageSize: pageSize, Pragmas: []string{
			"journal_mode(WAL)", "synchronous(NORMAL)", "cache_size(-32768)", "mmap_size(1073741824)",
			"temp_store(MEMORY)",
		}})
		if err != nil {
			return nil, false, err
		}
		made, err = prepare(ctx, db)
		if err == nil {
			db.SetMaxIdleConns(4) // each has its own mapping of the file
			return db, made, nil
		}
		_ = db.Close() // the error at hand is more specific
		if !errors.Is(err, errOther) && !sqlite.Damaged(err) {
			return nil, false, fmt.Errorf("opening the text index %s: %w", path, err)
		}
		if err := sqlite.Remove(path); err != nil {
			return nil, false, err
		}
	}
	return nil, false, fmt.Errorf("creating the text index %s: %w", path, err)
}

// openWriting opens an index for one writer. Reading by memory maps, and a large cache, would only take
// memory: a writer touches most pages once.
func openWriting(dir string) (*sql.DB, error) {
	db, err := sqlite.Open(filepath.Join(dir, fileName), sqlite.Options{Immediate: true, Pragmas: []string{
		"synchronous(NORMAL)", "cache_size(-6144)", "temp_store(MEMORY)"}})
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// lean calls f with a connection that takes little memory. It is for reading all rows once.
func (s *Search) lean(f func(*sql.DB) error) error {
	db, err := openWriting(s.dir)
	if err != nil {
		return err
	}
	return errors.Join(f(db), db.Close())
}

var errOther = errors.New("the text index belongs to another version of quire")

// prepare creates the tables, if missing.
func prepare(ctx context.Context, db *sql.DB) (made bool, err error) {
	err = sqlite.InTx(ctx, db, func(tx *sql.Tx) error {
		var version int
		if err := tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version); err != nil {
			return err
		}
		if version == schemaVersion {
			return identify(ctx, tx)
		}
		if version != 0 {
			return errOther
		}
		made = true
		if _, err := tx.ExecContext(ctx, schema); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, urlHost)
		return err
	})
	return made, err
}

// urlHost is a later index of SQLite than the tables. It changes no content, so an earlier program can still read and
// write them.
const urlHost = `CREATE INDEX IF NOT EXISTS url_host ON url (host)`

// addIndexes adds the indexes of SQLite that an index of an earlier program lacks. For millions of URLs it takes
// seconds, in which the database can be read, so an update does it, and not the opening.
func (s *Search) addIndexes(ctx context.Context) error {
	var has bool
	err := s.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'url_host')`).Scan(&has)
	if err == nil && !has {
		defer longwork.Begin(ctx, "the text index gets an index of hosts, which this version of quire needs")()
		_, err = s.db.ExecContext(ctx, urlHost)
	}
	if err != nil {
		return fmt.Errorf("adding to the text index %s: %w", s.dir, err)
	}
	return nil
}

// identify gives an identity to an index of an earlier program, which had none: a saved table names
// it.
func identify(ctx context.Context, tx *sql.Tx) error {
	made, _, err := stateOf(ctx, tx)
	if err == nil && made == 0 {
		_, err = tx.ExecContext(ctx, `INSERT INTO meta VALUES ('made', 1 + abs(random() >> 1))`)
	}
	return err
}

// documentID returns the number of a document: a better rank gives a smaller number.
func documentID(worth int, number int64) int64 { return int64(worth)<<32 | number }
