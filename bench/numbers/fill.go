package main

import (
	"context"
	"crypto/sha512"
	"database/sql"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"quire/internal/postgres"
	"quire/internal/sqlite"
	"quire/preserve/aip"
)

// Of the first package each member of a collection, and so on.
const (
	collections = 5
	members     = 20_000
	firstYear   = 1996
	lastYear    = 2026
	atOnce      = 2_000 // packages of one transaction
)

func idOf(n int) string { return fmt.Sprintf("web-%08d", n) }

func stamped(n int) string {
	return time.Date(2020, 1, 1, 0, 0, n, 0, time.UTC).Format("2006-01-02T15:04:05.000000000Z")
}

func digest(args ...any) string {
	sum := sha512.Sum512(fmt.Append(nil, args...))
	return hex.EncodeToString(sum[:])
}

// table is rows of a table to write.
type table struct {
	name    string
	columns []string
	rows    [][]any
}

func (t *table) add(values ...any) { t.rows = append(t.rows, values) }

func tables() []*table {
	of := func(name, columns string) *table { return &table{name: name, columns: strings.Fields(columns)} }
	return []*table{
		of("packages", "id object path title profile mets head inventory created stored first last containers records "+
			"files bytes"),
		of("versions", "package number created message inventory files bytes"),
		of("content", "package path first last size sha512 use"),
		of("copies", "package name status since checked"),
		of("events", "package file id type time outcome detail copy"),
		of("counted", "number package state"),
		of("numbers", "package kind name harvest year count bytes containers"),
		of("members", "collection package"),
	}
}

// pack adds the rows of a package. Its hosts are some of a few large ones and many small ones, as in a crawl.
func (b *bench) pack(all []*table, n int, random *rand.Rand) {
	id, at := idOf(n), stamped(n)
	year := firstYear + random.IntN(lastYear-firstYear+1)
	first := fmt.Sprintf("%d-05-01T00:00:00.000000000Z", year)
	all[0].add(id, "urn:quire:"+id, digest(n)[:64]+id, "Website of society number "+id, "p", "mets.xml", 1,
		digest(n, "i"), at, at, first, first, 4, 20_000, 6, 4_000_000_000)
	all[1].add(id, 1, at, "first", digest(n, "i"), 6, 4_000_000_000)
	for f := range 6 {
		all[2].add(id, fmt.Sprint("containers/", f, ".warc.gz"), 1, 1, 1_000_000_000, digest(n, f),
			"DigitalManifestation")
	}
	for k := range 3 {
		all[3].add(id, fmt.Sprint("copy-", k+1), "good", at, at)
		all[4].add(id, fmt.Sprint("event-", k), fmt.Sprint(n, "-", k), "replication", at, "success", "stored",
			fmt.Sprint("copy-", k+1))
	}
	all[5].add(n+1, id, "exact")
	kind := func(kind string, names map[string]bool) {
		for _, name := range slices.Sorted(maps.Keys(names)) { // as the key sorts them
			count := 1 + random.IntN(1000)
			all[6].add(n+1, kind, name, 1, year, count, 10_000*count, 1+random.IntN(4))
		}
	}
	kind("host", some(random, b.each, b.hosts, func(i int) string { return fmt.Sprintf("www.host-%d.example", i) }))
	kind("language", some(random, 4, 150, func(i int) string { return fmt.Sprint("l", i) }))
	kind("languages", map[string]bool{"yes": true})
	kind("mime", some(random, 6, 300, func(i int) string { return fmt.Sprint("application/x-", i) }))
	kind("format", some(random, 6, 800, func(i int) string { return fmt.Sprintf("Format number %d\tfmt/%d\t1", i, i) }))
	kind("status", some(random, 4, 30, func(i int) string { return fmt.Sprint(200 + i) }))
	kind("type", map[string]bool{"response": true, "request": true, "metadata": true, "warcinfo": true})
	kind("year", map[string]bool{fmt.Sprint(year): true})
	kind("finding", some(random, 1, 100, func(i int) string { return fmt.Sprint("WARC-FINDING-", i) }))
	kind("outcome", map[string]bool{"valid": true})
	kind("identified", map[string]bool{"yes": true})
	all[6].add(n+1, "package", "exact", 0, year, 1, 4_000_000_000, 4)
}

// some returns at most n names of a range, most of them from its beginning.
func some(random *rand.Rand, n, of int, name func(int) string) map[string]bool {
	all := map[string]bool{}
	for range n {
		all[name(int(float64(of)*math.Pow(random.Float64(), 3)))] = true
	}
	return all
}

// fill writes all rows, and then the sums.
func (b *bench) fill(ctx context.Context) error {
	var db *sql.DB
	var err error
	if b.database != "" {
		db, err = postgres.Open(b.place(), "bench", false)
	} else {
		db, err = sqlite.Open(b.file, sqlite.Options{Pragmas: []string{"synchronous(OFF)", "cache_size(-400000)"},
			Immediate: true})
	}
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()     // it was committed
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same catalogue each time
	batches := make(chan []*table, 1)     // the next rows are made while a database writes
	go func() {
		defer close(batches)
		for n := 0; n < b.packages; n += atOnce {
			all := tables()
			for i := n; i < min(n+atOnce, b.packages); i++ {
				b.pack(all, i, random)
			}
			if n == 0 {
				collect(all, b.packages)
			}
			batches <- all
		}
	}()
	numbers := 0
	for all := range batches {
		if err := b.write(ctx, db, all); err != nil {
			return err // the program ends, and the other goroutine with it
		}
		numbers += len(all[6].rows)
	}
	fmt.Printf("%d packages with %d numbers are written\n", b.packages, numbers)
	statements := sums()
	if b.database != "" {
		statements = append([]string{"SET work_mem = '512MB'"}, statements...)
		statements = append(statements, "SELECT setval(pg_get_serial_sequence('counted', 'number'), "+
			"(SELECT max(number) FROM counted))", "VACUUM ANALYZE")
	} else {
		statements = append(statements, "PRAGMA wal_checkpoint(TRUNCATE)")
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // goes back to the pool
	for _, s := range statements {
		began := time.Now()
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		if d := time.Since(began); d > time.Minute {
			fmt.Printf("%s: %.60s\n", d.Round(time.Second), s)
		}
	}
	return nil
}

// collect adds collections.
func collect(all []*table, packages int) {
	for c := range collections {
		id, at := fmt.Sprint("collection-", c), stamped(c)
		all[0].add(id, "urn:quire:"+id, digest(id)[:64], "A collection", aip.CollectionProfile, "mets.xml", 1,
			digest(id, "i"), at, at, "", "", 0, 0, 2, 1_000_000)
		all[1].add(id, 1, at, "first", digest(id, "i"), 2, 1_000_000)
		all[5].add(packages+1+c, id, "exact")
		for m := range min(members, packages) {
			all[7].add(id, idOf((c*members/2+m)%packages))
		}
	}
}

// sums returns the statements that add up the numbers. A package of the bench has a name once, so rows are
// packages. The index comes last: it is faster to make than to keep.
func sums() []string {
	const into = "INSERT INTO sums (scope, kind, year, name, count, bytes, containers, packages) SELECT "
	all := []string{"DROP INDEX IF EXISTS sums_count"}
	for c := range collections + 1 {
		scope, join := "''", ""
		if c > 0 {
			scope = fmt.Sprintf("'collection-%d'", c-1)
			join = " JOIN counted c ON c.number = n.package JOIN members m ON m.package = c.package " +
				"WHERE m.collection = " + scope
		}
		all = append(all,
			into+scope+", kind, year, name, sum(count), sum(bytes), sum(containers), count(*) FROM numbers n"+join+
				" GROUP BY kind, year, name ORDER BY kind, year, name",
			into+scope+", kind, -1, name, sum(count), sum(bytes), sum(containers), sum(packages) FROM sums "+
				"WHERE scope = "+scope+" GROUP BY kind, name ORDER BY kind, name",
			into+scope+", 'total', year, kind, sum(count), sum(bytes), 0, (SELECT packages FROM sums p WHERE "+
				"p.scope = "+scope+" AND p.kind = 'package' AND p.year = s.year) FROM sums s "+
				"WHERE scope = "+scope+" AND kind != 'package' GROUP BY year, kind ORDER BY year, kind")
	}
	return append(all, "CREATE INDEX sums_count ON sums (scope, kind, year, count DESC, name)")
}

// write writes rows in one transaction.
func (b *bench) write(ctx context.Context, db *sql.DB, all []*table) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // goes back to the pool
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing after a commit
	for _, t := range all {
		if err := b.writeTable(ctx, conn, tx, t); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return tx.Commit()
}

func (b *bench) writeTable(ctx context.Context, conn *sql.Conn, tx *sql.Tx, t *table) error {
	if b.database != "" && t.name != "counted" {
		return postgres.CopyIn(ctx, conn, t.name, t.columns, t.rows)
	}
	overriding := ""
	if b.database != "" {
		overriding = " OVERRIDING SYSTEM VALUE"
	}
	marks := strings.TrimPrefix(strings.Repeat(", ?", len(t.columns)), ", ")
	if b.database != "" {
		marks = "$1, $2, $3"
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO "+t.name+" ("+strings.Join(t.columns, ", ")+")"+overriding+
		" VALUES ("+marks+")")
	if err != nil {
		return err
	}
	defer func() { _ = insert.Close() }() // the transaction decides
	for _, row := range t.rows {
		if _, err := insert.ExecContext(ctx, row...); err != nil {
			return err
		}
	}
	return nil
}
