package identify_test

import (
	"fmt"
	"log"

	"quire/preserve/identify"
)

func Example() {
	id, err := identify.New(identify.Options{})
	if err != nil {
		log.Fatal(err)
	}
	r := id.Identify(identify.Payload{Name: "https://example.org/logo.png", MIME: "image/png",
		Head: []byte("\x89PNG\r\n\x1a\n"), Size: 8})
	fmt.Println(r.PUID, r.Name, r.Basis)
}
