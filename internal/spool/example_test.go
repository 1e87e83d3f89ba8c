package spool_test

import (
	"fmt"
	"log"

	"quire/internal/spool"
)

func Example() {
	s, err := spool.New[string]("")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	for _, url := range []string{"http://b.example/", "http://a.example/"} {
		if err := s.Add(url); err != nil {
			log.Fatal(err)
		}
	}
	for url, err := range s.All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(url)
	}
	// Output:
	// http://b.example/
	// http://a.example/
}
