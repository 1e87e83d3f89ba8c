package migrate_test

import (
	"context"
	"fmt"
	"log"

	"quire/preserve/migrate"
)

func Example() {
	rule, err := migrate.ReadRule("../../examples/migrate/gif-to-png.yaml")
	if err != nil {
		log.Fatal(err)
	}
	result, err := migrate.Run(context.Background(), "package",
		migrate.Options{From: []string{"fmt/3", "fmt/4"}, Rule: rule, Out: "new"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Converted, result.Failed) // each with its event in the METS
}
