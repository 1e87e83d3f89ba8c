package postings_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"

	"quire/access/search/postings"
)

func Example() {
	ctx := context.Background()
	var tx *sql.Tx
	v, err := postings.Open(ctx, tx, "words")
	if err != nil {
		log.Fatal(err)
	}
	c, err := v.Word(ctx, "harbour")
	if err != nil {
		log.Fatal(err)
	}
	for c.Next() {
		fmt.Println(c.Row, postings.Places(nil, c.Raw))
	}
	if err := c.Close(); err != nil {
		log.Fatal(err)
	}
}
