package research_test

import (
	"context"
	"fmt"
	"log"

	"quire/access/research"
	"quire/holdings"
	"quire/repository/store"
)

func Example() {
	var repository *store.Store // with holdings over it
	var h *holdings.Holdings
	request := research.Request{Out: "/data/for-research", For: holdings.Public, Tables: []string{research.Captures}}
	result, err := research.Run(context.Background(), repository, h, request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Rows, len(result.Removed))
}
