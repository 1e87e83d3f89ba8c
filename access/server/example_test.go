package server_test

import (
	"context"
	"log"
	"net/http"

	"quire/access/server"
	"quire/repository/store"
)

func Example() {
	ctx := context.Background()
	var repository *store.Store
	s, err := server.New(ctx, repository, server.Options{Dir: "repo/access", Root: "http://127.0.0.1:8000"})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	log.Fatal(http.ListenAndServe("127.0.0.1:8000", s))
}
