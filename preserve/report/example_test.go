package report_test

import (
	"context"
	"log"
	"os"
	"time"

	"quire/model"
	"quire/preserve/inspect"
	"quire/preserve/report"
)

func Example() {
	c, err := inspect.File(context.Background(), "crawl.warc.gz", inspect.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := report.Text(os.Stdout, c, report.TextOptions{}); err != nil { // quire inspect
		log.Fatal(err)
	}
	containers := func(yield func(*model.Container, error) bool) { yield(c, nil) }
	// quire inspect --format html
	if err := report.HTML(os.Stdout, containers, report.Options{Made: time.Now()}); err != nil {
		log.Fatal(err)
	}
	table, err := report.Stats(containers, report.ByHost) // quire stats --by host
	if err != nil {
		log.Fatal(err)
	}
	if err := table.Write(os.Stdout, report.AsCSV); err != nil {
		log.Fatal(err)
	}
}
