package source_test

import (
	"context"
	"fmt"
	"log"

	"quire/source/detect"
)

// Example runs all readers on a source. A folder may hold several harvests.
func Example() {
	ctx := context.Background()
	s, err := detect.Open(ctx, "job-42")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	for h, err := range s.Harvests(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(h.About().ID)                     // a model.Harvest, with evidence for each fact
		for fetch, err := range h.Fetches(ctx, nil) { // from the log
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(fetch.URI, fetch.Status)
		}
	}
}
