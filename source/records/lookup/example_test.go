package lookup_test

import (
	"fmt"
	"log"
	"time"

	"quire/source/records/lookup"
)

func Example() {
	x := lookup.New("")
	defer x.Close()
	for _, c := range []lookup.Capture{ // lookup.Of returns one for a record
		{URI: "http://example.org/", Type: "response", Status: 301, Location: "/home",
			Date: time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)},
		{URI: "http://example.org/home", Type: "response", Status: 200,
			Date: time.Date(2024, 1, 2, 3, 4, 6, 0, time.UTC)},
	} {
		if err := x.Add(c); err != nil {
			log.Fatal(err)
		}
	}
	found, err := x.Find([]lookup.Want{{URL: "http://example.org/", Which: lookup.First}})
	if err != nil {
		log.Fatal(err)
	}
	page := found[0].Chosen[0]
	fmt.Println(page.URI, len(page.Through), "redirect")
	// Output: http://example.org/home 1 redirect
}
