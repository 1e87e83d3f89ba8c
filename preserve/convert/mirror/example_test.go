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

// m is a mirror from a reader of sources.
func Example() {
	var m source.Mirror
	report, err := mirror.Convert(context.Background(), m, os.Stdout,
		mirror.Options{Name: "13982/20030403", Software: "Quire/1.0", Date: time.Now()})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Grades[source.OriginalEntity]) // number of URLs of each grade
	fmt.Println(report.OnlyInOriginal)                // lost if the mirror is deleted
}
