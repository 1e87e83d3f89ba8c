package schemas_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"quire/preserve/schemas"
)

func Example() {
	ctx := context.Background()
	report, err := schemas.Fetch(ctx, schemas.Options{To: "schemas"}) // each compared with its SHA-256
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report)
	engine, err := schemas.Compile(ctx, "schemas", schemas.Driver) // METS and its wrapped standards as one set
	if err != nil {
		log.Fatal(err)
	}
	mets, err := os.Open("mets.xml")
	if err != nil {
		log.Fatal(err)
	}
	defer mets.Close()
	if err := engine.Validate(ctx, mets); err != nil {
		log.Fatal(err)
	}
}
