package policy_test

import (
	"context"
	"fmt"
	"log"

	"quire/preserve/policy"
)

func Example() {
	p, err := policy.ReadFile("reference.yaml") // the error names the line
	if err != nil {
		log.Fatal(err)
	}
	judged, err := policy.JudgePackage(context.Background(), "package", p, policy.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(judged.Outcome) // accepted, warned, refused
}
