package search

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"quire/holdings/captures"
)

// The size of a transaction. FTS5 writes a list for each word of each transaction, and later joins
// these lists: few large transactions take half the time of many small ones. It holds the words of
// a transaction in memory, up to hashSize bytes.
const (
	maxCaptures = 4096
	maxTexts    = 8 << 20 // bytes
	hashSize    = 8 << 20
	mostLists   = 16 // of a word, of one size, before they are joined: FTS5 takes no more
)

// writer writes batches in transactions: one for several batches.
type writer struct {
	db       *sql.DB
	tx       *sql.Tx // nil between transactions
	captures int
	rows     []wordsRow
	texts    int   // bytes of these
	tuned    bool  // FTS5 knows hashSize
	number   int64 // of the last document

	document, url, newURL, newDocument, words, capture, newHost, host, link *sql.Stmt

	hosts map[string]int64 // some of link_host, in this transaction

	key   string // of the last URL: captures come in the order of their keys
	id    int64
	first string
}

func (s *Search) newWriter() (*writer, error) {
	db, err := openWriting(s.dir)
	return &writer{db: db}, err
}

// close drops the open transaction, if there is one.
func (w *writer) close() error { return errors.Join(w.rollback(), w.db.Close()) }

// begin begins a transaction, unless one is open. Its statements do not watch the context, which
// costs a goroutine each; the callers do.
func (w *writer) begin(ctx context.Context) error {
	if w.tx != nil {
		return nil
	}
	tx, err := w.db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return err
	}
	w.tx, w.captures, w.texts, w.key, w.hosts = tx, 0, 0, "", map[string]int64{}
	for _, prepare := range []struct {
		to   **sql.Stmt
		text string
	}{
		{&w.document, `SELECT id FROM document WHERE digest = ?`},
		{&w.url, `SELECT id, url FROM url WHERE key = ?`},
		{&w.newURL, `INSERT INTO url (key, url, host) VALUES (?, ?, ?)`},
		{&w.newDocument, `INSERT INTO document (id, digest, type, language, size, title, about, details, body, ` +
			`note, again) VALUES (?,?,?,?,?,?,?,?,?,?,?)`},
		{&w.words, `INSERT INTO words (rowid, title, url, body, titlestems, bodystems) VALUES (?,?,?,?,?,?)`},
		{&w.newHost, `INSERT INTO link_host (name) VALUES (?) ON CONFLICT DO NOTHING`},
		{&w.host, `SELECT id FROM link_host WHERE name = ?`},
		{&w.link, `INSERT OR IGNORE INTO link (host, document) VALUES (?, ?)`},
		{&w.capture, `INSERT OR REPLACE INTO capture (url, time, package, document, harvest, pass, container, place, ` +
			`sha256, mime, written, origin) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)`},
	} {
		*prepare.to, err = tx.Prepare(prepare.text) //nolint:sqlclosecheck // closed with the transaction
		if err != nil {
			return errors.Join(err, w.rollback())
		}
	}
	if err := tx.QueryRow(`SELECT value FROM meta WHERE name = 'number'`).Scan(&w.number); err != nil {
		return errors.Join(err, w.rollback())
	}
	if w.tuned {
		return nil
	}
	w.tuned = true
	for name, value := range map[string]int{"hashsize": hashSize, "automerge": mostLists} {
		_, err = tx.Exec(`INSERT INTO words (words, rank) SELECT ?1, ?2 WHERE NOT EXISTS `+
			`(SELECT 1 FROM words_config WHERE k = ?1 AND v = ?2)`, name, value)
		if err != nil {
			return errors.Join(err, w.rollback())
		}
	}
	return nil
}

// end ends a batch, and commits the transaction if it is large.
func (w *writer) end(captures int) error {
	if w.captures += captures; w.captures < maxCaptures && w.texts < maxTexts {
		return nil
	}
	return w.commit()
}

// commit ends the open transaction, if there is one.
func (w *writer) commit() error {
	if w.tx == nil {
		return nil
	}
	if err := w.addWords(); err != nil {
		return err
	}
	if _, err := w.tx.Exec(`UPDATE meta SET value = ? WHERE name = 'number'`, w.number); err != nil {
		return err
	}
	if err := changed(context.Background(), w.tx); err != nil {
		return err
	}
	tx := w.tx
	w.tx = nil
	return tx.Commit()
}

func (w *writer) rollback() error {
	if w.tx == nil {
		return nil
	}
	tx := w.tx
	w.tx, w.rows = nil, nil
	return tx.Rollback()
}

// wordsRow is a document in the form for FTS5.
type wordsRow struct {
	id int64
	indexed
}

// addWords writes the words of the documents of the transaction, the smallest number first: whenever a
// number is smaller than the one before, FTS5 writes out its lists.
func (w *writer) addWords() error {
	slices.SortFunc(w.rows, func(a, b wordsRow) int { return cmp.Compare(a.id, b.id) })
	for i, r := range w.rows {
		if _, err := w.words.Exec(r.id, r.title, r.url, r.body, r.titleStems, r.bodyStems); err != nil {
			return err
		}
		w.rows[i] = wordsRow{}
	}
	w.rows = w.rows[:0]
	return nil
}

// addDocuments adds documents.
func (w *writer) addDocuments(ctx context.Context, all []*fresh) error {
	for _, f := range all {
		w.number++
		f.id = documentID(f.worth, w.number)
	}
	return w.insert(ctx, all)
}

// insert writes numbered documents. Their words are written at the end of the transaction.
func (w *writer) insert(ctx context.Context, all []*fresh) error {
	for _, f := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		details := []byte("[]")
		if len(f.text.Details) > 0 {
			var err error
			if details, err = json.Marshal(f.text.Details); err != nil {
				return err
			}
		}
		t := f.text
		if _, err := w.newDocument.Exec(f.id, f.digest, t.Type, t.Language, f.size, t.Title, t.Description, details,
			f.packed, t.Note, f.again); err != nil {
			return err
		}
		if err := w.addLinks(f); err != nil {
			return err
		}
		row := wordsRow{f.id, f.indexed}
		w.rows = append(w.rows, row)
		w.texts += len(row.title) + len(row.url) + len(row.body) + len(row.titleStems) + len(row.bodyStems)
		f.text, f.packed, f.indexed = nil, nil, indexed{} // no longer needed
	}
	return nil
}

// addLinks writes the hosts that a page links to.
func (w *writer) addLinks(f *fresh) error {
	for _, host := range linkedHosts(f.text) {
		id, known := w.hosts[host]
		if !known {
			if _, err := w.newHost.Exec(host); err != nil {
				return err
			}
			if err := w.host.QueryRow(host).Scan(&id); err != nil {
				return err
			}
			w.hosts[host] = id
		}
		if _, err := w.link.Exec(id, f.id); err != nil {
			return err
		}
	}
	return nil
}

// urlOf returns the number of a capture's URL, and the URL as written if that is not how it was written
// first.
func (w *writer) urlOf(c *captures.Capture) (id int64, written string, err error) {
	if w.key != c.Key || w.key == "" {
		err = w.url.QueryRow(c.Key).Scan(&w.id, &w.first)
		if errors.Is(err, sql.ErrNoRows) {
			var made sql.Result
			if made, err = w.newURL.Exec(c.Key, c.URL, hostOf(c.URL)); err != nil {
				return 0, "", err
			}
			w.first = c.URL
			w.id, err = made.LastInsertId()
		}
		if err != nil {
			return 0, "", err
		}
		w.key = c.Key
	}
	if c.URL != w.first {
		written = c.URL
	}
	return w.id, written, nil
}
