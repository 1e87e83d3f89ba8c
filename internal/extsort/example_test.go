package extsort_test

import (
	"fmt"
	"log"

	"quire/internal/extsort"
)

func Example() {
	s := extsort.New(extsort.Options{})
	defer s.Close()
	for _, host := range []string{"c.example", "a.example", "b.example"} {
		if err := s.Add([]byte(host), nil); err != nil {
			log.Fatal(err)
		}
	}
	err := s.Each(func(key, _ []byte) error {
		fmt.Println(string(key))
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// a.example
	// b.example
	// c.example
}
