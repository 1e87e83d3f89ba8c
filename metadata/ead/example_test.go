package ead_test

import (
	"log"
	"os"
	"time"

	"quire/metadata/ead"
	"quire/metadata/xmlstream"
)

func Example() {
	x := xmlstream.NewWriter(os.Stdout, xmlstream.Options{})
	err := ead.Write(x, ead.EAD3, ead.Document{
		ID: "webarchive-001", Title: "Primers web archive", Agency: "Example Library", Created: time.Now(),
		Software: "Quire",
		Unit:     ead.Unit{Level: "collection", Titles: []ead.Text{{Text: "Primers web archive"}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := x.Close(); err != nil {
		log.Fatal(err)
	}
}
