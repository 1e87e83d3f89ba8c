package dedup_test

import (
	"context"
	"fmt"
	"log"

	"quire/preserve/dedup"
)

func Example() {
	ctx := context.Background()
	stored, err := dedup.OpenFolder(ctx, "harvests/2019") // or a repository
	if err != nil {
		log.Fatal(err)
	}
	defer stored.Close()
	report, err := dedup.Run(ctx, "harvests/2020", dedup.Options{Out: "slim", Against: []dedup.Holding{stored}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Replaced, report.Saved)
	_, err = dedup.Undo(ctx, "slim", dedup.Options{Out: "full", Against: []dedup.Holding{stored}})
	if err != nil {
		log.Fatal(err)
	}
}
