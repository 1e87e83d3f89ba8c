package wct_test

import (
	"context"
	"fmt"
	"log"

	"quire/internal/archivefs"
	"quire/source/wct"
)

func Example() {
	ctx := context.Background()
	t, err := archivefs.Open("target-instance/")
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	claims, err := wct.Reader{}.Find(ctx, t)
	if err != nil {
		log.Fatal(err)
	}
	h, err := claims[0].Read(ctx)
	if err != nil {
		log.Fatal(err)
	}
	about := h.About()             // from the METS, and of the crawl from Heritrix's own files
	fmt.Println(about.Description) // Dublin Core, selection, groups, annotations, and the chain of derivation
	fmt.Println(about.Rights)      // permissions and access
	fmt.Println(about.Expected)    // the files that the METS lists, with size and MD5, present or not
}
