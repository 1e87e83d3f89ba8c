package siterules_test

import (
	"fmt"

	"quire/access/siterules"
	"quire/format/surt"
)

func Example() {
	request := func(url string) siterules.Request { return siterules.Request{URL: url, Key: surt.Key(url)} }
	asked := siterules.Own().Lookup(request("https://www.youtube.com/embed/dQw4w9WgXcQ?autoplay=1"))
	for _, r := range asked.Ranges() { // search these parts of the index
		fmt.Println(r.Match, r.URL)
	}
	_, ok := asked.Compare(request("http://youtube-nocookie.com/embed/dQw4w9WgXcQ"))
	fmt.Println(ok)
	// Output:
	// exact https://www.youtube.com/embed/dQw4w9WgXcQ
	// prefix https://www.youtube.com/embed/dQw4w9WgXcQ?
	// prefix http://youtube.com/embed/dQw4w9WgXcQ
	// prefix http://youtube-nocookie.com/embed/dQw4w9WgXcQ
	// true
}
