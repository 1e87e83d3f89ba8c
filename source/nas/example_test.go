package nas_test

import (
	"context"
	"fmt"
	"log"

	"quire/internal/archivefs"
	"quire/source"
	"quire/source/nas"
)

func Example() {
	ctx := context.Background()
	t, err := archivefs.Open("jobs/")
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	claims, err := nas.Reader{}.Find(ctx, t)
	if err != nil {
		log.Fatal(err)
	}
	h, err := claims[0].Read(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.About().ID) // job, harvest definition and limits; and the facts from package heritrix
	crawlLog, err := h.(source.Documented).Documents().Open("logs/crawl.log")
	if err != nil {
		log.Fatal(err)
	}
	defer crawlLog.Close()
}
