package replay_test

import (
	"log"
	"net/http"

	"quire/access/replay"
)

func Example() {
	var archive replay.Archive
	key, err := replay.OpenKey("keys")
	if err != nil {
		log.Fatal(err)
	}
	h := replay.New(archive, replay.Options{Key: key, UI: "http://localhost:8000", Base: "http://127.0.0.1:8000"})
	log.Fatal(http.ListenAndServe("127.0.0.1:8000", h)) // not through http.ServeMux, which shortens // in URLs
}
