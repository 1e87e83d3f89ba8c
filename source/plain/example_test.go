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
	r, err := plain.New("http://www.example.org/") // where the folder stood; "" when the user does not know
	if err != nil {
		log.Fatal(err)
	}
	claims, err := r.Find(ctx, t) // folders that look like a website, or, with a URL, all there is
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
