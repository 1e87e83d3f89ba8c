package collection_test

import (
	"context"
	"fmt"
	"log"

	"quire/preserve/collection"
)

func Example() {
	ctx := context.Background()
	file, err := collection.ReadFile("harbours.yaml")
	if err != nil {
		log.Fatal(err)
	}
	_, err = collection.Make(ctx, file, collection.Options{Out: "harbours"})
	if err != nil {
		log.Fatal(err)
	}
	report, err := collection.Validate(ctx, "harbours", collection.Packages(ctx, "packages"),
		collection.ValidateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	if report.Outcome != collection.Complete {
		fmt.Println(report.Missing)
	}
}
