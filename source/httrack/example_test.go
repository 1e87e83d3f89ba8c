package httrack_test

import (
	"context"
	"fmt"
	"log"

	"quire/internal/archivefs"
	"quire/source"
	"quire/source/httrack"
)

func Example() {
	ctx := context.Background()
	t, err := archivefs.Open("mirror/") // a folder with an hts-cache, or an hts-log.txt
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	claims, err := httrack.Reader{}.Find(ctx, t)
	if err != nil {
		log.Fatal(err)
	}
	h, err := claims[0].Read(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range h.(source.Mirror).Resources(ctx, nil) { // for each URL
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.URL, r.Grade, r.Why)
	}
}

// ExampleMirror_Content reads bodies of a Mirror, which has the facts about each URL and each file.
func ExampleMirror_Content() {
	ctx := context.Background()
	t, err := archivefs.Open("mirror/")
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	claims, err := httrack.Reader{}.Find(ctx, t)
	if err != nil {
		log.Fatal(err)
	}
	read, err := claims[0].Read(ctx)
	if err != nil {
		log.Fatal(err)
	}
	h := read.(*httrack.Harvest)
	content := h.Mirror.Content()
	defer content.Close()
	for _, c := range h.Mirror.Captures {
		if c.Entry == nil {
			continue
		}
		body, err := content.Body(c.Entry) // the original entity, if the cache holds it
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(c.Entry.URL, body != nil)
	}
}
