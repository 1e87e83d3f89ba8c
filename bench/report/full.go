package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// fullMETS is the cost of writing the METS of the profile full for a container of a million
// bytestreams.
type fullMETS struct {
	Bytes     int64   // of XML
	PerSecond float64 // MB per second, by the clock
	Held      float64 // MB of memory, without PRONOM's signatures
}

// Goal reports whether the METS meets issue 5's goal: at least 200 MB/s, and less than 100 MB of
// memory.
func (f fullMETS) Goal() string {
	if f.PerSecond >= 200 && f.Held < 100 {
		return "met"
	}
	return "**missed**"
}

// measureFullMETS runs the benchmark of package pack, built by bench/run.
func measureFullMETS(o options) (best fullMETS, err error) {
	for range o.rounds {
		_, out, err := run(filepath.Join(o.tool, "pack.test"), "-test.run", "^$", "-test.bench", "FullMETS",
			"-test.benchtime", "1x")
		if err != nil {
			return best, err
		}
		f, err := parseFullMETS(string(out))
		if err != nil {
			return best, err
		}
		held := max(best.Held, f.Held)
		if f.PerSecond > best.PerSecond {
			best = f
		}
		best.Held = held
	}
	return best, nil
}

// parseFullMETS reads the result line of the benchmark: numbers, each followed by its unit.
func parseFullMETS(out string) (fullMETS, error) {
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, "BenchmarkFullMETS") {
			continue
		}
		var f fullMETS
		var each float64
		fields := strings.Fields(line)
		for i := 2; i+1 < len(fields); i += 2 {
			n, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return f, fmt.Errorf("the line %q: %w", line, err)
			}
			switch fields[i+1] {
			case "MB/s":
				f.PerSecond = n
			case "MB-held":
				f.Held = n
			case "B/bytestream":
				each = n
			}
		}
		f.Bytes = int64(each * 1e6)
		if f.PerSecond == 0 || f.Bytes == 0 {
			break
		}
		return f, nil
	}
	return fullMETS{}, fmt.Errorf("the benchmark printed %q: %w", out, os.ErrInvalid)
}
