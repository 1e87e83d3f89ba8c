package salvage_test

import (
	"context"
	"fmt"
	"log"

	"quire/model"
	"quire/preserve/salvage"
)

func ExampleRun() {
	results, err := salvage.Run(context.Background(), []string{"old.warc.gz"}, salvage.Options{
		Out: "rescued", Agent: model.Agent{Name: "Example", Version: "1"}, CDX: []string{"old.cdx"},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range results {
		fmt.Println(r.Kept, "kept", r.Damaged, "damaged", r.Lost, "lost by name")
	}
}
