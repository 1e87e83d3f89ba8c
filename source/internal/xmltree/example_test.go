package xmltree_test

import (
	"fmt"
	"log"
	"strings"

	"quire/source/internal/xmltree"
)

func Example() {
	root,
		err := xmltree.Parse(strings.NewReader(`<order><controller><map name="http-headers"><string ` +
		`name="user-agent">Boat/1.0</string></map></controller></order>`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(xmltree.Text(root.Child("controller").Named("http-headers").Named("user-agent")))
	// Output: Boat/1.0
}
