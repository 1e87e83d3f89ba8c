package cdxserver_test

import (
	"net/http"

	"quire/access/cdxserver"
	"quire/holdings"
)

func Example() {
	var h *holdings.Holdings
	cdx := &cdxserver.Server{Holdings: h}
	http.HandleFunc("/cdx", func(w http.ResponseWriter, r *http.Request) {
		// ?url=example.org&matchType=host&from=2015&filter==status:200&fl=timestamp,url&output=json
		cdx.Serve(w, r, holdings.Reader{Class: holdings.Public}, nil)
	})
}
