package search

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"quire/access/search/postings"
	"quire/holdings/captures"
)

// table is the data of each document and capture that all queries need, in memory: about 40 bytes
// per capture, and its URL. It is read again when the database changes, and is immutable.
type table struct {
	changes int64 // change counter of the database

	documents []document // by number
	captures  []capture  // by URL, then by time
	urls      []address  // by number
	byNumber  []int32    // documents by the lower half of their numbers; -1 for none; nil if most are gone
	// documents sorted by group, so that the documents of one group are adjacent: first pages, then
	// all others
	byGroup []int32
	pages   int     // number of pages among them
	of      []int32 // captures of document d: of[begin[d]:begin[d+1]]
	begin   []int32

	usualLength float32 // mean document length, in words

	packages   []string
	hosts      []string
	languages  []string
	containers []string
	mimes      []string
}

type document struct {
	id       int64
	digest   string
	kind     uint8 // index in Types
	language uint16
	length   int32 // in words
	group    int32 // the best-ranked URL: documents with the same one are versions of one page
}

type capture struct {
	time      int64
	url       int32
	document  int32
	pkg       int32
	harvest   int32
	container int32
	mime      int32
	order     int64
	sha256    [32]byte
	written   string          // the URL, if it differs from urls
	origin    *captures.Place // of a revisit: the original place of its payload, if access to it may differ
}

type address struct {
	id   int64
	key  string
	url  string
	host int32
}

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

// readTable reads a table from one snapshot of the database.
func readTable(ctx context.Context, db *sql.DB) (*table, error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	t := &table{}
	if t.changes, err = changes(ctx, tx); err != nil {
		return nil, err
	}
	var packages, hosts, languages, containers, mimes names
	numbers := map[int64]int32{}
	for _, read := range []func() error{
		func() error { return t.readPackages(ctx, tx, &packages, numbers) },
		func() error { return t.readURLs(ctx, tx, &hosts) },
		func() error { return t.readDocuments(ctx, tx, &languages) },
		func() error { return t.readCaptures(ctx, tx, numbers, &containers, &mimes) },
	} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	t.packages, t.hosts, t.languages, t.containers, t.mimes = packages.all, hosts.all, languages.all, containers.all,
		mimes.all
	t.connect()
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

func (t *table) readPackages(ctx context.Context, db querier, packages *names, numbers map[int64]int32) error {
	return each(ctx, db, `SELECT id, name FROM package`, func(rows *sql.Rows) error {
		var id int64
		var name string
		err := rows.Scan(&id, &name)
		numbers[id] = packages.number(name)
		return err
	})
}

func (t *table) readURLs(ctx context.Context, db querier, hosts *names) error {
	return each(ctx, db, `SELECT id, key, url, host FROM url ORDER BY id`, func(rows *sql.Rows) error {
		var a address
		var host string
		err := rows.Scan(&a.id, &a.key, &a.url, &host)
		a.host = hosts.number(host)
		t.urls = append(t.urls, a)
		return err
	})
}

func (t *table) readDocuments(ctx context.Context, db querier, languages *names) error {
	err := each(ctx, db,
		`SELECT d.id, d.digest, d.type, d.language, s.sz FROM document d LEFT JOIN words_docsize s ON s.id = d.id `+
			`ORDER BY d.id`, func(rows *sql.Rows) error {
			var d document
			var kind, language string
			var sizes sql.RawBytes
			err := rows.Scan(&d.id, &d.digest, &kind, &language, &sizes)
			d.length = int32(min(postings.Length(sizes), 1<<30)) //nolint:gosec // it was bounded just now
			d.kind = uint8(max(0, slices.Index(Types, kind)))
			d.language = uint16(min(languages.number(language), 1<<16-1)) //nolint:gosec // it was bounded just now
			d.group = -1
			t.documents = append(t.documents, d)
			return err
		})
	t.number()
	return err
}

func (t *table) readCaptures(ctx context.Context, db querier, packages map[int64]int32, containers,
	mimes *names) error {
	return each(ctx, db,
		`SELECT url, time, package, document, harvest, container, place, sha256, mime, written, origin FROM capture `+
			`ORDER BY url, time`, func(rows *sql.Rows) error {
			var c capture
			var url, pkg, id int64
			var container, mime, origin string
			var sum sql.RawBytes
			if err := rows.Scan(&url, &c.time, &pkg, &id, &c.harvest, &container, &c.order, &sum, &mime, &c.written,
				&origin); err != nil {
				return err
			}
			copy(c.sha256[:], sum)
			c.container, c.mime = containers.number(container), mimes.number(mime)
			if origin != "" {
				c.origin = &captures.Place{}
				if err := json.Unmarshal([]byte(origin), c.origin); err != nil {
					return err
				}
			}
			u, ok := slices.BinarySearchFunc(t.urls, url, func(a address, id int64) int {
				return cmp.Compare(a.id, id)
			})
			d, also := t.document(id)
			if !ok || !also {
				return nil // one of them was removed; the other will follow
			}
			c.url, c.document, c.pkg = int32(u), d, packages[pkg] //nolint:gosec // there are fewer than 2^31
			t.captures = append(t.captures, c)
			return nil
		})
}

// document finds a document by its number.
func (t *table) document(id int64) (int32, bool) {
	n := id & (1<<32 - 1)
	if t.byNumber == nil {
		d, ok := slices.BinarySearchFunc(t.documents, id, func(d document, id int64) int {
			return cmp.Compare(d.id, id)
		})
		return int32(d), ok //nolint:gosec // there are fewer than 2^31
	}
	if n >= int64(len(t.byNumber)) {
		return 0, false
	}
	d := t.byNumber[n]
	return d, d >= 0 && t.documents[d].id == id
}

// number builds the lookup of documents by number: the lower halves of numbers are consecutive.
func (t *table) number() {
	most, words := int64(-1), int64(0)
	for i := range t.documents {
		most = max(most, t.documents[i].id&(1<<32-1))
		words += int64(t.documents[i].length)
	}
	if t.usualLength = float32(words) / float32(max(len(t.documents), 1)); most > int64(16*len(t.documents)+1<<20) {
		return // most numbers are gone: use a search instead
	}
	t.byNumber = slices.Repeat([]int32{-1}, int(most+1))
	for i := range t.documents {
		t.byNumber[t.documents[i].id&(1<<32-1)] = int32(i) //nolint:gosec // there are fewer than 2^31
	}
}

// connect finds the captures of each document, and its page.
func (t *table) connect() {
	t.begin = make([]int32, len(t.documents)+1)
	for i := range t.captures {
		t.begin[t.captures[i].document+1]++
	}
	for d := range t.documents {
		t.begin[d+1] += t.begin[d]
	}
	t.of = make([]int32, len(t.captures))
	next := slices.Clone(t.begin)
	worths := make([]int8, len(t.urls))
	for u := range t.urls {
		worths[u] = int8(urlRank(t.urls[u].url)) //nolint:gosec // at most leastWorth
	}
	for i := range t.captures {
		c := &t.captures[i]
		t.of[next[c.document]] = int32(i) //nolint:gosec // there are fewer than 2^31
		next[c.document]++
		d := &t.documents[c.document]
		if d.group < 0 || worths[c.url] < worths[d.group] {
			d.group = c.url
		}
	}
	t.byGroup = make([]int32, len(t.documents))
	for d := range t.byGroup {
		t.byGroup[d] = int32(d) //nolint:gosec // there are fewer than 2^31
	}
	slices.SortFunc(t.byGroup, t.compareGroups)
	t.pages, _ = slices.BinarySearchFunc(t.byGroup, false, func(d int32, _ bool) int {
		if t.documents[d].isPage() {
			return -1
		}
		return 1
	})
}

// compareGroups orders pages before all others, and keeps groups together.
func (t *table) compareGroups(a, b int32) int {
	x, y := &t.documents[a], &t.documents[b]
	if x.isPage() != y.isPage() {
		if x.isPage() {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(x.group, y.group), cmp.Compare(a, b))
}

// capturesOf returns the captures of a document, by URL and time.
func (t *table) capturesOf(d int32) []int32 { return t.of[t.begin[d]:t.begin[d+1]] }

// isPage reports whether a document is a hit at page level.
func (d *document) isPage() bool { return d.kind < 2 } // page, text
