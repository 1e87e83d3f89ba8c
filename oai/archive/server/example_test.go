package server_test

import (
	"context"
	"log"
	"net/http"

	"quire/oai/archive/server"
	"quire/repository/store"
)

func Example() {
	var repository *store.Store
	s, err := server.New(context.Background(), repository,
		server.Options{Dir: "repo/oai", Access: "repo/access", Root: "http://127.0.0.1:8000"})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	log.Fatal(http.ListenAndServe("127.0.0.1:8000", s))
}
