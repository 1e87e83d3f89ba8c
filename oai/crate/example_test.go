package crate_test

import (
	"fmt"
	"io"
	"log"
	"os"

	"quire/metadata/xmlstream"
	"quire/oai/crate"
	"quire/oai/resource"
)

// A Disseminator makes a provider's backend of a collection: CRATEs and six other formats.
func Example() {
	var websites resource.Collection
	backend := (&crate.Disseminator{}).Backend(websites)
	for _, f := range backend.Formats() {
		fmt.Println(f.Prefix)
	}
}

func ExampleRead() {
	file, err := os.Open("crate.xml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	x := xmlstream.NewReader(file, xmlstream.Limits{})
	doc, err := crate.Read(x, crate.ReadOptions{Bytes: func(*crate.Document, *crate.Resource) (io.Writer, error) {
		return io.Discard, nil // the bytes of each resource
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(doc.Identifier)
}
