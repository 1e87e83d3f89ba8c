package pandas_test

import (
	"context"
	"fmt"
	"log"

	"quire/internal/archivefs"
	"quire/source"
	"quire/source/pandas"
)

func Example() {
	ctx := context.Background()
	t, err := archivefs.Open("10421/")
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	claims, err := pandas.Reader{}.Find(ctx, t)
	if err != nil {
		log.Fatal(err)
	}
	h, err := claims[0].Read(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range h.(source.Mirror).Resources(ctx, nil) { // each URL, with its line of url.map
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.URL, r.Grade)
	}
	// title, permissions, states from the database; the gather from HTTrack's own files
	about := h.About()
	f, err := source.OpenFile(t, h, &about.Files[0]) // also for a file in a tarball
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
}
