package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// paging is the cost of a page of 100 records, by its position in a list of a million.
type paging struct {
	What                string
	First, Middle, Last float64 // microseconds; Middle is 0 if not measured
}

// measurePaging runs the benchmarks of the provider, with records in memory, and of a site's index
// on disk.
func measurePaging() (list []paging, err error) {
	provider, err := benchmark("./oai/provider", "Million", "1x")
	if err != nil {
		return nil, err
	}
	for _, verb := range []string{"ListRecords", "ListIdentifiers"} {
		m := provider["BenchmarkMillion/"+verb]
		list = append(list, paging{"`" + verb + "` over HTTP, records in memory", m["first-µs/page"],
			m["middle-µs/page"], m["last-µs/page"]})
	}
	site, err := benchmark("./oai/site", "Page", "200x")
	if err != nil {
		return nil, err
	}
	for _, set := range []string{"", "mime:image:png", "year:2020"} {
		name := "the index of a site, on disk"
		if set != "" {
			name += ", set `" + set + "`"
		}
		list = append(list, paging{name, site["BenchmarkPage/"+set+"/first"]["ns/op"] / 1000, 0,
			site["BenchmarkPage/"+set+"/last"]["ns/op"] / 1000})
	}
	for _, p := range list {
		if p.First == 0 || p.Last == 0 {
			return nil, fmt.Errorf("no benchmark result for %s: %w", p.What, os.ErrInvalid)
		}
		progress("paging: %s, %.0f to %.0f µs", p.What, p.First, p.Last)
	}
	return list, nil
}

// benchmark runs the matching benchmarks of a package over a million records, and returns their
// figures by name and unit.
func benchmark(pkg, name, times string) (map[string]map[string]float64, error) {
	cmd := exec.Command("go", "test", "-run", "^$", "-bench", name, "-benchtime", times, "-timeout", "30m",
		pkg) //nolint:gosec // our own benchmarks
	cmd.Env = append(os.Environ(), "QUIRE_RECORDS=1000000")
	said, err := cmd.Output()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", cmd, err), errors.New(string(said)))
	}
	return parseBenchmark(string(said))
}

// parseBenchmark reads the result lines of benchmarks: a name, an iteration count, then numbers
// with units.
func parseBenchmark(said string) (map[string]map[string]float64, error) {
	all := map[string]map[string]float64{}
	for line := range strings.Lines(said) {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(line, "Benchmark") {
			continue
		}
		name := fields[0]
		if i := strings.LastIndexByte(name, '-'); i > 0 { // the number of processors
			name = name[:i]
		}
		name = strings.TrimSuffix(name, "#00")
		all[name] = map[string]float64{}
		for i := 2; i+1 < len(fields); i += 2 {
			n, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return nil, fmt.Errorf("the line %q: %w", line, err)
			}
			all[name][fields[i+1]] = n
		}
	}
	return all, nil
}
