package harvest_test

import (
	"context"
	"fmt"
	"log"

	"quire/oai/harvest"
)

func Example() {
	result, err := harvest.Run(context.Background(),
		harvest.Options{BaseURL: "https://a.example/modoai", Out: "harvest"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Complete, result.Counts)
}
