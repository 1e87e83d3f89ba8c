package main

import (
	"os"
	"path/filepath"
	"testing"

	"quire/internal/pgtest"
	"quire/internal/prove"
	"quire/model"
	"quire/repository/catalogue"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// TestScale makes a catalogue in a file and in PostgreSQL, and asks it: a small one in each run, and for make prove 20
// million numbers in a file and 65 million in PostgreSQL, of 1.6 million containers. It asserts no time.
func TestScale(t *testing.T) {
	size := func(b bench, whole bench) bench {
		if prove.Whole() {
			b = whole
		}
		return b
	}
	for name, b := range map[string]bench{
		"file": size(bench{packages: 40, hosts: 500, each: 30, asked: 3, file: filepath.Join(t.TempDir(), "c.db")},
			bench{packages: 360_000, hosts: 1_000_000, each: 30, asked: 200, file: filepath.Join(t.TempDir(), "c.db")}),
		"database": size(bench{packages: 40, hosts: 500, each: 30, asked: 3},
			bench{packages: 400_000, hosts: 1_000_000, each: 140, asked: 200}),
	} {
		t.Run(name, func(t *testing.T) {
			if b.file == "" {
				p := pgtest.Place(t)
				b.database = p.Address
			}
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if prove.Whole() { // millions of packages to add up
				return
			}
			counted, sums := b.compared(t)
			if counted != sums || counted == 0 {
				t.Errorf("the numbers have %d captures, the sums %d", counted, sums)
			}
		})
	}
}

// compared returns the captures of all hosts, from the numbers of the packages and from the sums.
func (b *bench) compared(t *testing.T) (counted, sums int64) {
	t.Helper()
	b.keep = true
	c, err := b.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // it was read only
	all, err := c.Sums(t.Context(), catalogue.NumberQuery{Kind: model.ByHost})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		sums += s.Count
	}
	for p, err := range c.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		rows, _, err := c.Numbers(t.Context(), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range rows {
			if n.Kind == model.ByHost {
				counted += n.Count
			}
		}
	}
	return counted, sums
}
