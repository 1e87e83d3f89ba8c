package provider_test

import (
	"log"
	"net/http"

	"quire/oai/provider"
	"quire/oai/provider/providertest"
)

func Example() {
	records := providertest.New() // instead of a real Backend
	p, err := provider.New(records, provider.Options{
		Name: "Example", BaseURL: "https://a.example/oai", AdminEmail: []string{"oai@a.example"},
		Key: []byte("a key of at least 32 bytes, secret"),
	})
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/oai", p)
}
