package warcmeta_test

import (
	"context"
	"fmt"
	"log"

	"quire/preserve/describe"
	"quire/preserve/describe/warcmeta"
)

func Example() {
	ctx := context.Background()
	sheet, err := describe.OpenSheet("websites.csv", describe.SheetOptions{})
	if err != nil {
		log.Fatal(err)
	}
	r, err := warcmeta.Run(ctx, []string{"crawl"}, warcmeta.Options{Rows: sheet.Rows, Out: "crawl"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Missing) // rows with a website outside the source, with the reason
	err = warcmeta.List(ctx, []string{"crawl"}, warcmeta.ListOptions{}, func(l warcmeta.Listed) error {
		fmt.Println(l.Document)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
}
