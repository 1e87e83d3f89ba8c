package config_test

import (
	"fmt"
	"log"

	"quire/oai/config"
)

func Example() {
	c, err := config.Load("quire.yaml") // the error names the lines
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c)
}
