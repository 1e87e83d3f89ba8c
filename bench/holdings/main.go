// Holdings measures a repository of many small packages as readers see it: the memory of a package, the time until
// all packages can be found, and the start of `quire serve`.
//
//	holdings -packages 100000 -work /mnt/holdings
//
// It makes the repository in an empty folder, with one copy; a repository that is there is measured. Each package is
// made from one that `quire pack` writes: one container, one record, rights, another identifier and title.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	var b bench
	flag.IntVar(&b.packages, "packages", 10_000, "number of packages")
	flag.StringVar(&b.work, "work", "", "the folder for all files")
	flag.StringVar(&b.quire, "quire", "build/quire", "the program, to measure its start; empty for none")
	flag.StringVar(&b.profile, "profile", "", "write a heap profile to this file")
	flag.StringVar(&b.processor, "processor", "", "write a processor profile of the last opening to this file")
	flag.BoolVar(&b.reopen, "reopen", false, "measure only the second opening")
	flag.BoolVar(&b.fill, "fill", false, "only make the repository")
	flag.Parse()
	if err := b.run(context.Background()); err != nil {
		fmt.Fprintf(os.Stderr, "holdings: %v\n", err)
		os.Exit(2)
	}
}

// bench holds the options of a run.
type bench struct {
	packages             int
	work, quire, profile string
	processor            string
	reopen, fill         bool
}

func (b *bench) repo() string { return filepath.Join(b.work, "repo") }

func (b *bench) run(ctx context.Context) error {
	if _, err := os.Stat(b.repo()); err != nil {
		if err := b.ingest(ctx); err != nil {
			return err
		}
	}
	if b.fill {
		return nil
	}
	if !b.reopen {
		if err := b.open(ctx, "first opening"); err != nil {
			return err
		}
	}
	if err := b.open(ctx, "second opening"); err != nil {
		return err
	}
	if b.quire == "" {
		return nil
	}
	return b.serve(ctx)
}
