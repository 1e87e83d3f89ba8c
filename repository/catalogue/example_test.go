package catalogue_test

import (
	"context"
	"fmt"
	"log"

	"quire/repository/catalogue"
)

func Example() {
	ctx := context.Background()
	c, err := catalogue.Open(ctx, "catalogue.db")
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	for p, err := range c.Packages(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(p.ID)
	}
}
