package machines_test

import (
	"fmt"
	"log"
	"time"

	"quire/access/machines"
)

func ExampleFeed() {
	entry := machines.Entry{Address: "https://archive.example/site/a", Title: "Harbour <b>Museum</b>",
		Updated: time.Date(2015, 1, 2, 3, 4, 5, 0, time.UTC)}
	f := machines.Feed{Language: "en", Address: "https://archive.example/feed.atom", Page: "https://archive.example/",
		Title: "New websites", Author: "Web archive", Entries: []machines.Entry{entry}}
	text, err := f.Document()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
	//  <id>https://archive.example/feed.atom</id>
	//  <title>New websites</title>
	//  <updated>2015-01-02T03:04:05Z</updated>
	//  <author>
	//   <name>Web archive</name>
	//  </author>
	//  <link rel="self" type="application/atom+xml" href="https://archive.example/feed.atom"></link>
	//  <link rel="alternate" type="text/html" href="https://archive.example/"></link>
	//  <entry>
	//   <id>https://archive.example/site/a</id>
	//   <title>Harbour &lt;b&gt;Museum&lt;/b&gt;</title>
	//   <updated>2015-01-02T03:04:05Z</updated>
	//   <link rel="alternate" type="text/html" href="https://archive.example/site/a"></link>
	//  </entry>
	// </feed>
}

func ExampleRobots() {
	fmt.Print(machines.Robots([]string{"/$", "/site/"}, []string{"/"}, "https://archive.example/sitemap.xml"))
	// Output:
	// User-agent: *
	// Allow: /$
	// Allow: /site/
	// Disallow: /
	//
	// Sitemap: https://archive.example/sitemap.xml
}
