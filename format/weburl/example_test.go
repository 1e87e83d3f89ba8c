package weburl_test

import (
	"fmt"
	"log"

	"quire/format/weburl"
)

func ExampleParse() {
	base, err := weburl.Parse("http://example.org/a/b.html", nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	u, err := weburl.Parse("..\\c d.html?q=1#there", base, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(u)
	fmt.Println(u.Resource()) // without its fragment: as requested from the server
	// Output:
	// http://example.org/c%20d.html?q=1#there
	// http://example.org/c%20d.html?q=1
}

func ExampleUnescape() {
	fmt.Println(weburl.Unescape("a%20b%zz%4"))
	// Output: a b%zz%4
}
