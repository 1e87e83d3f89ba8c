package exports_test

import (
	"context"
	"fmt"
	"log"

	"quire/holdings/exports"
	"quire/repository/store"
)

func Example() {
	var repository *store.Store
	touched, err := exports.With(context.Background(), repository, []string{"harbour-museum"})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range touched {
		fmt.Println(e.ID, e.Form, e.For, e.Where)
	}
}
