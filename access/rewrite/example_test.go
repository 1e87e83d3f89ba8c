package rewrite_test

import (
	"log"
	"os"
	"strings"

	"quire/access/rewrite"
)

func ExampleRewriter() {
	rw := rewrite.Rewriter{
		Base: "http://a.example/dir/page.html",
		URL:  func(kind rewrite.Kind, url string) string { return "/all/20150102030405" + string(kind) + "/" + url },
	}
	// Sniff identifies the type of a body
	if err := rw.HTML(os.Stdout, strings.NewReader(`<a href="next.html">next</a>`)); err != nil {
		log.Fatal(err)
	}
	// Output: <a href="/all/20150102030405mp_/http://a.example/dir/next.html">next</a>
}
