package containers_test

import (
	"context"
	"fmt"
	"log"

	"quire/preserve/internal/containers"
	"quire/source/detect"
)

func Example() {
	l, err := containers.Open(context.Background(), detect.Options{}, "crawl")
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	for _, c := range l.All {
		content, err := c.Open()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(c.Path, content.Close())
	}
}
