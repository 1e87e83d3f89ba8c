package server_test

import (
	"log"
	"net/http"

	"quire/oai/crate/server"
)

func Example() {
	s, err := server.New(server.Options{Folder: "/var/www", Root: "http://127.0.0.1:8089"})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	log.Fatal(http.ListenAndServe("127.0.0.1:8089", s))
}
