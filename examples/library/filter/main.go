// Filter copies the records of one host into a new WARC file, byte for byte.
package main

import (
	"log"
	"net/url"
	"os"

	"quire/format/warc"
)

func main() {
	if err := filter(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

func filter(host, from, to string) error {
	in, err := warc.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := warc.Create(to, warc.WriterOptions{}) // gzip, if the name ends in .gz
	if err != nil {
		return err
	}
	defer out.Discard() // after Close it does nothing
	about := warc.NewWarcinfo(warc.NameValue{Name: "software", Value: "filter/1.0"})
	if _, _, err := out.WriteRecord(about); err != nil {
		return err
	}
	for record, err := range in.Records() {
		if err != nil {
			return err
		}
		target, err := url.Parse(record.TargetURI())
		if err != nil || target.Hostname() != host {
			continue
		}
		if _, _, err := out.Copy(record); err != nil {
			return err
		}
	}
	return out.Close() // syncs the file and gives it its name
}
