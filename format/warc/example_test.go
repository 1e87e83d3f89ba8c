package warc_test

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"quire/format/fault"
	"quire/format/warc"
)

// A container is written, one gzip member per record, and read again.
func Example() {
	var file bytes.Buffer
	w, err := warc.NewWriter(&file, warc.WriterOptions{Compression: warc.Gzip})
	if err != nil {
		log.Fatal(err)
	}
	hello := warc.NewResource("https://example.org/hello.txt", time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC), "text/plain",
		strings.NewReader("Hello, reader.\n"))
	if _, _, err = w.WriteRecord(hello); err != nil {
		log.Fatal(err)
	}

	for rec, err := range warc.NewReader(&file).Records() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(rec.Offset, rec.Type(), rec.TargetURI(), rec.Get("warc-payload-digest"))
		if _, err := io.Copy(os.Stdout, rec); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 0 resource https://example.org/hello.txt sha1:2BAOKTETW74NWWBZDYZFET5KMT7UGGM2
	// Hello, reader.
}

// Errors in a file are reported, and reading continues.
func ExampleReader_report() {
	file := "junk\r\nWARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n"
	r := warc.NewReader(strings.NewReader(file))
	r.Report = func(f fault.Fault) { fmt.Println(f) }
	rec, err := r.Next()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rec.Offset, rec.Type())
	// Output:
	// WARC-GARBAGE at 0: 6 bytes belong to no record
	// WARC-INFERRED at 6: the record was found by searching: the bytes before it are not a whole record
	// 6 metadata
}
