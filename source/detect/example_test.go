package detect_test

import (
	"context"
	"fmt"
	"log"

	"quire/source/detect"
)

func Example() {
	ctx := context.Background()
	s, err := detect.Open(ctx, "delivery/", "job-42.tar.gz", "lone.arc.gz") // folders, archives, files
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	for h, err := range s.Harvests(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		about := h.About() // h is also a source.Mirror, if its reader returns one
		c, err := h.Found.Tree.Open(about.Files[0].Path)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(about.ID, c.Close())
	}
	fmt.Println(s.Unclaimed) // the unclaimed files, with the reasons
	fmt.Println(s.Opened)    // the archives that were opened
	fmt.Println(s.Findings)
}
