package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"quire/model"
	"quire/preserve/inspect"
)

// identifying is the cost of identifying the format of each payload by PRONOM's signatures. Quire
// recognizes a repeated payload by its digest, so only distinct payloads cost time.
type identifying struct {
	Payloads, Distinct int
	Inspect            usage  // `quire inspect --identify`
	Missing            string // reason if not measured
	Kinds              []kindCost
}

// kindCost is the time for one payload of a kind, from the benchmarks of preserve/identify.
type kindCost struct {
	Kind         string
	Milliseconds float64
}

// PerPayload returns the processor time that one distinct payload adds to an inspection without
// identification, in milliseconds.
func (i identifying) PerPayload(without quire) string {
	if i.Distinct == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f ms", 1000*(i.Inspect.CPU-without.CPU)/float64(i.Distinct))
}

// Goals returns the goals for identifying, beside an inspection without it.
func (i identifying) Goals(without quire) []goal {
	if i.Missing != "" {
		return nil
	}
	return []goal{
		{"processor time to `quire inspect`", "at most 2", ratio(i.Inspect.CPU, without.CPU),
			i.Inspect.CPU <= 2*without.CPU},
		{"resident memory", "below 150 MB", resident(i.Inspect.RSS), i.Inspect.RSS*1024 < 150e6},
	}
}

func measureIdentifying(o options) (identifying, error) {
	var i identifying
	var err error
	if i.Payloads, i.Distinct, err = countPayloads(o.corpus); err != nil {
		return i, err
	}
	for range o.rounds {
		u, _, err := run(o.quire, "inspect", "--identify", o.corpus)
		var failed *failure
		if errors.As(err, &failed) && strings.Contains(string(failed.said), "--identify") {
			i.Missing = "this `quire inspect` knows no `--identify`"
			break
		}
		if err != nil {
			return i, err
		}
		i.Inspect.best(u)
	}
	i.Kinds, err = measureKinds()
	return i, err
}

// countPayloads counts the payloads of a container that have a digest of the crawler, and the
// distinct digests among them.
func countPayloads(container string) (all, distinct int, err error) {
	digests := map[string]bool{}
	_, err = inspect.File(context.Background(), container, inspect.Options{Record: func(r model.Record) error {
		if r.PayloadDigest != "" && r.Type != "revisit" { // a revisit has the digest of an omitted payload
			all++
			digests[r.PayloadDigest] = true
		}
		return nil
	}})
	return all, len(digests), err
}

func measureKinds() ([]kindCost, error) {
	out, err := exec.Command("go", "test", "-run", "^$", "-bench", "^Benchmark(Distinct|Seen)$",
		"./preserve/identify").Output()
	if err != nil {
		return nil, fmt.Errorf("the benchmarks of preserve/identify: %w", err)
	}
	return parseKinds(string(out))
}

var benchmark = regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(\S+) ns/op`)

// parseKinds reads the benchmark output of go test.
func parseKinds(text string) (kinds []kindCost, err error) {
	for _, m := range benchmark.FindAllStringSubmatch(text, -1) {
		nanoseconds, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return nil, err
		}
		kind := strings.ReplaceAll(strings.TrimPrefix(m[1], "Distinct/"), "-", ", ")
		if kind == "Seen" {
			kind = "any, seen before"
		}
		kinds = append(kinds, kindCost{kind, nanoseconds / 1e6})
	}
	return kinds, nil
}
