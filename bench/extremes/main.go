// Extremes makes two containers that demand the most memory of a reader. One has a record of ten
// gigabytes. The other has a million records of a few bytes, each with a different host. Both are
// valid, so that reading does not end early. The bytes are the same every time.
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
	size := flag.Int64("bytes", 10_000_000_000, "size of the one large record, in bytes")
	records := flag.Int("records", 1_000_000, "number of small records")
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
