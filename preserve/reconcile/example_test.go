package reconcile_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"quire/preserve/reconcile"
)

func Example() {
	result, err := reconcile.Source(context.Background(), reconcile.Options{}, "job-42")
	if err != nil {
		log.Fatal(err)
	}
	for _, h := range result.Harvests {
		fmt.Println(h.ID, h.Outcome, h.Totals.Lost)
	}
	if err := result.Text(os.Stdout); err != nil {
		log.Fatal(err)
	}
}
