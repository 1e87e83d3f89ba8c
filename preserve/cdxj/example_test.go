package cdxj_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"quire/preserve/cdxj"
	"quire/preserve/inspect"
)

func Example() {
	ctx := context.Background()
	f, err := os.Open("crawl.warc.gz")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	m := cdxj.NewMaker("")
	defer m.Close()
	if err := m.Begin(); err != nil {
		log.Fatal(err)
	}
	c, err := inspect.Reader(ctx, f, m.Options(inspect.Options{}))
	if err != nil {
		log.Fatal(err)
	}
	out, err := os.Create("crawl.cdxj.gz")
	if err != nil {
		log.Fatal(err)
	}
	header, err := m.Write(out, cdxj.Container{Path: "containers/crawl.warc.gz", Size: c.Bytes, SHA512: c.SHA512})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(header.Lines, out.Close())
}
