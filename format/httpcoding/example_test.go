package httpcoding_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"strings"

	"quire/format/fault"
	"quire/format/httpcoding"
)

func Example() {
	d := httpcoding.NewDecoder()
	d.Report = func(f fault.Fault) { log.Print(f) }
	var page strings.Builder
	d.Reset([]string{"gzip"}, &page) // codings in the order of the head
	var body bytes.Buffer
	z := gzip.NewWriter(&body)
	_, err := io.WriteString(z, "<p>Hello")
	if err != nil {
		log.Fatal(err)
	}
	if err := z.Close(); err != nil {
		log.Fatal(err)
	}
	_, err = io.Copy(d, &body)
	if err != nil {
		log.Fatal(err)
	}
	if err := d.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.String())
	// Output: <p>Hello
}
