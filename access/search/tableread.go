package search

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"sort"

	"quire/access/search/postings"
	"quire/holdings/captures"
)

// names assigns numbers to names.
type names struct {
	all     []string
	numbers map[string]int32
}

func (n *names) number(name string) int32 {
	if i, ok := n.numbers[name]; ok {
		return i
	}
	if n.numbers == nil {
		n.numbers = map[string]int32{}
	}
	i := int32(len(n.all)) //nolint:gosec // there are fewer names than captures, and fewer of these than 2^31
	n.all = append(n.all, name)
	n.numbers[name] = i
	return i
}

// tableReader makes a table from the database.
type tableReader struct {
	*table
	worths                           []int8 // of URLs
	numbers                          map[int64]int32
	inPackages, atHosts, inLanguages names
	inContainers, ofMIME             names
}

// readTable reads a table from one snapshot of the database.
func readTable(ctx context.Context, db *sql.DB) (*table, error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	t := &table{memories: &memories{}}
	r := &tableReader{table: t, numbers: map[int64]int32{}}
	if t.made, t.changes, err = stateOf(ctx, tx); err != nil {
		return nil, err
	}
	for _, read := range []func(context.Context, querier) error{
		r.readPackages, r.readURLs, r.readDocuments, r.readCaptures,
	} {
		if err := read(ctx, tx); err != nil {
			return nil, err
		}
	}
	t.packages, t.hosts, t.languages, t.containers, t.mimes = r.inPackages.all, r.atHosts.all, r.inLanguages.all,
		r.inContainers.all, r.ofMIME.all
	r.connect()
	return t, nil
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// changes returns the change counter of the database.
func changes(ctx context.Context, db querier) (n int64, err error) {
	err = db.QueryRowContext(ctx, `SELECT value FROM meta WHERE name = 'changes'`).Scan(&n)
	return n, err
}

// stateOf returns the identity of the database, 0 if it has none, and its change counter.
func stateOf(ctx context.Context, db querier) (made, changed int64, err error) {
	err = db.QueryRowContext(ctx, `SELECT value FROM meta WHERE name = 'made'`).Scan(&made)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, 0, err
	}
	changed, err = changes(ctx, db)
	return made, changed, err
}

// each calls f for each row.
func each(ctx context.Context, db querier, query string, f func(*sql.Rows) error, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// store keeps a string.
func (r *tableReader) store(text []byte) span {
	s := span{uint64(len(r.texts)), uint32(len(text))} //nolint:gosec // SQLite's limit is a GiB
	r.texts = append(r.texts, text...)
	return s
}

func (r *tableReader) readPackages(ctx context.Context, db querier) error {
	return each(ctx, db, `SELECT id, name FROM package`, func(rows *sql.Rows) error {
		var id int64
		var name string
		err := rows.Scan(&id, &name)
		r.numbers[id] = r.inPackages.number(name)
		return err
	})
}

func (r *tableReader) readURLs(ctx context.Context, db querier) error {
	return each(ctx, db, `SELECT id, key, url, host FROM url ORDER BY id`, func(rows *sql.Rows) error {
		var a address
		var key, url sql.RawBytes
		var host string
		if err := rows.Scan(&a.id, &key, &url, &host); err != nil {
			return err
		}
		a.key, a.url, a.host = r.store(key), r.store(url), r.atHosts.number(host)
		r.worths = append(r.worths, int8(urlRank(string(url)))) //nolint:gosec // at most leastWorth
		r.urls = r.urls.with(&a)
		return nil
	})
}

func (r *tableReader) readDocuments(ctx context.Context, db querier) error {
	most, words := int64(-1), int64(0)
	err := each(ctx, db,
		`SELECT d.id, d.digest, d.type, d.language, s.sz FROM document d LEFT JOIN words_docsize s ON s.id = d.id `+
			`ORDER BY d.id`, func(rows *sql.Rows) error {
			var d document
			var kind, language string
			var digest, sizes sql.RawBytes
			if err := rows.Scan(&d.id, &digest, &kind, &language, &sizes); err != nil {
				return err
			}
			d.digest = r.store(digest)
			length := postings.Length(sizes, columnsOfText)
			d.length = int32(min(length, 1<<30)) //nolint:gosec // it was bounded just now
			d.kind = uint8(max(0, slices.Index(Types, kind)))
			d.language = uint16(min(r.inLanguages.number(language), 1<<16-1)) //nolint:gosec // it was bounded just now
			r.documents = r.documents.with(&d)
			most, words = max(most, d.id&(1<<32-1)), words+int64(d.length)
			return nil
		})
	r.usualLength = float32(words) / float32(max(r.documents.len(), 1))
	r.number(most)
	return err
}

func (r *tableReader) readCaptures(ctx context.Context, db querier) error {
	return each(ctx, db,
		`SELECT url, time, package, document, harvest, container, place, sha256, mime, written, origin FROM capture `+
			`ORDER BY url, time`, func(rows *sql.Rows) error {
			var c capture
			var url, pkg, id int64
			var container, mime string
			var written, origin, sum sql.RawBytes
			if err := rows.Scan(&url, &c.time, &pkg, &id, &c.harvest, &container, &c.order, &sum, &mime, &written,
				&origin); err != nil {
				return err
			}
			if len(origin) > 0 {
				if err := json.Unmarshal(origin, &captures.Place{}); err != nil {
					return err
				}
			}
			u, ok := sort.Find(r.urls.len(), func(u int) int {
				return cmp.Compare(url, r.urls.at(int32(u)).id) //nolint:gosec // there are fewer than 2^31
			})
			d, also := r.document(id)
			if !ok || !also {
				return nil // one of them was removed; the other will follow
			}
			c.container, c.mime = r.inContainers.number(container), r.ofMIME.number(mime)
			c.url, c.document, c.pkg = int32(u), d, r.numbers[pkg] //nolint:gosec // there are fewer than 2^31
			c.written, c.origin = r.store(written), r.store(origin)
			var digest [32]byte
			copy(digest[:], sum)
			r.captures = r.captures.with(&c, &digest)
			return nil
		})
}

// number builds the lookup of documents by number: the lower halves of numbers are consecutive.
func (r *tableReader) number(most int64) {
	if most > int64(16*r.documents.len()+1<<20) {
		return // most numbers are gone: use a search instead
	}
	r.byNumber = numbersFrom(slices.Repeat([]int32{-1}, int(most+1)))
	for i := range int32(r.documents.len()) { //nolint:gosec // there are fewer than 2^31
		r.byNumber.set(int32(r.documents.at(i).id&(1<<32-1)), i) //nolint:gosec // at most "most"
	}
}

// connect finds the captures of each document, and its page.
func (r *tableReader) connect() {
	begin := make([]int32, r.documents.len()+1)
	count := int32(r.captures.len()) //nolint:gosec // there are fewer than 2^31
	for i := range count {
		begin[r.captures.at(i).document+1]++
	}
	for d := range r.documents.len() {
		begin[d+1] += begin[d]
	}
	r.begin, r.of = numbersFrom(begin), makeNumbers(r.captures.len())
	groups := slices.Repeat([]int32{-1}, r.documents.len())
	for i := range count {
		c := r.captures.at(i)
		r.of.set(begin[c.document], i)
		begin[c.document]++
		if g := groups[c.document]; g < 0 || r.worths[c.url] < r.worths[g] {
			groups[c.document] = c.url
		}
	}
	r.groups = numbersFrom(groups)
	byGroup := make([]int32, r.documents.len())
	for d := range byGroup {
		byGroup[d] = int32(d) //nolint:gosec // there are fewer than 2^31
	}
	slices.SortFunc(byGroup, r.compareGroups)
	r.pages, _ = slices.BinarySearchFunc(byGroup, false, func(d int32, _ bool) int {
		if doc := r.documents.at(d); doc.isPage() {
			return -1
		}
		return 1
	})
	r.byGroup = numbersFrom(byGroup)
	r.describe()
}

// describe writes the briefs, and marks the documents that are alone.
func (r *tableReader) describe() {
	r.briefs = make(briefs, 0, briefSize*r.of.len())
	r.of.each(func(i int32) bool {
		c := r.captures.at(i)
		r.briefs = r.briefs.with(r.brief(&c))
		return true
	})
	before := int32(-1)
	for i := range int32(r.pages) { //nolint:gosec // there are fewer than 2^31
		d := r.byGroup.at(i)
		group, after := r.group(d), int32(-1)
		if int(i)+1 < r.pages {
			after = r.group(r.byGroup.at(i + 1))
		}
		if group >= 0 && group != before && group != after && r.capturesOf(d).len() == 1 {
			r.documents.setAlone(d)
		}
		before = group
	}
}
