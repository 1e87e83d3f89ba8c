package pages_test

import (
	"fmt"
	"io"
	"log"

	"quire/preserve/pages"
)

func Example() {
	var hrefs []string
	p := pages.New(pages.Options{ContentType: "text/html; charset=iso-8859-1", Link: func(l pages.Link) error {
		hrefs = append(hrefs, string(l.Href))
		return nil
	}})
	_, err := io.WriteString(p, `<title>Quay</title><a href="b.html">B</a><base href="http://example.org/a/">`)
	if err != nil {
		log.Fatal(err)
	}
	declared, err := p.Close()
	if err != nil {
		log.Fatal(err)
	}
	resolver := declared.Resolver("http://example.org/") // at the end, because a base may follow a link
	target, ok := resolver.Resolve([]byte(hrefs[0]))
	fmt.Println(declared.Title, target, ok)
	// Output: &{Quay 0} {http://example.org/a/b.html } true
}
