// Numbers makes a large catalogue without content, in a file or in PostgreSQL, and measures its answers: a page of a
// list, a package, sums of the numbers, due audits, and the cost of a package more. It writes the rows in bulk, and
// the sums from them, so the catalogue is that which packages one by one would make.
//
//	numbers -packages 400000 -file /tmp/large.db
//	numbers -packages 400000 -database postgres://quire@/postgres?host=/run/postgresql
//	numbers -keep -file /tmp/large.db
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"quire/internal/postgres"
	"quire/repository/catalogue"
)

func main() {
	var b bench
	flag.IntVar(&b.packages, "packages", 100_000, "number of packages, of 4 containers each")
	flag.IntVar(&b.hosts, "hosts", 1_000_000, "number of hosts")
	flag.IntVar(&b.each, "each", 30, "number of hosts of a package; it has at most 26 other numbers")
	flag.StringVar(&b.file, "file", "", "the file of the catalogue")
	flag.StringVar(&b.database, "database", "", "the address of a database")
	flag.BoolVar(&b.keep, "keep", false, "measure a catalogue that is there")
	flag.IntVar(&b.asked, "asked", 200, "number of calls of each kind")
	flag.Parse()
	if err := b.run(context.Background()); err != nil {
		fmt.Fprintf(os.Stderr, "numbers: %v\n", err)
		os.Exit(2)
	}
}

type bench struct {
	packages, hosts, each, asked int
	file, database               string
	keep                         bool
}

// place is the schema that the bench makes.
func (b *bench) place() postgres.Place {
	return postgres.Place{Address: b.database, Schema: "quire_bench_numbers"}
}

// open opens the catalogue, and makes it first unless it is kept.
func (b *bench) open(ctx context.Context) (c *catalogue.Catalogue, err error) {
	switch {
	case b.database != "" && !b.keep:
		return catalogue.CreateDatabase(ctx, b.place())
	case b.database != "":
		return catalogue.OpenDatabase(ctx, b.place(), catalogue.ForWriting)
	}
	return catalogue.Open(ctx, b.file)
}

func (b *bench) run(ctx context.Context) error {
	c, err := b.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }() // it was committed
	if !b.keep {
		began := time.Now()
		if err := b.fill(ctx); err != nil {
			return err
		}
		fmt.Printf("filled in %s\n", time.Since(began).Round(time.Second))
	}
	return b.ask(ctx, c)
}
