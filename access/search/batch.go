package search

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"quire/access/search/extract"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/sqlite"
)

// indexable reports whether a capture is worth searching: a response to GET, with content, and not
// infected.
func indexable(c holdings.Judged) bool {
	good := c.Status == 0 || c.Status >= 200 && c.Status < 300 && c.Status != 206
	return good && !c.Infected && !strings.HasSuffix(c.URL, "/robots.txt") && c.Method == "" && c.Length > 0 &&
		extract.TypeOf(c.MIME, c.URL) != "" &&
		(strings.HasPrefix(c.URL, "http://") || strings.HasPrefix(c.URL, "https://") ||
			strings.HasPrefix(c.URL, "ftp://"))
}

// digestOf returns the key of a payload: its digest, and the SHA-256 of its bytes as sent. The
// digest alone is not enough: the package states it (preserve/cdxj), and it could be the digest of
// another payload. The SHA-256 is verified on every read.
func digestOf(c *captures.Capture) string {
	place := &c.Record
	if c.Payload != nil {
		place = c.Payload
	}
	if c.Digest == "" {
		return noDigest + place.SHA256
	}
	return c.Digest + " " + place.SHA256
}

// noDigest is the prefix of the substitute for a missing payload digest.
const noDigest = "body:"

// batch is a group of captures of one package that are written together.
type batch struct {
	s         *Search
	pkg, pass int64
	captures  []*captures.Capture
}

// fresh is a document that is not yet in the index.
type fresh struct {
	digest string
	from   *captures.Capture // source of its content
	urls   []string          // their words are indexed, too
	worth  int
	text   *extract.Text
	size   int64
	again  bool // unreadable this time
	id     int64
}

// maxURLs limits the URLs of one payload that are indexed as words.
const maxURLs = 8

// write reads new documents, and writes all captures in one transaction. It returns the number of
// documents read.
func (b *batch) write(ctx context.Context) (int64, error) {
	if len(b.captures) == 0 {
		return 0, nil
	}
	news, err := b.news(ctx)
	if err != nil {
		return 0, err
	}
	if err := b.s.readAll(ctx, news); err != nil {
		return 0, err
	}
	return int64(len(news)), sqlite.InTx(ctx, b.s.db, func(tx *sql.Tx) error {
		if err := b.s.addDocuments(ctx, tx, news); err != nil {
			return err
		}
		if err := b.addCaptures(ctx, tx); err != nil {
			return err
		}
		return changed(ctx, tx)
	})
}

// news returns the payloads not yet in the index, without duplicates.
func (b *batch) news(ctx context.Context) (all []*fresh, err error) {
	by := map[string]*fresh{}
	for _, c := range b.captures {
		digest := digestOf(c)
		f, seen := by[digest]
		if !seen {
			var n int
			if err := b.s.db.QueryRowContext(ctx, `SELECT count(*) FROM document WHERE digest = ?`,
				digest).Scan(&n); err != nil {
				return nil, err
			}
			if n == 0 {
				f = &fresh{digest: digest, from: c, worth: urlRank(c.URL)}
				all = append(all, f)
			}
			by[digest] = f
		}
		if f != nil && len(f.urls) < maxURLs && !slices.Contains(f.urls, c.URL) {
			f.urls = append(f.urls, c.URL)
			f.worth = min(f.worth, urlRank(c.URL))
		}
	}
	return all, nil
}

// readAll reads payloads, several in parallel.
func (s *Search) readAll(ctx context.Context, all []*fresh) error {
	workers := cmp.Or(s.options.Workers, runtime.GOMAXPROCS(0))
	next := make(chan *fresh)
	var wait sync.WaitGroup
	for range min(workers, len(all)) {
		wait.Go(func() {
			for f := range next {
				s.readOne(ctx, f)
			}
		})
	}
	for _, f := range all {
		if ctx.Err() != nil {
			break
		}
		next <- f
	}
	close(next)
	wait.Wait()
	return ctx.Err()
}

// addDocuments adds documents, the smallest number first, as FTS5 requires.
func (s *Search) addDocuments(ctx context.Context, tx *sql.Tx, all []*fresh) error {
	var number int64
	err := tx.QueryRowContext(ctx, `UPDATE meta SET value = value + ? WHERE name = 'number' RETURNING value`,
		len(all)).Scan(&number)
	if err != nil {
		return err
	}
	for i, f := range all {
		f.id = documentID(f.worth, number-int64(len(all))+int64(i)+1)
	}
	slices.SortFunc(all, func(a, b *fresh) int { return cmp.Compare(a.id, b.id) })
	return s.insert(ctx, tx, all)
}

// insert writes numbered documents, in the order of their numbers.
func (s *Search) insert(ctx context.Context, tx *sql.Tx, all []*fresh) error {
	into, err := tx.PrepareContext(ctx,
		`INSERT INTO document (id, digest, type, language, size, title, about, details, body, note, again) VALUES (?,`+
			`?,?,?,?,?,?,?,?,?,?)`)
	if err != nil {
		return err
	}
	defer func() { _ = into.Close() }() // only closes the statement: its writes belong to the transaction
	words, err := tx.PrepareContext(ctx, `INSERT INTO words (rowid, title, url, body) VALUES (?,?,?,?)`)
	if err != nil {
		return err
	}
	defer func() { _ = words.Close() }() // likewise
	for _, f := range all {
		details := []byte("[]")
		if len(f.text.Details) > 0 {
			if details, err = json.Marshal(f.text.Details); err != nil {
				return err
			}
		}
		t := f.text
		if _, err := into.ExecContext(ctx, f.id, f.digest, t.Type, t.Language, f.size, t.Title, t.Description, details,
			s.packer.pack(t.Body), t.Note, f.again); err != nil {
			return err
		}
		title, url, body := f.words()
		if _, err := words.ExecContext(ctx, f.id, title, url, body); err != nil {
			return err
		}
	}
	return nil
}

// words returns the indexed texts of a document. Its description and details count as body text.
func (f *fresh) words() (title, url, body string) {
	var urls, all strings.Builder
	for _, u := range f.urls {
		urls.WriteString(wordsOf(u))
		urls.WriteByte('\n')
	}
	all.WriteString(f.text.Description)
	for _, d := range f.text.Details {
		if d.Name != "position" && d.Name != "pages" {
			all.WriteString("\n" + d.Value)
		}
	}
	all.WriteString("\n" + f.text.Body)
	return forIndex(f.text.Title), forIndex(urls.String()), forIndex(all.String())
}

// addCaptures adds the captures; their documents already exist.
func (b *batch) addCaptures(ctx context.Context, tx *sql.Tx) error {
	for _, c := range b.captures {
		time, err := strconv.ParseInt(c.Timestamp, 10, 64)
		if err != nil {
			continue // without a valid time, it cannot be requested
		}
		var url int64
		var first string
		err = tx.QueryRowContext(ctx, `SELECT id, url FROM url WHERE key = ?`, c.Key).Scan(&url, &first)
		if errors.Is(err, sql.ErrNoRows) {
			first = c.URL
			err = tx.QueryRowContext(ctx, `INSERT INTO url (key, url, host) VALUES (?, ?, ?) RETURNING id`, c.Key,
				c.URL, hostOf(c.URL)).Scan(&url)
		}
		if err != nil {
			return err
		}
		written := c.URL
		if written == first {
			written = ""
		}
		sum, err := hex.DecodeString(c.Record.SHA256)
		if err != nil {
			return fmt.Errorf("%s of %s: invalid SHA-256 %q", c.URL, c.Timestamp, c.Record.SHA256)
		}
		_,
			err = tx.ExecContext(ctx,
			`INSERT OR REPLACE INTO capture (url, time, package, document, harvest, pass, container, place, `+
				`sha256, mime, written, origin)
			SELECT ?, ?, ?, id, ?, ?, ?, ?, ?, ?, ?, ? FROM document WHERE digest = ?`,
			url, time, b.pkg, c.Harvest, b.pass, c.Record.Container, c.Record.Order, sum, c.MIME, written, origin(c),
			digestOf(c))
		if err != nil {
			return err
		}
	}
	return nil
}

// origin returns the place of a revisit's payload, as JSON: access to it is decided too. It returns
// "" for other captures.
func origin(c *captures.Capture) string {
	if c.Payload == nil {
		return ""
	}
	b, err := json.Marshal(c.Payload)
	if err != nil {
		return "" // encoding numbers and strings cannot fail
	}
	return string(b)
}
