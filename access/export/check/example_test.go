package check_test

import (
	"context"
	"fmt"
	"log"

	"quire/access/export/check"
)

func Example() {
	report, err := check.Run(context.Background(), "site.wacz", check.WACZ, check.Options{}) // Recognize finds the kind
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range report.Findings {
		fmt.Println(f)
	}
}
