package arcwarc_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"quire/preserve/convert/arcwarc"
)

func Example() {
	ctx := context.Background()
	arcFile, err := os.Open("a.arc.gz")
	if err != nil {
		log.Fatal(err)
	}
	defer arcFile.Close()
	warcFile, err := os.Create("a.warc.gz")
	if err != nil {
		log.Fatal(err)
	}
	defer warcFile.Close()
	report, err := arcwarc.Convert(ctx, arcFile, warcFile,
		arcwarc.Options{Name: "a.arc.gz", Software: "Quire/1.0", Date: time.Now()})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Records)
	proof, err := arcwarc.Verify(ctx, arcFile, warcFile) // compares both, record by record
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(proof.Records)
	_, err = arcwarc.Restore(ctx, warcFile, os.Stdout) // writes the inflated ARC
	if err != nil {
		log.Fatal(err)
	}
}
