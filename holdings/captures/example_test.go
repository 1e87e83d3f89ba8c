package captures_test

import (
	"context"
	"fmt"
	"log"

	"quire/holdings/captures"
	"quire/repository/store"
)

func Example() {
	x, err := captures.Open("repo/access/captures", captures.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer x.Close()
	for c, err := range x.Captures(context.Background(),
		captures.Query{URL: "http://a.example/", Closest: "20150102030405"}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(c.Timestamp, c.URL, c.Record.Container, c.Record.Offset)
	}
}

// All lines of one container, of any version of a package.
func ExampleIndex_Stored() {
	var repository *store.Store
	x, err := captures.Open("repo/access/captures", captures.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer x.Close()
	read := x.Stored(repository, nil, func(err error) { log.Print(err) })
	c := captures.Container{Package: "site-1", PackageVersion: 2, Path: "containers/a.warc.gz", Version: captures.Full}
	err = read(context.Background(), &c, func(l *captures.Line) error { // c.Left and c.Version describe the lines
		fmt.Println(l.URL)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
}
