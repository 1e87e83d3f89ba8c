package archivefs_test

import (
	"fmt"
	"log"

	"quire/internal/archivefs"
)

func Example() {
	t, err := archivefs.Open("mirror.tar.gz")
	if err != nil {
		log.Fatal(err)
	}
	defer t.Close()
	for _, f := range t.Files() {
		fmt.Println(f.Path, f.Size, f.Modified)
	}
	file, err := t.Open("hts-cache/new.zip") // reads, seeks, and reads at an offset
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
}
