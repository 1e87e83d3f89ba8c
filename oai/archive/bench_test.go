package archive

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/holdings/facts"
	"quire/model"
	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/preserve/statements"
)

// many fills the index of an archive with records that nobody captured, in packages of a hundred thousand, as the pass would.
func many(b *testing.B, n int) *Archive {
	b.Helper()
	ctx := context.Background()
	x, err := openIndex(ctx, filepath.Join(b.TempDir(), "index.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = x.close() })
	a := &Archive{index: x, options: Options{Now: time.Now, Location: time.UTC}}
	const each = 100_000
	began := time.Now()
	for first := 0; first < n; first += each {
		name := fmt.Sprintf("package-%d", first/each)
		v := &version{
			Facts:  &facts.Facts{Rights: &statements.Set{Package: name}, Descriptions: map[string][]byte{}},
			number: 1, since: began.Unix() - int64(n-first)/each*60, contents: map[int64]*facts.Container{},
			zones: &zones{shown: map[model.Zone]bool{"": true}, location: time.UTC, cache: map[string][]change{}},
		}
		v.sets = []scoped{{set: v.Rights}}
		err := x.write(ctx, func(tx *sql.Tx) error {
			pkg, err := packageRow(ctx, tx, name)
			if err != nil {
				return err
			}
			g := &gatherer{pkg: name, pkgRow: pkg, content: int64(first + 1), tx: tx, ctx: ctx, leftOut: map[string]int64{}, specs: newSpecs(tx)}
			defer g.close()
			if err := g.prepare(); err != nil {
				return err
			}
			for i := first; i < min(n, first+each); i++ {
				if err := g.take(synthetic(i)); err != nil {
					return err
				}
			}
			v.hold(g.content, &facts.Container{Path: "containers/a.warc.gz", Viral: map[int64]bool{}})
			p := &publication{index: x, tx: tx, pkg: pkg, versions: []*version{v}, now: time.Now().Unix(), history: true, specs: newSpecs(tx)}
			return p.publish(ctx)
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%d records in %s", n, time.Since(began).Round(time.Second))
	return a
}

// synthetic is a record like those of a crawl.
func synthetic(i int) model.Record {
	types := []string{"text/html; charset=utf-8", "image/jpeg", "image/png", "text/css", "application/javascript", "application/pdf"}
	host := fmt.Sprintf("www.site-%d.example", i%997)
	return model.Record{
		Order: int64(i + 1), Type: "response", ID: fmt.Sprintf("<urn:uuid:%08d-0000-4000-8000-000000000000>", i),
		URI: fmt.Sprintf("http://%s/section/%d/page-%d.html?session=%d", host, i%50, i, i%7), Host: host,
		Date:   time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * 61 * time.Second),
		Offset: int64(i) * 10_000, Stored: 9_999, Length: 30_000, Block: 29_000, Payload: 28_700, ServedType: types[i%len(types)], Status: "200",
		Body: &model.Body{SHA256: sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(i))), Whole: true},
	}
}

// BenchmarkPages asks for the first and the last page of a million records, of all and of a set. With -benchtime=200x.
func BenchmarkPages(b *testing.B) {
	const n = 1_000_000
	a := many(b, n)
	ctx := context.Background()
	if info, err := os.Stat(filepath.Join(dirOf(b, a), "index.db")); err == nil {
		b.Logf("the index has %d bytes a record", info.Size()/n)
	}
	for _, set := range []string{"", "mime:image", "mime:image:png", "host:www.site-5.example", "year"} {
		last := lastOf(b, a, set)
		for _, at := range []struct {
			name  string
			after provider.Position
		}{{"first", provider.Position{}}, {"last", last}} {
			b.Run(strings.ReplaceAll(fmt.Sprintf("%s page of %q", at.name, set), " ", "-"), func(b *testing.B) {
				for range b.N {
					headers, err := a.some(ctx, provider.Query{Set: set, After: at.after})
					if err != nil || len(headers) < 100 {
						b.Fatal(len(headers), err)
					}
				}
			})
		}
	}
	b.Run("header", func(b *testing.B) {
		id := lastOf(b, a, "").Identifier
		c, err := ParseIdentifier(id)
		if err != nil {
			b.Fatal(err)
		}
		b.ResetTimer() // the walk to the end does not count
		for range b.N {
			err := a.snapshot(ctx, func(tx *sql.Tx) error {
				_, _, err := a.header(ctx, tx, id, &c)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func dirOf(b *testing.B, a *Archive) string {
	b.Helper()
	var n, name, file string
	if err := a.index.db.QueryRow("PRAGMA database_list").Scan(&n, &name, &file); err != nil {
		b.Fatal(err)
	}
	return filepath.Dir(file)
}

// lastOf is the position before the last 101 records.
func lastOf(b *testing.B, a *Archive, set string) provider.Position {
	b.Helper()
	var all []protocol.Header
	q := provider.Query{Set: set}
	for {
		headers, err := a.some(context.Background(), q)
		if err != nil {
			b.Fatal(err)
		}
		if len(headers) == 0 {
			at := all[max(0, len(all)-101)]
			return provider.Position{Datestamp: at.Datestamp, Identifier: at.Identifier}
		}
		all = append(all[max(0, len(all)-200):], headers...)
		last := headers[len(headers)-1]
		q.After = provider.Position{Datestamp: last.Datestamp, Identifier: last.Identifier}
	}
}
