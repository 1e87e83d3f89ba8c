package search_test

import (
	"context"
	"fmt"
	"log"

	"quire/access/search"
	"quire/holdings"
)

func Example() {
	ctx := context.Background()
	var h *holdings.Holdings
	s, err := search.Open(ctx, "repo/access/text", h, search.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	who := holdings.Reader{Class: holdings.Public}
	result, err := s.Query(ctx, who, search.Query{Text: `harbour "steam tug" -museum host:example.org year:2015`})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range result.Hits {
		fmt.Println(hit.URL, hit.Matching, "of", hit.Versions)
	}
}
