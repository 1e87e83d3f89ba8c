package csvcell_test

import (
	"fmt"

	"quire/internal/csvcell"
)

func ExampleText() {
	fmt.Println(csvcell.Text("=HYPERLINK(\"http://a.example/\")"))
	fmt.Println(csvcell.Text("Ships of the harbour"))
	// Output:
	// '=HYPERLINK("http://a.example/")
	// Ships of the harbour
}
