package browsertrix_test

import (
	"context"
	"fmt"
	"log"

	"quire/format/wacz"
	"quire/internal/archivefs"
	"quire/source/browsertrix"
)

func Example() {
	ctx := context.Background()
	t, err := archivefs.Open("crawl.wacz") // or a folder
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	claims, err := browsertrix.Reader{}.Find(ctx, t)
	if err != nil {
		log.Fatal(err)
	}
	h, err := claims[0].Read(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.About().Software) // with evidence; About also has the result for hashes and signature
	for f, err := range h.Fetches(ctx, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(f.URI, f.Status)
	}
	check, err := h.(*browsertrix.Harvest).Verify(ctx, wacz.Options{}) // again, with root certificates, or completely
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range check.Steps {
		fmt.Println(s.Name, s.Verdict)
	}
}
