package archive_test

import (
	"context"
	"fmt"
	"log"

	"quire/holdings"
	"quire/oai/archive"
	"quire/oai/provider"
	"quire/repository/store"
)

func Example() {
	ctx := context.Background()
	var repository *store.Store // and the holdings over it
	var h *holdings.Holdings
	a, err := archive.Open(ctx, repository, h, archive.Options{Dir: "repo/oai"}) // a resource.Collection
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	for header, err := range a.List(ctx, provider.Query{Set: "mime:image"}) {
		if err != nil {
			log.Fatal(err)
		}
		r, err := a.Resource(ctx, header.Identifier)
		if err != nil {
			log.Fatal(err)
		}
		body, err := r.Open(ctx) // the stored bytes, verified by their digest
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(header.Identifier, body.Close())
	}
}
