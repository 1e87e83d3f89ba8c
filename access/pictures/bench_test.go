package pictures

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"testing"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/sqlite"
)

// open is holdings in which everything is open. It answers at once, so the benchmark measures the index.
type open struct{ Holdings }

func (open) Captures(_ context.Context, _ holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged, error] {
	return func(yield func(holdings.Judged, error) bool) {
		c := &captures.Capture{URL: q.URL, Timestamp: q.From, Record: captures.Place{SHA256: q.URL}}
		yield(holdings.Judged{Capture: c, Decision: holdings.Decision{Allowed: true}}, nil)
	}
}

// BenchmarkQuery searches 100,000 pictures, each with the words of its address and of a page.
func BenchmarkQuery(b *testing.B) {
	ctx := context.Background()
	p, err := Open(ctx, b.TempDir(), open{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = p.Close() }()
	if err := sqlite.InTx(ctx, p.db, func(tx *sql.Tx) error {
		if _, err := tx.Exec(`INSERT INTO package (id, name, state) VALUES (1, 'p', 'read')`); err != nil {
			return err
		}
		w := &writer{p: p, pkg: 1, tx: tx}
		for i := range 100_000 {
			url := fmt.Sprintf("http://a.example/%d.png", i)
			if _, err := tx.Exec(`INSERT INTO picture (id, package, key, url, time, digest, bytes, width, height, `+
				`colour) VALUES (?1,1,?2,?2,?3,?2 || ' ',1000,?4,300,?5)`, i+1, url, 20100101000000+int64(i),
				100+i%1200, i%8); err != nil {
				return err
			}
			words := fmt.Sprintf("picture %d of the harbour %d", i, i%100)
			for _, page := range []string{"", fmt.Sprintf("http://a.example/page%d", i/10)} {
				if err := w.mention(int64(i+1), page, 20100101000000, "alt", words, words); err != nil {
					return err
				}
			}
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	for name, q := range map[string]Query{"all": {}, "often": {Text: "harbour"}, "rare": {Text: "77 harbour"},
		"filtered": {Text: "harbour", Colour: "blue", Size: Large}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r, err := p.Query(ctx, holdings.Reader{Class: holdings.Public}, q)
				if err != nil || r.Total == 0 || len(r.Pictures) == 0 {
					b.Fatal(r, err)
				}
			}
		})
	}
}
