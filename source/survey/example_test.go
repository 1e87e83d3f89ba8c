package survey_test

import (
	"context"
	"encoding/json"
	"log"
	"os"

	"quire/source/detect"
	"quire/source/survey"
)

func Example() {
	ctx := context.Background()
	s, err := detect.Open(ctx, "delivery/")
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	v, err := survey.Make(ctx, s, survey.Options{Fetches: true}) // reads each harvest once, and with Fetches its logs
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(v); err != nil { // the output of "quire identify-source --json"
		log.Fatal(err)
	}
}
