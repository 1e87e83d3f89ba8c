// Report runs the measurements and writes docs/explanation/710_performance.md. bench/run prepares
// the files and calls it.
//
// Compared programs run in turns, round by round, so that a busy moment of the machine affects all
// alike. The best round counts for each number. Every command is a separate process, measured by
// GNU time.
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"text/template"
)

//go:embed performance.md.tmpl
var page string

// options are the folders and programs that bench/run prepared.
type options struct {
	rounds              int
	work, shared        string
	quire, corpus, tool string // derived: binary, corpus, folder of our programs
	floor, peers        string // derived: floor script, folder of the peers
}

// report is the data of the template.
type report struct {
	Machine     machine
	Rounds      int
	Cold        bool
	Reading     reading
	Packages    []readerPackage
	Shares      []share
	Identifying identifying
	Hostile     []hostile
	METS        []metsRow
	FullMETS    fullMETS
	Converting  converting
	Storing     storing
}

func main() {
	var o options
	flag.IntVar(&o.rounds, "rounds", 3, "number of rounds; the best counts")
	flag.StringVar(&o.work, "work", "build/bench", "the working folder")
	flag.StringVar(&o.shared, "shared", "../shared", "the shared folder, with the floor and the bombs")
	out := flag.String("out", "docs/explanation/710_performance.md", "the document to write")
	flag.Parse()
	o.quire, o.corpus, o.tool = "build/quire", filepath.Join(o.work, "docs.warc.gz"), filepath.Join(o.work, "bin")
	o.floor, o.peers = filepath.Join(o.shared, "tools", "floor"), filepath.Join(o.work, "peers")
	if whole, err := filepath.EvalSymlinks(o.corpus); err == nil { // some peers skip links
		o.corpus = whole
	}
	if err := write(*out, o); err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(2)
	}
}

// write measures everything before it touches the document.
func write(out string, o options) error {
	r, err := measure(o)
	if err != nil {
		return err
	}
	text, err := render(r)
	if err != nil {
		return err
	}
	part := out + ".part"
	if err := os.WriteFile(part, text, 0o666); err != nil {
		return err
	}
	return os.Rename(part, out)
}

func measure(o options) (*report, error) {
	r := &report{Rounds: o.rounds}
	var err error
	if r.Machine, err = describeMachine(o); err != nil {
		return nil, err
	}
	if r.Reading, err = measureReading(o); err != nil {
		return nil, fmt.Errorf("reading: %w", err)
	}
	if r.Packages, err = measurePackages(o); err != nil {
		return nil, fmt.Errorf("packages of Go: %w", err)
	}
	if r.Shares, err = measureShares(o); err != nil {
		return nil, fmt.Errorf("profile: %w", err)
	}
	if r.Identifying, err = measureIdentifying(o); err != nil {
		return nil, fmt.Errorf("identifying: %w", err)
	}
	if r.Hostile, err = measureHostile(o); err != nil {
		return nil, fmt.Errorf("hostile containers: %w", err)
	}
	if r.METS, err = measureMETS(o); err != nil {
		return nil, fmt.Errorf("METS: %w", err)
	}
	if r.FullMETS, err = measureFullMETS(o); err != nil {
		return nil, fmt.Errorf("METS of a million bytestreams: %w", err)
	}
	if r.Converting, err = measureConverting(o); err != nil {
		return nil, fmt.Errorf("converting: %w", err)
	}
	if r.Storing, err = measureStoring(o); err != nil {
		return nil, fmt.Errorf("storing: %w", err)
	}
	r.Cold = dropCaches() == nil
	r.Machine.LoadAfter = load()
	return r, nil
}

func render(r *report) ([]byte, error) {
	t, err := template.New("performance.md").Funcs(template.FuncMap{
		"s": seconds, "ratio": ratio, "mib": mib, "mb": megabytes, "mem": resident, "percent": percent, "sum": sum,
	}).Parse(page)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, r)
	return b.Bytes(), err
}

func seconds(s float64) string { return fmt.Sprintf("%.2f s", s) }

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func mib(kib int64) string { return fmt.Sprintf("%.0f MiB", float64(kib)/1024) }

// resident formats memory in the unit of the limits.
func resident(kib int64) string { return megabytes(kib * 1024) }

func megabytes(bytes int64) string { return fmt.Sprintf("%.0f MB", float64(bytes)/1e6) }

func sum(a, b float64) float64 { return a + b }

// ratio formats a divided by b, or nothing if b is 0.
func ratio(a, b float64) string {
	if b <= 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", a/b)
}
