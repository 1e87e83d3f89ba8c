package plain_test

import (
	"context"
	"fmt"
	"log"

	"quire/internal/archivefs"
	"quire/source"
	"quire/source/plain"
)

func Example() {
	ctx := context.Background()
	t, err := archivefs.Open("website/")
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	r, err := plain.New("http://www.example.org/") // base URL of the folder; "" if unknown
	if err != nil {
		log.Fatal(err)
	}
	claims, err := r.Find(ctx, t) // folders that look like a website or, with a URL, everything
	if err != nil {
		log.Fatal(err)
	}
	h, err := claims[0].Read(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for res, err := range h.(source.Mirror).Resources(ctx, nil) { // one for each file
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(res.URL)
	}
}
