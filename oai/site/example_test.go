package site_test

import (
	"context"
	"fmt"
	"log"
	"net/http"

	"quire/oai/provider"
	"quire/oai/site"
)

func Example() {
	ctx := context.Background()
	s, err := site.New(site.Options{Root: "https://a.example/", Next: http.NotFoundHandler(), Folder: "/var/www",
		State: "/var/lib/quire"})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	for header, err := range s.List(ctx, provider.Query{}) { // it is a resource.Collection
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(header.Identifier)
	}
}
