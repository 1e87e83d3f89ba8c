package main

import (
	"bufio"
	"fmt"
	"os"

	"quire/format/warc"
)

// fillSmall writes records of a few bytes. Each has a unique identifier and host, so the memory of
// a reader that remembers them grows with their number.
func fillSmall(file *os.File, records int, compress bool) error {
	out := bufio.NewWriterSize(file, 1<<20)
	compression := warc.Plain
	if compress {
		compression = warc.Gzip
	}
	w, err := warc.NewWriter(out, warc.WriterOptions{Compression: compression, Level: 1})
	if err != nil {
		return err
	}
	for n := range records {
		fields := []warc.NameValue{
			{Name: warc.FieldType, Value: warc.TypeResource},
			{Name: warc.FieldRecordID, Value: fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012d>", n)},
			{Name: warc.FieldDate, Value: "2024-01-02T03:04:05Z"},
			{Name: warc.FieldTargetURI, Value: fmt.Sprintf("http://host-%d.example.org/", n)},
			{Name: warc.FieldContentType, Value: "text/plain"},
		}
		if _, _, err := w.WriteBytes(fields, []byte("leaf")); err != nil {
			return err
		}
	}
	return out.Flush()
}
