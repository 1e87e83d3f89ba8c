package page_test

import (
	"log"
	"log/slog"
	"net/http"

	"quire/service/desk"
	"quire/service/page"
	"quire/service/signin"
	"quire/service/token"
)

func Example() {
	var d *desk.Desk // of an open repository
	p, err := page.New(page.Options{Name: "Museum", Desk: d, Sessions: &signin.Sessions{Secure: true},
		Token: token.In("archive/service").Person, Log: slog.Default()})
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/", p)
}
