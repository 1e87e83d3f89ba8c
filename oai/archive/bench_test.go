package archive

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/holdings/captures"
	"quire/holdings/facts"
	"quire/holdings/rights"
	"quire/internal/extsort"
	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/preserve/statements"
)

// many fills the index with invented records, in packages of a hundred thousand, as if they were in
// the CDXJ index.
func many(b *testing.B, n int) *Archive {
	b.Helper()
	ctx := context.Background()
	x, err := openIndex(ctx, filepath.Join(b.TempDir(), "index.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = x.close() })
	a := &Archive{index: x, options: Options{Now: time.Now, Location: time.UTC, Class: rights.Public,
		Unstated: rights.Open}}
	const each = 100_000
	began := time.Now()
	for first := 0; first < n; first += each {
		name := fmt.Sprintf("package-%d", first/each)
		f := &facts.Facts{Rights: &statements.Set{Package: name}, Descriptions: map[string][]byte{}}
		since := began.Unix() - int64(n-first)/each*60
		v := &version{Facts: f, number: 1, since: since, location: time.UTC, unstated: rights.Open,
			contents: map[string]*facts.Container{}, paths: map[string]string{}}
		v = v.states(rights.Said{Set: f.Rights})
		v.hold("content", &facts.Container{Path: "containers/a.warc.gz", Viral: map[int64]bool{}})
		g := &gatherer{Archive: a, pkg: name, sorted: extsort.New(extsort.Options{Memory: 32 << 20}),
			leftOut: map[string]int64{}}
		for i := first; i < min(n, first+each); i++ {
			if err := g.add(synthetic(i), "content", []change{{since, true}}); err != nil {
				b.Fatal(err)
			}
		}
		err := x.write(ctx, func(tx *sql.Tx) error {
			pkg, err := packageRow(ctx, tx, name)
			if err != nil {
				return err
			}
			now := time.Now().Unix()
			p := &publication{Archive: a, tx: tx, pkg: pkg, versions: []*version{v}, now: now, next: now, history: true,
				specs: newSpecs(tx)}
			return p.publish(ctx, g)
		})
		if err := errors.Join(err, g.close()); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%d records in %s", n, time.Since(began).Round(time.Second))
	return a
}

// synthetic returns a capture like the captures of a crawl.
func synthetic(i int) *captures.Capture {
	types := []string{"text/html", "image/jpeg", "image/png", "text/css", "application/javascript", "application/pdf"}
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(i)))
	return &captures.Capture{
		ID: fmt.Sprintf("<urn:uuid:%08d-0000-4000-8000-000000000000>", i), Type: "response", Status: 200,
		MIME: types[i%len(types)], Length: 28_700,
		URL: fmt.Sprintf("http://www.site-%d.example/section/%d/page-%d.html?session=%d", i%997, i%50, i, i%7),
		Timestamp: time.Date(2010, 1, 1, 0, 0, 0, 0,
			time.UTC).Add(time.Duration(i) * 61 * time.Second).Format(dateForm),
		Record: captures.Place{Order: int64(i + 1), Offset: int64(i) * 10_000, Stored: 9_999, Body: 28_700,
			SHA256: hex.EncodeToString(sum[:])},
	}
}

// BenchmarkPages requests the first and the last page of a million records, a hundred thousand with
// -short, of all and of a set. With -benchtime=200x.
func BenchmarkPages(b *testing.B) {
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	a := many(b, n)
	ctx := context.Background()
	if info, err := os.Stat(filepath.Join(dirOf(b, a), "index.db")); err == nil {
		b.Logf("the index has %d bytes a record", info.Size()/int64(n))
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
		b.ResetTimer() // exclude the walk to the end
		for range b.N {
			err := a.snapshot(ctx, func(tx *sql.Tx) error {
				_, err := a.header(ctx, tx, id, &c)
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

// lastOf returns the position before the last 101 records.
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
