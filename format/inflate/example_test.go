package inflate_test

import (
	"fmt"
	"log"
	"strings"

	"quire/format/inflate"
)

// The bytes come in order, and each knows its place; gzip members and Zstandard frames work the
// same.
func ExampleReader() {
	in := inflate.NewReader(strings.NewReader("not compressed"), inflate.Options{})
	if _, err := in.Discard(4); err != nil {
		log.Fatal(err)
	}
	at, err := in.Position()
	if err != nil {
		log.Fatal(err)
	}
	rest, err := in.Peek(10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %q from byte %d\n", in.Compression(), rest, at.File)
	// Output: none: "compressed" from byte 4
}
