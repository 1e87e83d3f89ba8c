// Store measures a repository of many small packages: the rate of ingest as it grows, its answers to
// list and show, and the loss and refill of a copy. It writes the page of figures.
//
//	mount -t tmpfs -o size=16g,nr_inodes=8m tmpfs /mnt/store
//	store -packages 100000 -work /mnt/store
//
// Each package is made from one that `quire pack` writes: one container, one record, another
// identifier. Blanks between the elements of its METS are removed, to fit into memory.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

func main() {
	var m measurement
	flag.IntVar(&m.Packages, "packages", 100_000, "number of packages")
	flag.StringVar(&m.work, "work", "", "an empty folder for all files")
	flag.StringVar(&m.quire, "quire", "build/quire", "the program")
	out := flag.String("out", "docs/explanation/722_performance-store.md", "the page to write")
	flag.Parse()
	if err := m.run(context.Background(), *out); err != nil {
		fmt.Fprintf(os.Stderr, "store: %v\n", err)
		os.Exit(2)
	}
}

// measurement holds all figures of one run.
type measurement struct {
	Packages int
	When     string
	Steps    []step  // of the ingest
	Commands []usage // of the program, on the full repository
	Copy     usage   // cp -r of one copy, then sha512sum of both
	Refill   usage   // audit --repair after the loss of that copy
	Files    int     // in one copy
	Bytes    int64   // in one copy

	work, quire string
}

// repo and copies are the places of the repository.
func (m *measurement) repo() string      { return filepath.Join(m.work, "repo") }
func (m *measurement) copy(n int) string { return filepath.Join(m.work, fmt.Sprint("copy-", n)) }

func (m *measurement) run(ctx context.Context, out string) error {
	m.When = time.Now().UTC().Format("2006-01-02")
	if err := m.ingest(ctx); err != nil {
		return fmt.Errorf("ingest: %w", err)
	}
	if err := m.ask(); err != nil {
		return err
	}
	if err := m.refill(); err != nil {
		return fmt.Errorf("refill: %w", err)
	}
	return m.write(out)
}
