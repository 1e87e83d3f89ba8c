package records_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"strings"

	"quire/source/records"
)

func Example() {
	const file = "WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Target-URI: " +
		"http://a.example/\r\n" +
		"WARC-Date: 2024-01-02T03:04:05Z\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n"
	r := records.NewReader(strings.NewReader(file), nil)
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		block, err := io.ReadAll(rec)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(rec.Type, rec.URI, rec.Offset, string(block))
	}
	// Output: metadata http://a.example/ 0 hi
}
