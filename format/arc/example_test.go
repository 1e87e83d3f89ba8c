package arc_test

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quire/format/arc"
)

// An ARC file is written, and its answers are read: status and payload.
func Example() {
	dir, err := os.MkdirTemp("", "arc")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "a.arc.gz")

	out, err := arc.Create(path, arc.WriterOptions{Date: time.Date(2005, 6, 7, 8, 9, 0, 0, time.UTC)})
	if err != nil {
		log.Fatal(err)
	}
	h := arc.Header{URL: "http://a.example/", IP: "192.0.2.1", Date: "20050607080910", ContentType: "text/html",
		BlockLength: -1} // to be counted
	if err := out.WriteRecord(h, strings.NewReader("HTTP/1.0 200 OK\r\n\r\n<p>hello")); err != nil {
		log.Fatal(err)
	}
	if err := out.Close(); err != nil {
		log.Fatal(err)
	}

	file, err := arc.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	for record, err := range file.Records() {
		if err != nil {
			log.Fatal(err)
		}
		head, err := record.HTTP()
		if err != nil {
			continue // the version block is not a response
		}
		payload, err := record.Payload()
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(payload)
		fmt.Println(record.URL, head.StatusCode, string(body), err)
	}
	// Output: http://a.example/ 200 <p>hello <nil>
}
