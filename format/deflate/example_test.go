package deflate_test

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"log"

	"quire/format/deflate"
)

func Example() {
	var data bytes.Buffer
	w, err := flate.NewWriter(&data, flate.BestCompression)
	if err != nil {
		log.Fatal(err)
	}
	_, err = io.WriteString(w, "hello, hello, hello")
	if err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	data.WriteString("what follows is left alone")

	var d deflate.Decoder // reused: it has about 50 KB of tables
	dst := make([]byte, 100)
	n, used, err := d.Inflate(dst, data.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, then: %s\n", dst[:n], data.Bytes()[used:])
	// Output: hello, hello, hello, then: what follows is left alone
}

// Output is written piece by piece into a buffer that keeps the last Window bytes.
func ExampleDecoder_Continue() {
	compressed := []byte{0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00} // hello
	var d deflate.Decoder
	d.Start()
	dst := make([]byte, 2*deflate.Window)
	n, _, err := d.Continue(dst, 0, compressed[:3])
	fmt.Println(n, errors.Is(err, deflate.ErrTruncated)) // call again with more of the data
	// Output: 2 true
}
