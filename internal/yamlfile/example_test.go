package yamlfile_test

import (
	"fmt"
	"log"
	"strings"

	"quire/internal/yamlfile"
)

func Example() {
	doc, err := yamlfile.Read(strings.NewReader("access: onsite\nurls: [http://a.example/]\n"), "rights")
	if err != nil {
		log.Fatal(err)
	}
	var access string
	var urls []string
	doc.Fields(map[string]func(*yamlfile.Node){
		"access": func(n *yamlfile.Node) { access = n.OneOf("open", "onsite") },
		"urls":   func(n *yamlfile.Node) { urls = n.Texts() },
	})
	if err := doc.Err(); err != nil { // it has the line of each problem
		log.Fatal(err)
	}
	fmt.Println(access, urls)
	// Output: onsite [http://a.example/]
}
