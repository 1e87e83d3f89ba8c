package pack_test

import (
	"context"
	"fmt"
	"log"

	"quire/preserve/pack"
)

func Example() {
	result, err := pack.Pack(context.Background(), []string{"crawl/"}, pack.Options{Out: "package"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.ID, result.Records)
}
