// Access measures the cost of readers: replayed pages, look-ups, searches, timelines, and memory
// under load. It measures pywb on the same bytes in the same run, and writes
// docs/explanation/715_performance-access.md. It makes a web archive with the same bytes every
// time.
//
//	access -quire build/quire -work build/bench/access -out docs/explanation/715_performance-access.md [-wayback PATH] [-load 30m]
//
// Server and readers share the machine.
package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"text/template"
	"time"
)

//go:embed performance-access.md.tmpl
var page string

type options struct {
	quire, wayback, work, only string
	pages, captures            int
	load, each                 time.Duration
	rounds                     int
}

// report is the data of the page.
type report struct {
	When            string
	Processors      int
	Pages, Captures int
	Stored          int64
	Indexing        []indexing
	Giving          []throughput
	Search          []latency
	Timeline        []latency
	Load            load
}

func main() {
	var o options
	flag.StringVar(&o.quire, "quire", "build/quire", "the program")
	flag.StringVar(&o.wayback, "wayback", os.Getenv("QUIRE_WAYBACK"),
		"path of pywb's program wayback, for comparison; empty for no comparison")
	flag.StringVar(&o.work, "work", "build/bench/access", "the working folder")
	flag.IntVar(&o.pages, "pages", 100_000, "number of pages to search and look up")
	flag.IntVar(&o.captures, "captures", 100_000, "number of captures of the one URL")
	flag.DurationVar(&o.load, "load", 30*time.Minute,
		"duration of the mixed load; 0 reports the result of the last one")
	flag.DurationVar(&o.each, "each", 8*time.Second, "duration of each other measurement")
	flag.IntVar(&o.rounds, "rounds", 3, "number of rounds; the best counts")
	flag.StringVar(&o.only, "only", "",
		"load: only the mixed load, for a later run with -load 0; search: only searches of the existing "+
			"index, with results on standard error; page: only write the page from earlier results")
	out := flag.String("out", "docs/explanation/715_performance-access.md", "the document to write")
	flag.Parse()
	if err := measure(o, *out); err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(2)
	}
}

// rewritePage writes the page from the results of the last run and the last load.
func rewritePage(o options, out string) error {
	var r report
	text, err := os.ReadFile(filepath.Join(o.work, "report.json"))
	if err = errors.Join(err, json.Unmarshal(text, &r)); err != nil {
		return err
	}
	o.load = 0
	if r.Load, err = loadOf(o, nil); err != nil {
		return err
	}
	return write(out, r)
}

func measure(o options, out string) (err error) {
	if o.only == "page" {
		return rewritePage(o, out)
	}
	r := report{When: time.Now().UTC().Format("2006-01-02"), Processors: runtime.NumCPU(), Pages: o.pages,
		Captures: o.captures}
	repo, container, err := makeRepository(o)
	if err != nil {
		return err
	}
	if info, err := os.Stat(container); err == nil {
		r.Stored = info.Size()
	}
	switch o.only {
	case "load":
		return onlyLoad(o, repo)
	case "search":
		return onlySearch(o, repo)
	}
	if r.Indexing, err = measureIndexing(o, repo); err != nil {
		return err
	}
	if r.Giving, err = measureGiving(o, repo, container); err != nil {
		return err
	}
	s, err := serveQuire(o, repo)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	if r.Search, err = measureSearch(o, s); err != nil {
		return err
	}
	if r.Timeline, err = measureTimeline(o, s); err != nil {
		return err
	}
	if r.Load, err = loadOf(o, s); err != nil {
		return err
	}
	text, err := json.Marshal(r)
	return errors.Join(err, os.WriteFile(filepath.Join(o.work, "report.json"), text, 0o600), write(out, r))
}

// write fills in the page.
func write(out string, r report) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"mb":      func(n int64) string { return fmt.Sprintf("%.0f MB", float64(n)/1e6) },
		"count":   func(f float64) string { return fmt.Sprintf("%.0f", f) },
		"ms":      func(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) },
		"s":       func(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) },
		"minutes": func(d time.Duration) string { return fmt.Sprintf("%.0f", d.Minutes()) },
	}).Parse(page)
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Clean(out))
	if err != nil {
		return err
	}
	if err := t.Execute(f, r); err != nil {
		_ = f.Close() // the first error is returned
		return err
	}
	return f.Close()
}

// progress prints progress messages for the person at the terminal.
func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...)
}
