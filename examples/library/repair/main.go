// Repair copies all complete records of a damaged WARC file, and prints the damage.
package main

import (
	"errors"
	"fmt"
	"log"
	"os"

	"quire/format/fault"
	"quire/format/warc"
)

func main() {
	kept, lost, err := repair(os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(kept, "records kept,", lost, "lost")
}

func repair(from, to string) (kept, lost int, err error) {
	file, err := os.Open(from)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	out, err := warc.Create(to, warc.WriterOptions{})
	if err != nil {
		return 0, 0, err
	}
	defer out.Discard()
	in := warc.NewReader(file) // Open would refuse a file that begins with something else
	in.Report = func(f fault.Fault) { fmt.Println(f.Code, "at byte", f.Offset) }
	for record, err := range in.Records() {
		if err != nil {
			return kept, lost, err
		}
		switch _, _, err := out.Copy(record); {
		case errors.Is(err, warc.ErrDamaged):
			lost++
		case err != nil:
			return kept, lost, err
		default:
			kept++
		}
	}
	return kept, lost, out.Close()
}
