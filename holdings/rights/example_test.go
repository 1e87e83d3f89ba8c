package rights_test

import (
	"fmt"
	"log"
	"strings"
	"time"

	"quire/holdings/rights"
)

func ExampleSet_Judge() {
	set, err := rights.Read(strings.NewReader("rules:\n  - urls: http://a.example/*\n    access: blocked\n"),
		"rules.yaml")
	if err != nil {
		log.Fatal(err)
	}
	a := set.Judge(&rights.Question{URL: "http://a.example/page", Now: time.Now()})
	fmt.Println(a.Verdict)
	// Output: blocked
}
