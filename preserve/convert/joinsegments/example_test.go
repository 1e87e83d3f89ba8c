package joinsegments_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"quire/preserve/convert/joinsegments"
	"quire/preserve/inspect"
)

// A record in two segments becomes one record.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	path := filepath.Join(dir, "copy.warc")
	common := "WARC-Date: 2020-01-02T03:04:05Z\r\nWARC-Target-URI: http://a.example/\r\n"
	text := "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:1>\r\n" + common +
		"Content-Type: text/plain\r\nWARC-Segment-Number: 1\r\nContent-Length: 3\r\n\r\none\r\n\r\n" +
		"WARC/1.1\r\nWARC-Type: continuation\r\nWARC-Record-ID: <urn:x:2>\r\n" + common +
		"WARC-Segment-Origin-ID: <urn:x:1>\r\nWARC-Segment-Number: 2\r\nWARC-Segment-Total-Length: 7\r\n" +
		"Content-Length: 4\r\n\r\n two\r\n\r\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		panic(err)
	}
	var set joinsegments.Set
	o := set.Add(path, "copy.warc", "", inspect.Options{})
	if _, err := inspect.File(context.Background(), path, o); err != nil {
		panic(err)
	}
	result, err := set.Join(context.Background(), joinsegments.Options{Software: "example"})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s: %d segments, %d bytes\n", result.Joined[0].URL, result.Joined[0].Segments, result.Joined[0].Length)
	// Output: http://a.example/: 2 segments, 7 bytes
}
