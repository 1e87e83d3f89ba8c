package characterize_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"quire/model"
	"quire/preserve/characterize"
	"quire/preserve/inspect"
)

func ExampleSummary() {
	ctx := context.Background()
	c, err := inspect.File(ctx, "crawl.warc.gz", inspect.Options{})
	if err != nil {
		log.Fatal(err)
	}
	o := characterize.Options{Agent: model.Agent{Name: "Quire", Version: "1.0"}}
	md := characterize.Summary(c, o) // inside a METS
	fmt.Println(md.Container.OriginalName)
	if err := characterize.Write(os.Stdout, c, nil, o); err != nil { // a separate document, summed
		log.Fatal(err)
	}
}

// A document has an entry for each record, if the pass supplied them.
func ExampleEntries() {
	ctx := context.Background()
	entries, err := characterize.NewEntries("")
	if err != nil {
		log.Fatal(err)
	}
	defer entries.Close()
	c, err := inspect.File(ctx, "crawl.warc.gz", inspect.Options{Record: entries.Add})
	if err != nil {
		log.Fatal(err)
	}
	if err := characterize.Write(os.Stdout, c, entries, characterize.Options{}); err != nil {
		log.Fatal(err)
	}
}
