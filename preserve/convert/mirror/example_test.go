package mirror_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"quire/preserve/convert/mirror"
	"quire/source"
)

// m is what a reader of sources tells of a mirror.
func Example() {
	var m source.Mirror
	report, err := mirror.Convert(context.Background(), m, os.Stdout,
		mirror.Options{Name: "13982/20030403", Software: "Quire/1.0", Date: time.Now()})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Grades[source.OriginalEntity]) // how many URLs came back how well
	fmt.Println(report.OnlyInOriginal)                // what is lost when the mirror is dropped
}
