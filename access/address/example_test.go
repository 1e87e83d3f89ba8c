package address_test

import (
	"fmt"
	"log"
	"net/http"

	"quire/access/address"
)

func Example() {
	ui, replay := address.UI(""), address.Replay("http://127.0.0.1:8000")
	fmt.Println(ui.Site("b1946ac9"))
	fmt.Println(replay.Capture(address.In{Collection: "all"}, "20150102030405", "mp_", "http://a.example/?q=1"))
	// Output:
	// /site/b1946ac9
	// http://127.0.0.1:8000/all/20150102030405mp_/http://a.example/?q=1
}

func ExampleParseReplay() {
	r, err := http.NewRequest(http.MethodGet, "/all/20150102030405/http://a.example//x", nil)
	if err != nil {
		log.Fatal(err)
	}
	r.RequestURI = "/all/20150102030405/http://a.example//x"
	a, ok := address.ParseReplay(r.RequestURI) // not r.URL.Path, which lost the original form
	fmt.Println(ok, a.URL)
	// Output: true http://a.example//x
}
