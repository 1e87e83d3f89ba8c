package zstdframe_test

import (
	"bytes"
	"fmt"
	"io"
	"log"

	"github.com/klauspost/compress/zstd"

	"quire/format/zstdframe"
)

// A file of one frame, as in a .warc.zst for each record.
func ExampleReader() {
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		log.Fatal(err)
	}
	file := enc.EncodeAll([]byte("a record"), nil)

	r := zstdframe.NewReader(bytes.NewReader(file), zstdframe.Options{})
	f, err := r.Next()
	if err != nil {
		log.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q at %d\n", content, f.Offset)
	// Output: "a record" at 0
}
