package payloads_test

import (
	"context"
	"fmt"
	"log"

	"quire/holdings/payloads"
	"quire/preserve/dedup"
	"quire/repository/store"
)

func Example() {
	ctx := context.Background()
	var repository *store.Store
	stored, err := payloads.Open(ctx, repository, "repo", payloads.Options{})
	if err != nil {
		log.Fatal(err)
	}
	report, err := dedup.Run(ctx, "harvest", dedup.Options{Out: "slim", Against: []dedup.Holding{stored}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Replaced)
}
