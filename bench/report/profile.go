package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// share is the part of the pass that one kind of work takes.
type share struct {
	Work string
	Part float64 // of the samples, 0 to 1
}

// kinds are distinguished by the functions on the stack. Inflating calls the reader of the file,
// which also digests; those stacks are excluded from inflating.
var kinds = []struct{ work, focus, ignore string }{
	{"inflating", `klauspost/compress/flate\.|quire/format/deflate\.`, `inspect\.\(\*tap\)`},
	{"SHA-1 of blocks and payloads", `crypto/sha1\.`, ""},
	{"SHA-512 of the file", `sha512\.`, ""},
	{"CRC-32 of the members", `hash/crc32\.`, ""},
	{"reading the file", `os\.\(\*File\)\.Read`, ""},
}

func measureShares(o options) ([]share, error) {
	program, samples := filepath.Join(o.tool, "profile"), filepath.Join(o.work, "cpu.prof")
	if _, _, err := run(program, o.corpus, samples); err != nil {
		return nil, err
	}
	var shares []share
	rest := 1.0
	for _, k := range kinds {
		part, err := stacks(program, samples, k.focus, k.ignore)
		if err != nil {
			return nil, err
		}
		rest -= part
		shares = append(shares, share{k.work, part})
	}
	slices.SortStableFunc(shares, func(a, b share) int { return int(1e6 * (b.Part - a.Part)) })
	return append(shares, share{"all else: records, HTTP, counting, the runtime", max(rest, 0)}), nil
}

// stacks returns the part of the samples with focus, but not ignore, in their stack.
func stacks(program, samples, focus, ignore string) (float64, error) {
	out, err := exec.Command("go", "tool", "pprof", "-top", "-nodefraction=0", "-nodecount=100000",
		"-focus="+focus, "-ignore="+ignore, program, samples).Output()
	if err != nil {
		return 0, fmt.Errorf("pprof: %w", err)
	}
	return parseShare(string(out))
}

var accounting = regexp.MustCompile(`Showing nodes accounting for [^,]+, ([0-9.]+)% of`)

// parseShare reads the share from the lines that pprof prints above its table. If nothing matches,
// pprof prints no such line.
func parseShare(text string) (float64, error) {
	m := accounting.FindStringSubmatch(text)
	if m == nil {
		return 0, nil
	}
	percent, err := strconv.ParseFloat(m[1], 64)
	return percent / 100, err
}
