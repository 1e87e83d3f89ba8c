package citation_test

import (
	"fmt"
	"strings"
	"time"

	"quire/access/citation"
)

func ExampleCapture() {
	c := citation.Capture{URL: "http://a.example/?a&b", Title: "Tugs & quays", Archive: "Web archive", Page: true,
		Time:    time.Date(2015, 1, 2, 3, 4, 5, 0, time.UTC),
		Address: "https://archive.example:8443/all/20150102030405/http://a.example/?a&b"}
	fmt.Println(c.PWID())
	fmt.Println(strings.ReplaceAll(c.RobustLink(), " data-", "\n  data-"))
	// Output:
	// urn:pwid:archive.example:2015-01-02T03:04:05Z:page:http://a.example/?a&b
	// <a href="http://a.example/?a&amp;b"
	//   data-originalurl="http://a.example/?a&amp;b"
	//   data-versionurl="https://archive.example:8443/all/20150102030405/http://a.example/?a&amp;b"
	//   data-versiondate="2015-01-02">Tugs &amp; quays</a>
}
