package relink_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"quire/preserve/convert/relink"
)

func ExampleRewrite() {
	page := strings.NewReader(`<a href="news5369.html">next</a>`)
	result, err := relink.Rewrite(os.Stdout, page, relink.Page{
		File: "www.example.org/news5368.html", URL: "http://www.example.org/news?id=1", MIME: "text/html",
		Style: relink.HTTrack,
		Lookup: func(file string) (string, bool) {
			return "http://www.example.org/news?id=2", file == "www.example.org/news5369.html"
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("\nleft as they were:", len(result.List))
	// Output:
	// <a href="http://www.example.org/news?id=2">next</a>
	// left as they were: 0
}
