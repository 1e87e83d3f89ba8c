package api_test

import (
	"log"
	"log/slog"
	"net/http"

	"quire/service/api"
	"quire/service/desk"
	"quire/service/role"
)

func Example() {
	var d *desk.Desk // of an open repository
	a, err := api.New(d, api.Options{Version: "1.0.0", Log: slog.Default()})
	if err != nil {
		log.Fatal(err)
	}
	who := &role.Person{Name: "Ada", Roles: []role.Role{role.Operator}}
	http.HandleFunc(api.Path, func(w http.ResponseWriter, r *http.Request) {
		a.ServeHTTP(w, r.WithContext(who.In(r.Context()))) // after a check of the token
	})
}
