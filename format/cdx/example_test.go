package cdx_test

import (
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"quire/format/cdx"
)

// An index with its legend.
func ExampleReader() {
	index := ` CDX N b a m s k r M S V g
org,example)/ 20240708120000 http://example.org/ text/html 200 4DA2 - - 1161 946 x.warc.gz
`
	for e, err := range cdx.NewReader(strings.NewReader(index), cdx.Options{}).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.URL, e.Status, e.File, e.Offset, e.Length)
	}
	// Output: http://example.org/ 200 x.warc.gz 946 1161
}

// NetarchiveSuite writes no legend line.
func ExampleReader_withoutLegend() {
	index := "http://example.org/ 192.0.2.1 20240708120000 text/html 608 1-1-x.warc 3165 " +
		"d41d8cd98f00b204e9800998ecf8427e\n"
	r := cdx.NewReader(strings.NewReader(index), cdx.Options{Legend: cdx.LegendNAS})
	e, err := r.Next()
	fmt.Println(e.File, e.Offset, e.Digest, err)
	// Output: 1-1-x.warc 3165 d41d8cd98f00b204e9800998ecf8427e <nil>
}

func ExampleWriter() {
	w := cdx.NewJSONWriter(os.Stdout, true)
	err := w.Write(cdx.Entry{Key: "org,example)/", URL: "http://example.org/",
		Time: time.Date(2024, 7, 8, 12, 0, 0, 0, time.UTC), Status: 200, Offset: 946, Length: 1161, File: "x.warc.gz"})
	if err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	// Output: org,example)/ 20240708120000 {"url": "http://example.org/", "status": 200, "length": 1161, "offset": 946, "filename": "x.warc.gz"}
}
