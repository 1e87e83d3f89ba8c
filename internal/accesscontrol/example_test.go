package accesscontrol_test

import (
	"fmt"
	"log"
	"net/http"

	"quire/internal/accesscontrol"
)

func Example() {
	g,
		err := accesscontrol.New(accesscontrol.Config{Allow: []accesscontrol.Agreement{{Networks: []string{"192.0.2.0/24"}, Hours: []string{"20:00-06:00 Europe/Brussels"}}}}, accesscontrol.Options{})
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/modoai", g.Wrap(http.NotFoundHandler())) // a client without an agreement gets 403 and one line
	fmt.Println(g)                                         // the agreements
}
