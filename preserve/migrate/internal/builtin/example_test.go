package builtin_test

import (
	"fmt"
	"log"
	"os"

	"quire/preserve/migrate/internal/builtin"
)

func Example() {
	convert, ok := builtin.Named("gif-to-png")
	fmt.Println(ok)
	gif, err := os.ReadFile("logo.gif")
	if err != nil {
		log.Fatal(err)
	}
	made, err := convert(builtin.Input{Content: gif})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(made)
}
