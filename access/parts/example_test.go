package parts_test

import (
	"fmt"

	"quire/access/parts"
	"quire/format/htmllink"
)

func ExampleEmbedded() {
	page := `<base href="/a/"><img src=tug.jpg><script src="/s.js"></script><a href=next.html>`
	urls, more := parts.Embedded([]byte(page), "http://a.example/index.html")
	fmt.Println(urls, more)
	// Output: [http://a.example/a/tug.jpg http://a.example/s.js] false
}

func ExampleMeasure() {
	d := parts.Measure([]parts.Part{{Kind: htmllink.Image, Coherence: parts.Missing},
		{Kind: htmllink.Script, Coherence: parts.Coherent}})
	fmt.Printf("%d %%, %d missing\n", d.Percent, d.Missing)
	// Output: 75 %, 1 missing
}
