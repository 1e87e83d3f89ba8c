package bytesource_test

import (
	"fmt"
	"log"
	"strings"

	"quire/format/bytesource"
)

func Example() {
	src := bytesource.New(strings.NewReader("WARC/1.1\r\nWARC-Type: response\r\n"))
	head, err := src.Peek(8)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s at %d\n", head, src.Offset())
	if _, err := src.Discard(10); err != nil {
		log.Fatal(err)
	}
	fmt.Println(src.Offset()) // exact, despite buffering
	// Output:
	// WARC/1.1 at 0
	// 10
}
