// Slyrz reads a WARC file with github.com/slyrz/warc, as bench/peers/readers does with other
// packages:
//
//	slyrz read|digest FILE
package main

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/slyrz/warc"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: slyrz read|digest FILE")
		os.Exit(2)
	}
	if err := read(os.Args[2], os.Args[1] == "digest"); err != nil {
		fmt.Fprintln(os.Stderr, "slyrz:", err)
		os.Exit(1)
	}
}

func read(path string, digest bool) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := warc.NewReader(file)
	if err != nil {
		return err
	}
	defer r.Close()
	var records, bytes int64
	sum := sha1.New()
	for {
		record, err := r.ReadRecord()
		if errors.Is(err, io.EOF) {
			fmt.Println(records, bytes)
			return nil
		}
		if err != nil {
			return err
		}
		if record.Header.Get("warc-type") == "" || record.Header.Get("warc-target-uri") == "\x00" {
			return errors.New("a record without a type")
		}
		to := io.Discard
		if digest {
			sum.Reset()
			to = sum
		}
		n, err := io.Copy(to, record.Content)
		if err != nil {
			return err
		}
		records, bytes = records+1, bytes+n
	}
}
