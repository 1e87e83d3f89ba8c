package textdiff_test

import (
	"fmt"

	"quire/access/textdiff"
)

func ExampleCompare() {
	before := textdiff.Read([]byte("<title>Harbour</title><p>Open on Monday<p>Free"), "text/html")
	after := textdiff.Read([]byte("<title>Harbour</title><p>Open on <b>Tuesday</b><p>Free"), "text/html")
	d := textdiff.Compare(before.Lines, after.Lines)
	fmt.Println(after.Title, d.Added, d.Removed)
	for _, l := range d.Lines {
		fmt.Println(l.Class, l.Pieces)
	}
	// Output:
	// Harbour 1 1
	// removed [{Open on  false} {Monday true}]
	// added [{Open on  false} {Tuesday true}]
	// kept [{Free false}]
}
