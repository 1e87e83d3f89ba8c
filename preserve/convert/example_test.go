package convert_test

import (
	"context"
	"fmt"
	"log"

	"quire/preserve/convert"
	"quire/source/detect"
)

func Example() {
	ctx := context.Background()
	s, err := detect.Open(ctx, "delivery/")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	result, err := convert.Run(ctx, s, convert.Options{Out: "warcs"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Outputs, result.Outcome)
}

// A packer executes the steps of the plan one by one, like preserve/pack.
func ExampleMake() {
	ctx := context.Background()
	s, err := detect.Open(ctx, "delivery/")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	plan, err := convert.Make(ctx, s)
	if err != nil {
		log.Fatal(err)
	}
	for step := range plan.Steps() {
		fmt.Println(step.Action, step.File.Path)
	}
}
