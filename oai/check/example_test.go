package check_test

import (
	"context"
	"fmt"
	"log"

	"quire/oai/check"
)

func Example() {
	report, err := check.Run(context.Background(), "https://a.example/oai", check.Options{
		Requests: 200,
		Found:    func(f check.Finding) { fmt.Println(f) },
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Errors, report.Warnings, report.Undone)
}
