// Oai measures the cost of serving web resources to harvesters, and the delay that visitors notice
// meanwhile. It writes docs/explanation/720_performance-oai.md. It makes a website of mixed files,
// the same bytes every time; quire serves it, and the benchmark harvests it.
//
//	oai -quire build/quire -work build/bench/oai -out docs/explanation/720_performance-oai.md [-metha metha-sync]
//
// Server, harvester and visitors share the machine. Each measurement begins with an empty index of
// the site.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"text/template"
	"time"
)

//go:embed performance-oai.md.tmpl
var page string

type options struct {
	quire, metha, work string
	files, rounds      int
}

// report is the data of the page.
type report struct {
	When       string
	Processors int
	Site       site
	Giving     []throughput
	Visitors   visitors
	Harvesting []harvestCost
	Paging     []paging
}

func main() {
	var o options
	flag.StringVar(&o.quire, "quire", "build/quire", "the program")
	flag.StringVar(&o.metha, "metha", os.Getenv("QUIRE_METHA"),
		"the program metha-sync, for comparison; empty for no comparison")
	flag.StringVar(&o.work, "work", "build/bench/oai", "the working folder")
	flag.IntVar(&o.files, "files", 5000, "number of files of the website")
	flag.IntVar(&o.rounds, "rounds", 3, "number of rounds; the best counts")
	out := flag.String("out", "docs/explanation/720_performance-oai.md", "the document to write")
	flag.Parse()
	if err := measure(o, *out); err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(2)
	}
}

func measure(o options, out string) (err error) {
	r := report{When: time.Now().UTC().Format("2006-01-02"), Processors: runtime.NumCPU()}
	folder := filepath.Join(o.work, "site")
	if r.Site, err = makeSite(folder, o.files); err != nil {
		return err
	}
	if r.Giving, err = measureGiving(o, folder); err != nil {
		return err
	}
	if r.Visitors, err = measureVisitors(o, folder); err != nil {
		return err
	}
	if r.Harvesting, err = measureHarvesting(o, folder); err != nil {
		return err
	}
	if r.Paging, err = measurePaging(); err != nil {
		return err
	}
	return write(out, r)
}

// write fills in the page.
func write(out string, r report) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"mb": func(n int64) string { return fmt.Sprintf("%.0f MB", float64(n)/1e6) },
		"micro": func(n float64) string {
			if n == 0 {
				return ""
			}
			return fmt.Sprintf("%.0f µs", n)
		},
		"ms": func(d time.Duration) string { return fmt.Sprintf("%.2f ms", d.Seconds()*1000) },
	}).Parse(page)
	if err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := t.Execute(f, r); err != nil {
		_ = f.Close() // the first error is returned
		return err
	}
	return f.Close()
}
