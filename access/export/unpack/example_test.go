package unpack_test

import (
	"fmt"

	"quire/access/export/unpack"
)

func ExampleName() {
	fmt.Println(unpack.Name("http://a.example/b?c=1", "text/html"))
	// Output: a.example/b-591a6be2f82e.html
}
