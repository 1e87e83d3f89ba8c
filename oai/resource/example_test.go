package resource_test

import (
	"context"
	"log"

	"quire/oai/resource"
)

func Example() {
	var collection resource.Collection // such as site.Site
	ctx := context.Background()
	r, err := collection.Resource(ctx, "https://a.example/logo.png")
	if err != nil {
		log.Fatal(err)
	}
	body, err := r.Open(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer body.Close()
}
