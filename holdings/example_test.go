package holdings_test

import (
	"context"
	"log"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/repository/store"
)

func Example() {
	ctx := context.Background()
	var repository *store.Store
	h, err := holdings.Of(ctx, repository, holdings.Options{Dir: "repo/access", Rules: "rules.yaml"})
	if err != nil {
		log.Fatal(err)
	}
	defer h.Close()
	who := holdings.Reader{Class: holdings.Public}
	for c, err := range h.Captures(ctx, who, captures.Query{URL: "http://a.example/"}) {
		if err != nil {
			log.Fatal(err)
		}
		if c.Allowed {
			content, err := h.Read(ctx, who, c.Capture)
			if err != nil {
				log.Fatal(err)
			}
			defer content.Body.Close()
		}
	}
}
