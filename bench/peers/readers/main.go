// Readers reads a WARC file with one of several Go packages, to compare what that costs: each
// record, its type and URL, and its block to the end.
//
//	readers PACKAGE read|digest FILE
//
// It prints how many records there were, and how many bytes their blocks had; with digest, each
// block is digested by SHA-1, too.
package main

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	internetarchive "github.com/internetarchive/gowarc"
	"github.com/nlnwa/gowarc/v3"

	"quire/format/warc"
)

// readers read the file of that path with one package each, and show each block to take.
var readers = map[string]func(path string, take func(block io.Reader) error) error{
	"quire":           readQuire,
	"gowarc":          readGowarc,
	"internetarchive": readInternetArchive,
}

func main() {
	if len(os.Args) != 4 || readers[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: readers PACKAGE read|digest FILE")
		os.Exit(2)
	}
	c := counter{}
	if os.Args[2] == "digest" {
		c.sum = sha1.New()
	}
	if err := readers[os.Args[1]](os.Args[3], c.take); err != nil {
		fmt.Fprintln(os.Stderr, "readers:", err)
		os.Exit(1)
	}
	fmt.Println(c.records, c.bytes)
}

type counter struct {
	records, bytes int64
	sum            hash.Hash // nil when nothing is digested
}

func (c *counter) take(block io.Reader) error {
	to := io.Discard
	if c.sum != nil {
		c.sum.Reset()
		to = c.sum
	}
	n, err := io.Copy(to, block)
	c.records, c.bytes = c.records+1, c.bytes+n
	return err
}

func readQuire(path string, take func(io.Reader) error) error {
	file, err := warc.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	for record, err := range file.Records() {
		if err != nil {
			return err
		}
		if record.Type() == "" || record.TargetURI() == "\x00" {
			return errors.New("a record without a type")
		}
		if err := take(record); err != nil {
			return err
		}
	}
	return nil
}

// readGowarc reads with the default policies. With gowarc.WithNoValidation, v3.1.0 gives blocks of no
// bytes.
func readGowarc(path string, take func(io.Reader) error) error {
	file, err := gowarc.NewWarcFileReader(path, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	for record, err := range file.Records() {
		if err != nil {
			return err
		}
		if record.WarcRecord.Type() == 0 || record.WarcRecord.WarcHeader().Get(gowarc.WarcTargetURI) == "\x00" {
			return errors.New("a record without a type")
		}
		block, err := record.WarcRecord.Block().RawBytes()
		if err != nil {
			return err
		}
		if err := take(block); err != nil {
			return err
		}
		if err := record.Close(); err != nil {
			return err
		}
	}
	return nil
}

func readInternetArchive(path string, take func(io.Reader) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := internetarchive.NewReader(file)
	if err != nil {
		return err
	}
	for {
		record, err := r.ReadRecord()
		if err != nil || record == nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return err
		}
		if record.Header.Get("WARC-Type") == "" || record.Header.Get("WARC-Target-URI") == "\x00" {
			return errors.New("a record without a type")
		}
		if err := take(record.Content); err != nil {
			return err
		}
		if err := record.Content.Close(); err != nil {
			return err
		}
	}
}
