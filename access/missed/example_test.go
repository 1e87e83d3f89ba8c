package missed_test

import (
	"context"
	"fmt"
	"log"

	"quire/access/missed"
	"quire/holdings"
	"quire/model"
)

func Example() {
	var h *holdings.Holdings
	lists := missed.Open("repo/access", h)
	defer lists.Close()
	list, err := lists.Of(context.Background(), "site-2010-1a2b3c4d", 1) // built on the first call
	if err != nil {
		log.Fatal(err)
	}
	defer list.Close()
	page, err := list.Page(missed.Query{Reason: model.MissRobots, Host: "a.example", Most: 100})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Rows)
}
