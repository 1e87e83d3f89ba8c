package wabac_test

import (
	"context"
	"fmt"
	"log"
	"net/http"

	"quire/access/wabac"
)

func Example() {
	// compares with the digest that is pinned here
	release, err := wabac.Install(context.Background(), "assets", wabac.InstallOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(release)
	engine, err := wabac.Open("assets") // wabac.ErrNotInstalled when it is not there
	if err != nil {
		log.Fatal(err)
	}
	http.Handle(wabac.Path, engine) // on the host of replay
}
