package aip_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"quire/preserve/aip"
)

func Example() {
	ctx := context.Background()
	pkg, err := aip.Describe(os.DirFS("package")) // the description of the package
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pkg.ID)
	report, err := aip.Validate(ctx, "package", aip.Options{Schemas: "schemas"}) // verifies the description
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range report.Findings {
		fmt.Println(f) // error PKG-DIGEST at containers/crawl.warc.gz byte 0: …
	}
}
