package warc_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"quire/format/fault"
	"quire/format/inflate"
	"quire/format/warc"
)

// A container is written, one gzip member per record, and read again.
func Example() {
	var file bytes.Buffer
	w, err := warc.NewWriter(&file, warc.WriterOptions{Gzip: true})
	if err != nil {
		log.Fatal(err)
	}
	_, _, err = w.WriteBytes([]warc.NameValue{
		{Name: warc.FieldType, Value: warc.TypeResource},
		{Name: warc.FieldRecordID, Value: "<urn:uuid:0c7d24c4-6e5f-4d0c-9c43-0a9c4f1b6b1e>"},
		{Name: warc.FieldDate, Value: "2024-01-02T03:04:05Z"},
		{Name: warc.FieldTargetURI, Value: "https://example.org/hello.txt"},
		{Name: warc.FieldContentType, Value: "text/plain"},
	}, []byte("Hello, reader.\n"))
	if err != nil {
		log.Fatal(err)
	}

	r := warc.NewReader(inflate.NewReader(bytes.NewReader(file.Bytes()), inflate.Options{}))
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(rec.Offset, rec.Type(), rec.TargetURI())
		if _, err := io.Copy(os.Stdout, rec); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 0 resource https://example.org/hello.txt
	// Hello, reader.
}

// Errors in a file are reported, and reading continues.
func ExampleReader_report() {
	file := "junk\r\nWARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n"
	r := warc.NewReader(inflate.NewReader(strings.NewReader(file), inflate.Options{}))
	r.Report = func(f fault.Fault) { fmt.Println(f) }
	rec, err := r.Next()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rec.Offset, rec.Type())
	// Output:
	// WARC-GARBAGE at 0: 6 bytes belong to no record
	// 6 metadata
}
