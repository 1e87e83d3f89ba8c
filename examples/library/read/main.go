// Read prints each response of a WARC file: its position, status, media type and URL.
package main

import (
	"fmt"
	"log"
	"os"

	"quire/format/warc"
)

func main() {
	file, err := warc.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	for record, err := range file.Records() {
		if err != nil {
			log.Fatal(err)
		}
		if record.Type() != warc.TypeResponse {
			continue
		}
		head, err := record.HTTP()
		if err != nil {
			log.Print(err) // an answer of DNS, or one without a head
			continue
		}
		fmt.Println(record.Offset, head.StatusCode, head.Get("Content-Type"), record.TargetURI())
	}
}
