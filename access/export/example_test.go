package export_test

import (
	"context"
	"fmt"
	"log"

	"quire/access/export"
	"quire/access/export/formats"
	"quire/holdings"
	"quire/repository/store"
)

func Example() {
	var repository *store.Store // with holdings over it
	var h *holdings.Holdings
	request := export.Request{ID: "site-1", As: "wacz", For: holdings.Public, Out: "site.wacz"}
	result, err := export.Run(context.Background(), repository, h, request, formats.All())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Bytes, result.KeptBack)
}
