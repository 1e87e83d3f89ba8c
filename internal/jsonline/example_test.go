package jsonline_test

import (
	"fmt"
	"log"
	"os"

	"quire/internal/jsonline"
)

func Example() {
	file := struct {
		Name  string   `json:"name"`
		Pages []string `json:"pages"`
	}{Name: "caf\xe9.html"}
	if err := jsonline.Encode(os.Stdout, file); err != nil {
		log.Fatal(err)
	}
	fmt.Println("the second member has the bytes")
	// Output:
	// {"name":"caf\ufffd.html","name_base64":"Y2Fm6S5odG1s","pages":[]}
	// the second member has the bytes
}
