package extract_test

import (
	"fmt"
	"strings"

	"quire/access/search/extract"
)

func ExampleFrom() {
	page := "<title>Quay</title><p>The steam tug."
	t := extract.From(extract.Content{URL: "http://a.example/", MIME: "text/html", In: strings.NewReader(page),
		Size: int64(len(page))})
	fmt.Println(t.Type, t.Title, t.Body)
	// Output: page Quay The steam tug.
}
