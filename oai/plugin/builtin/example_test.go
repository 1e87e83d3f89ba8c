package builtin_test

import (
	"context"
	"fmt"
	"log"

	"quire/oai/plugin/builtin"
)

func Example() {
	t, err := builtin.New("in short", "summary", map[string]string{"sentences": "3"})
	if err != nil {
		log.Fatal(err)
	}
	version, err := t.Version(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(version)
	// Output: quire-summary 1; sentences=3
}
