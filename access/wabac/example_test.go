package wabac_test

import (
	"context"
	"fmt"
	"log"
	"net/http"

	"quire/access/wabac"
)

func Example() {
	// Install verifies the pinned digest.
	release, err := wabac.Install(context.Background(), "assets", wabac.InstallOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(release)
	engine, err := wabac.Open("assets") // wabac.ErrNotInstalled if missing
	if err != nil {
		log.Fatal(err)
	}
	http.Handle(wabac.Path, engine) // on the replay host
}
