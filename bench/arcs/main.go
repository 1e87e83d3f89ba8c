// Arcs makes the ARC file for the benchmark of converting. It repeats the responses of the
// benchmark's crawl until the file has the requested size. The bytes are the same every time.
//
//	arcs -crawl build/bench/docs.warc.gz -out build/bench/large.arc.gz -megabytes 1024
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"quire/format/arc"
	"quire/format/warc"
)

func main() {
	crawl := flag.String("crawl", "", "the WARC with the responses to copy")
	out := flag.String("out", "", "the ARC to make")
	megabytes := flag.Int64("megabytes", 1024, "size in MiB, as stored")
	flag.Parse()
	if err := makeARC(*crawl, *out, *megabytes<<20); err != nil {
		fmt.Fprintf(os.Stderr, "arcs: %v\n", err)
		os.Exit(2)
	}
}

func makeARC(crawl, out string, size int64) (err error) {
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	buffered := bufio.NewWriterSize(file, 1<<20)
	w, err := arc.NewWriter(buffered, arc.WriterOptions{Name: "large.arc", Origin: "Bench", Compression: arc.Gzip,
		Date: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		return err
	}
	for w.Offset() < size {
		if err := addCrawl(w, crawl, size); err != nil {
			return err
		}
	}
	return errors.Join(w.Close(), buffered.Flush())
}

// addCrawl writes the responses of a crawl until the ARC has the requested size.
func addCrawl(w *arc.Writer, crawl string, size int64) error {
	in, err := os.Open(crawl)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it was only read
	r := warc.NewReader(in)
	for w.Offset() < size {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if rec.Type() != warc.TypeResponse {
			continue
		}
		date, err := rec.Date()
		if err != nil {
			return err
		}
		h := arc.Header{URL: rec.TargetURI(), IP: "127.0.0.1", Date: date.Format("20060102150405"),
			ContentType: "text/html", BlockLength: rec.ContentLength}
		if err := w.WriteRecord(h, rec); err != nil {
			return err
		}
	}
	return nil
}
