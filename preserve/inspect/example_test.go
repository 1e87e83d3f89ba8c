package inspect_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"quire/preserve/inspect"
)

// One pass reports whether a container is valid, and its content.
func ExampleReader() {
	file := "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n" +
		"Content-Type: application/warc-fields\r\nContent-Length: 20\r\n\r\nsoftware: Boat/1.0\r\n\r\n"
	c, err := inspect.Reader(context.Background(), strings.NewReader(file), inspect.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Outcome, c.Format, c.Records.Total, c.Software)
	for _, f := range c.Findings {
		fmt.Println(f.Code, f.Offset)
	}
	// The record lacks one of its two final line breaks.

	// Output:
	// valid WARC 1 Boat/1.0
	// WARC-SEPARATOR 0
}
