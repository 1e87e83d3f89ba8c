package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
)

// hostile is a container that provokes excessive memory or time, with the limits of issue 3.
type hostile struct {
	What    string
	Records int64 // in the container; Quire must find all
	Memory  int64 // the limit, in bytes
	Time    float64
	usage
	Bytes, Inflated, Found int64
	Outcome                string
	file                   string
	identify               bool // also identify formats
}

// Goal reports whether Quire read the whole container within its limits.
func (h hostile) Goal() string {
	switch {
	case h.Found != h.Records:
		return fmt.Sprintf("**missed**: %d records of %d", h.Found, h.Records)
	case h.RSS*1024 > h.Memory, h.Time > 0 && h.Wall > h.Time:
		return "**missed**"
	}
	return "met"
}

// Limit returns the limits of the container as text.
func (h hostile) Limit() string {
	if h.Time > 0 {
		return fmt.Sprintf("%s, %.0f s", megabytes(h.Memory), h.Time)
	}
	return megabytes(h.Memory)
}

// measureHostile reads the bombs of the shared samples and the containers of bench/extremes. Every
// round reads each container, except the one of ten gigabytes: its limit is on memory, and reading
// it takes long.
func measureHostile(o options) ([]hostile, error) {
	bombs, extremes := filepath.Join(o.shared, "samples", "_made", "synthetic", "bomb"),
		filepath.Join(o.work, "extremes")
	list := []hostile{
		{What: "256 MB of zeros in one member", Records: 2, Memory: 200e6, Time: 10,
			file: filepath.Join(bombs, "bomb-256mb.warc.gz")},
		{What: "gzip within gzip, as Content-Encoding", Records: 2, Memory: 200e6, Time: 10,
			file: filepath.Join(bombs, "bomb-nested-content-encoding.warc.gz")},
		{What: "256 MB of zeros in one member, with `--identify`", Records: 2, Memory: 200e6, Time: 10, identify: true,
			file: filepath.Join(bombs, "bomb-256mb.warc.gz")},
		{What: "gzip within gzip, with `--identify`", Records: 2, Memory: 200e6, Time: 10, identify: true,
			file: filepath.Join(bombs, "bomb-nested-content-encoding.warc.gz")},
		{What: "one record of 10 GB, sparse", Records: 1, Memory: 100e6,
			file: filepath.Join(extremes, "one-large.warc")},
		{What: "1,000,000 tiny records, each of its own host, plain", Records: 1e6, Memory: 200e6,
			file: filepath.Join(extremes, "many-small.warc")},
		{What: "the same, a gzip member each", Records: 1e6, Memory: 200e6,
			file: filepath.Join(extremes, "many-small.warc.gz")},
	}
	for i := range list {
		h := &list[i]
		for round := range o.rounds {
			if round > 0 && h.Records == 1 {
				break
			}
			if err := h.measure(o); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

func (h *hostile) measure(o options) error {
	command := []string{o.quire, "inspect", "--format", "json", h.file}
	if h.identify {
		command = append(command, "--identify")
	}
	u, out, err := run(command...)
	var failed *failure
	if errors.As(err, &failed) && failed.status == 1 { // invalid container: the outcome reports it
		u, out, err = failed.usage, failed.printed, nil
	}
	if err != nil {
		return err
	}
	h.best(u)
	return h.parse(out)
}

// parse reads the line that quire prints for a container.
func (h *hostile) parse(line []byte) error {
	var c struct {
		Outcome       string
		Bytes         int64
		InflatedBytes int64 `json:"inflated_bytes"`
		Records       struct{ Total int64 }
	}
	if err := json.Unmarshal(line, &c); err != nil {
		return fmt.Errorf("quire's output for %s: %w", h.file, err)
	}
	h.Outcome, h.Bytes, h.Inflated, h.Found = c.Outcome, c.Bytes, c.InflatedBytes, c.Records.Total
	return nil
}
