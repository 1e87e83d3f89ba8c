package antivirus_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"quire/model"
	"quire/preserve/antivirus"
	"quire/preserve/inspect"
)

func Example() {
	ctx := context.Background()
	s, err := antivirus.New("/run/clamav/clamd.ctl", antivirus.Options{})
	if err != nil {
		log.Fatal(err)
	}
	pass := s.Begin(ctx)
	defer pass.Stop()
	payload := pass.Payload()
	if _, err := io.WriteString(payload, "content"); err != nil {
		log.Fatal(err)
	}
	verdict := payload.Close().Wait()
	fmt.Println(verdict.Outcome) // clean, infected, or not scanned
}

// The program receives the content of an infected record, while preserve/inspect reads the
// container again.
func ExampleCleaner_Begin() {
	ctx := context.Background()
	cleaner, err := antivirus.NewCleaner("wash {input} {output}")
	if err != nil {
		log.Fatal(err)
	}
	cleaning, err := cleaner.Begin(os.Stdout, antivirus.CleaningOptions{Software: "Quire 1.0", Date: time.Now()})
	if err != nil {
		log.Fatal(err)
	}
	defer cleaning.Close()
	_, err = inspect.File(ctx, "crawl.warc.gz", inspect.Options{
		Served: func(model.Record) inspect.Served { return cleaning.Content() },
		Record: func(r model.Record) error {
			failed, err := cleaning.Record(ctx, &r)
			fmt.Println(r.ID, failed)
			return err
		},
	})
	if err != nil {
		log.Fatal(err)
	}
}
