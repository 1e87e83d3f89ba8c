package oaiharvest_test

import (
	"context"
	"fmt"
	"log"

	"quire/internal/archivefs"
	"quire/source/oaiharvest"
)

func Example() {
	ctx := context.Background()
	t, err := archivefs.Open("harvest/") // written by quire oai harvest
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	claims, err := oaiharvest.Reader{}.Find(ctx, t)
	if err != nil {
		log.Fatal(err)
	}
	h, err := claims[0].Read(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.About().ID) // the server, the windows, the tools run by the server
}
