package secret_test

import (
	"fmt"

	"quire/internal/secret"
)

func Example() {
	fmt.Println(secret.InURL([]byte("seed http://name:password@host.example/")))
	fmt.Println(secret.Conceal("http://name:password@host.example/"))
	fmt.Println(secret.Without("http://name:password@host.example/"))
	// Output:
	// true
	// http://name:…@host.example/
	// http://host.example/
}
