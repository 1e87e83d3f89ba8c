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
	claims, err := bare.Reader{}.Find(ctx, t) // containers that belong together, by their names, else by their folder
	if err != nil {
		log.Fatal(err)
	}
	h, err := claims[0].Read(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.About().Documentation) // model.Undocumented: nothing documents the run, and that is stated
	fmt.Println(h.About().Start)         // when the first container was begun
}
