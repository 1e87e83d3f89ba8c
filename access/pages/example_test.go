package pages_test

import (
	"log"
	"net/http"

	"quire/access/address"
	"quire/access/pages"
	"quire/holdings"
)

func Example() {
	var h *holdings.Holdings
	p, err := pages.New(h, pages.Options{Name: "Web archive of the National Library", UI: address.UI("")})
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/", p)
}
