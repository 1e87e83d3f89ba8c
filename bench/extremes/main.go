// Extremes makes the containers that ask most of a reader's memory: one record of ten gigabytes,
// and a million records of a few bytes, each of a host of its own. All are sound, so that nothing
// ends the reading early. The same bytes every time.
//
//	extremes -out build/bench/extremes
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("out", "", "the folder to make")
	size := flag.Int64("bytes", 10_000_000_000, "the bytes of the one large record")
	records := flag.Int("records", 1_000_000, "how many small records")
	flag.Parse()
	if err := makeExtremes(*out, *size, *records); err != nil {
		fmt.Fprintf(os.Stderr, "extremes: %v\n", err)
		os.Exit(2)
	}
}

func makeExtremes(folder string, size int64, records int) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, extreme := range []struct {
		name string
		fill func(*os.File) error
	}{
		{"one-large.warc", func(f *os.File) error { return fillLarge(f, size) }},
		{"many-small.warc", func(f *os.File) error { return fillSmall(f, records, false) }},
		{"many-small.warc.gz", func(f *os.File) error { return fillSmall(f, records, true) }},
	} {
		if err := create(filepath.Join(folder, extreme.name), extreme.fill); err != nil {
			return err
		}
	}
	return nil
}

func create(name string, fill func(*os.File) error) (err error) {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}()
	return fill(file)
}
