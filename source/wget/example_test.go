package wget_test

import (
	"context"
	"fmt"
	"log"

	"quire/internal/archivefs"
	"quire/source"
	"quire/source/wget"
)

func Example() {
	ctx := context.Background()
	// with a WARC from Wget; or a log, and the files that it lists as saved
	t, err := archivefs.Open("downloads/")
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	claims, err := wget.Reader{}.Find(ctx, t)
	if err != nil {
		log.Fatal(err)
	}
	h, err := claims[0].Read(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for f, err := range h.Fetches(ctx, nil) { // from the log
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(f.URI, f.Status)
	}
	if m, ok := h.(source.Mirror); ok {
		for r, err := range m.Resources(ctx, nil) { // the remains of each URL
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(r.URL, r.Grade)
		}
	}
}
