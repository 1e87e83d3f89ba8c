package bare_test

import (
	"context"
	"fmt"
	"log"

	"quire/internal/archivefs"
	"quire/source/bare"
)

func Example() {
	ctx := context.Background()
	t, err := archivefs.Open("containers/")
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	claims, err := bare.Reader{}.Find(ctx, t) // containers of one harvest, by name, else by folder
	if err != nil {
		log.Fatal(err)
	}
	h, err := claims[0].Read(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.About().Documentation) // model.Undocumented: the run has no documentation
	fmt.Println(h.About().Start)         // start of the first container
}
