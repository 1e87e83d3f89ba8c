// Store measures a repository of many small packages: the rate of ingest as it grows, its answers to
// list and show, and the loss and refill of a copy. It writes the page of figures.
//
//	mount -t tmpfs -o size=16g,nr_inodes=8m tmpfs /mnt/store
//	store -packages 100000 -work /mnt/store
//
// A run that was cut off, or with another program, goes on behind the last part in figures.json there.
//
// Each package is made from one that `quire pack` writes: one container, one record, another
// identifier. Blanks between the elements of its METS are removed, to fit into memory.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

func main() {
	var m measurement
	flag.IntVar(&m.Packages, "packages", 100_000, "number of packages")
	flag.IntVar(&m.Lost, "lost", 10_000, "number of packages of the repository that loses a copy")
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
	Load     float64 // of the machine, as the commands began
	Lost     int     // packages of the repository that loses a copy
	Copy     usage   // cp -r of one copy, then sha512sum of both
	Refill   usage   // audit --repair --owed after the loss of that copy
	Files    int     // in one copy
	Bytes    int64   // in one copy

	work, quire string
}

// repo and copies are the places of the repository.
func (m *measurement) repo() string      { return filepath.Join(m.work, "repo") }
func (m *measurement) copy(n int) string { return filepath.Join(m.work, fmt.Sprint("copy-", n)) }

func (m *measurement) run(ctx context.Context, out string) error {
	m.When = time.Now().UTC().Format("2006-01-02")
	if err := m.load(); err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		done bool
		do   func() error
	}{
		{"ingest", len(m.Steps) > 0, func() error { return m.ingest(ctx) }},
		{"commands", len(m.Commands) > 0, m.ask},
		{"refill", m.Refill.CPU > 0, func() error { return m.lose(ctx) }},
	} {
		if part.done {
			continue
		}
		if err := errors.Join(part.do(), m.save()); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return m.write(out)
}

// figures is the file with the figures of the parts that were measured.
func (m *measurement) figures() string { return filepath.Join(m.work, "figures.json") }

// load reads the figures of a run that was cut off.
func (m *measurement) load() error {
	text, err := os.ReadFile(m.figures())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, json.Unmarshal(text, m))
}

func (m *measurement) save() error {
	text, err := json.MarshalIndent(m, "", "  ")
	return errors.Join(err, os.WriteFile(m.figures(), text, 0o600))
}
