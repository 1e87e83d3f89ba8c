// Index prints a CDXJ index of WARC files, as pywb and other replay tools read it.
package main

import (
	"cmp"
	"log"
	"mime"
	"os"
	"path/filepath"
	"slices"

	"quire/format/cdx"
	"quire/format/surt"
	"quire/format/warc"
)

func main() {
	var entries []cdx.Entry
	for _, path := range os.Args[1:] {
		found, err := captures(path)
		if err != nil {
			log.Fatal(err)
		}
		entries = append(entries, found...)
	}
	slices.SortFunc(entries, func(a, b cdx.Entry) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), a.Time.Compare(b.Time))
	})
	out := cdx.NewJSONWriter(os.Stdout, false)
	for _, entry := range entries {
		if err := out.Write(entry); err != nil {
			log.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		log.Fatal(err)
	}
}

func captures(path string) (entries []cdx.Entry, err error) {
	file, err := warc.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for record, err := range file.Records() {
		if err != nil {
			return nil, err
		}
		date, err := record.Date()
		if record.Type() != warc.TypeResponse || err != nil {
			continue
		}
		entry := cdx.Entry{Key: surt.Key(record.TargetURI()), URL: record.TargetURI(), Time: date,
			Timestamp: date.Format("20060102150405"), Digest: record.Get(warc.FieldPayloadDigest),
			Offset: record.Offset, File: filepath.Base(path)}
		if head, err := record.HTTP(); err == nil {
			entry.Status = head.StatusCode
			entry.MIME, _, _ = mime.ParseMediaType(head.Get("Content-Type"))
		}
		if err := record.Close(); err != nil { // reads to the end: the length is known then
			return nil, err
		}
		entry.Length = record.Length
		entries = append(entries, entry)
	}
	return entries, nil
}
